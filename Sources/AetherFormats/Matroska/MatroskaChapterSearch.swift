/// Finds the editions of a Matroska file: says which bytes it wants, takes them, until it wants none. Pure; whatever the bytes, it ends
/// after `requestLimit` requests and has kept no more than a few megabytes.
public struct MatroskaChapterSearch: RangeSearch {
    /// The bytes to read next.
    public private(set) var request: RangeRequest? = RangeRequest(offset: 0, count: EBMLHeader.room)
    /// The editions found so far.
    public private(set) var editions: [MatroskaEdition] = []
    /// The file's own number.
    public private(set) var segment: [UInt8]?

    /// Elements in front of the first cluster are ten or so, twice: beginning and content.
    static let requestLimit = 128
    /// A thousand chapters with names in twenty languages are 2 MB.
    static let payloadLimit = 4 << 20
    private static let tagLimit = 1 << 20

    private enum ID {
        static let head: UInt32 = 0x1A45_DFA3, segment: UInt32 = 0x1853_8067, seekHead: UInt32 = 0x114D_9B74
        static let cluster: UInt32 = 0x1F43_B675, info: UInt32 = 0x1549_A966, chapters: UInt32 = 0x1043_A770
        static let tags: UInt32 = 0x1254_C367, seek: UInt32 = 0x4DBB, seekID: UInt32 = 0x53AB, seekPosition: UInt32 = 0x53AC
        static let segmentUID: UInt32 = 0x73A4
    }

    private enum Purpose {
        /// In front of the segment.
        case outside
        /// One element of the segment after another.
        case walk
        /// One that the index has named.
        case visit(UInt32)
        /// The content of an element; the next one of the walk lies behind it, where it goes on.
        case content(UInt32, next: Int64?)
    }

    private var purpose = Purpose.outside
    private var requests = 0
    /// The zero of the index's positions.
    private var origin: Int64 = 0
    private var places: [UInt32: Int64] = [:]
    private var read: Set<UInt32> = []

    /// A search that begins at the first byte.
    public init() {}

    /// Takes the bytes that were asked for.
    public mutating func take(_ bytes: [UInt8]) {
        guard let asked = request else { return }
        request = nil
        requests += 1
        guard requests < Self.requestLimit else { return }
        let bytes = bytes.prefix(asked.count)
        switch purpose {
        case .outside: outside(bytes, at: asked.offset)
        case .walk: walk(bytes, at: asked.offset)
        case .visit(let id):
            guard let header = EBMLHeader(bytes), header.id == id else { return visitNext() }
            want(header, at: asked.offset, next: nil)
        case .content(let id, let next):
            content(id, bytes)
            if let next, !isIndexed { ask(next, EBMLHeader.room, .walk) } else { visitNext() }
        }
    }

    /// The index names the chapters: there is no need to walk.
    private var isIndexed: Bool { places[ID.chapters] != nil }

    private mutating func ask(_ offset: Int64, _ count: Int, _ purpose: Purpose) {
        guard offset >= 0, count > 0 else { return }
        self.purpose = purpose
        request = RangeRequest(offset: offset, count: count)
    }

    private mutating func outside(_ bytes: ArraySlice<UInt8>, at offset: Int64) {
        guard let header = EBMLHeader(bytes) else { return }
        guard header.id != ID.segment else {
            origin = offset &+ Int64(header.length)
            return ask(origin, EBMLHeader.room, .walk)
        }
        guard offset > 0 || header.id == ID.head, let next = header.end(at: offset) else { return }
        ask(next, EBMLHeader.room, .outside)
    }

    private mutating func walk(_ bytes: ArraySlice<UInt8>, at offset: Int64) {
        guard let header = EBMLHeader(bytes), header.id != ID.cluster else { return visitNext() }
        let next = header.end(at: offset)
        if [ID.seekHead, ID.info, ID.chapters, ID.tags].contains(header.id), !read.contains(header.id) {
            want(header, at: offset, next: next)
        } else if let next {
            ask(next, EBMLHeader.room, .walk)
        } else {
            visitNext()
        }
    }

    private mutating func want(_ header: EBMLHeader, at offset: Int64, next: Int64?) {
        read.insert(header.id)
        let limit = header.id == ID.chapters ? Self.payloadLimit : Self.tagLimit
        let count = min(limit, Int(clamping: header.size ?? 0))
        if count > 0 {
            ask(offset &+ Int64(header.length), count, .content(header.id, next: next))
        } else if let next {
            ask(next, EBMLHeader.room, .walk)
        } else {
            visitNext()
        }
    }

    private mutating func content(_ id: UInt32, _ bytes: ArraySlice<UInt8>) {
        switch id {
        case ID.seekHead: index(bytes)
        case ID.info: segment = EBMLReader(bytes).first { $0.id == ID.segmentUID }.map { Array($0.payload.prefix(64)) }
        case ID.chapters: editions = MatroskaEdition.all(bytes)
        case ID.tags: tags = Array(bytes)
        default: break
        }
        if !tags.isEmpty, read.contains(ID.chapters) { MatroskaEdition.name(&editions, by: tags[...]) }
    }

    /// Tags that came before the chapters wait for them.
    private var tags: [UInt8] = []

    private mutating func index(_ bytes: ArraySlice<UInt8>) {
        for entry in EBMLReader(bytes).prefix(64) where entry.id == ID.seek {
            var id: UInt64?, position: UInt64?
            for element in EBMLReader(entry.payload) {
                if element.id == ID.seekID { id = element.payload.ebmlNumber }
                if element.id == ID.seekPosition { position = element.payload.ebmlNumber }
            }
            guard let id = id.flatMap(UInt32.init(exactly:)), let position = position.flatMap(Int64.init(exactly:)) else {
                continue
            }
            let (place, overflows) = origin.addingReportingOverflow(position)
            if !overflows, places[id] == nil { places[id] = place }
        }
    }

    /// The next of what the index has named and is still wanted.
    private mutating func visitNext() {
        var wanted = [ID.info, ID.chapters]
        // Names of editions that have none of their own stand at the end of the file.
        if editions.count > 1, editions.contains(where: \.names.isEmpty) { wanted.append(ID.tags) }
        for id in wanted {
            guard !read.contains(id), let place = places[id] else { continue }
            read.insert(id)
            return ask(place, EBMLHeader.room, .visit(id))
        }
    }
}
