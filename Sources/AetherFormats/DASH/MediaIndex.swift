/// The segments of one file, as an index in the file itself has them.
struct MediaIndex: Sendable, Equatable {
    /// Segments of one file at most.
    static let limit = 1 << 18

    /// Ticks a second.
    var timescale: Int64
    /// The start of the first one in the media's time.
    var start: Int64
    /// Everything before the index and the media: what a decoder needs first.
    var header: ByteRange?
    /// Of each segment, rising.
    var ends: [Int64] = []
    /// Of each segment.
    var ranges: [ByteRange] = []

    /// Adds a segment of so many ticks. False where there are too many, where a number overflows, or where it has no bytes.
    mutating func append(duration: Int64, offset: Int64, size: Int64) -> Bool {
        let (end, overflow) = (ends.last ?? start).addingReportingOverflow(duration)
        guard !overflow, ends.count < Self.limit, let range = ByteRange(offset: offset, length: size) else { return false }
        // A part without a length belongs to what comes before it.
        if duration <= 0 { return true }
        ends.append(end)
        ranges.append(range)
        return true
    }
}

/// Finds the index in a file of media (`sidx` of MP4, also of several levels, or the Cues of WebM) and reads it: `request` says which
/// bytes to fetch. Whatever the bytes are, it ends after a bounded number of requests.
public struct MediaIndexSearch: RangeSearch, Equatable {
    /// An index of several levels has one box for a few minutes of media.
    public static let requestLimit = 1000
    /// An index of 2^16 references has 0.8 MB; Cues may have more.
    public static let byteLimit = 8 << 20

    private enum Format: Sendable, Equatable {
        case boxes(BoxIndexSearch)
        case cues(CueSearch)
    }

    private var format: Format
    private let header: ByteRange?
    /// The manifest says where the index lies.
    public let isStated: Bool
    private var requests = 0
    private var isAborted = false

    /// A file whose index lies at `range` and its header at `header`; where the manifest does not say, they are looked for.
    init(isWebM: Bool, range: ByteRange?, header: ByteRange?) {
        (self.header, isStated) = (header, range != nil)
        format = isWebM ? .cues(CueSearch(range: range, header: header)) : .boxes(BoxIndexSearch(range: range))
    }

    /// The bytes to read next; nil: the search is complete, or can find nothing.
    public var request: RangeRequest? {
        guard !isAborted, requests < Self.requestLimit else { return nil }
        let wanted: RangeRequest? =
            switch format {
            case .boxes(let search): search.request
            case .cues(let search): search.request
            }
        return wanted.flatMap { $0.count > 0 && $0.count <= Self.byteLimit ? $0 : nil }
    }

    /// Takes the bytes that were asked for.
    public mutating func take(_ bytes: [UInt8]) {
        guard let request else { return }
        requests += 1
        switch format {
        case .boxes(var search):
            search.take(bytes[...], at: request.offset)
            format = .boxes(search)
        case .cues(var search):
            search.take(bytes[...], at: request.offset)
            format = .cues(search)
        }
    }

    /// Whether an index was found.
    public var hasIndex: Bool { result != nil }

    /// Whether the index is not where the manifest says: it may come yet, or was cut off.
    public var mayAppear: Bool { isStated && !hasIndex }

    /// Nothing more will be read.
    mutating func abort() { isAborted = true }

    /// The segments; nil before all of them are known, or where there is no index.
    var result: MediaIndex? {
        guard request == nil, requests > 0 else { return nil }
        var found: MediaIndex? =
            switch format {
            case .boxes(let search): search.isComplete ? search.index : nil
            case .cues(let search): search.result
            }
        if let header { found?.header = header }
        return found
    }
}

/// The way of `sidx`: the boxes at the stated place, or from the file's start on, then the indexes that it refers to, in order.
struct BoxIndexSearch: Sendable, Equatable {
    /// Boxes before the index: `ftyp`, `moov`, `styp`, `emsg`, `prft` …
    private static let boxLimit = 64
    /// Bytes of an index of a lower level that are asked for at first: 340 references.
    private static let levelRoom = 4096

    /// An index that is still to be read, or media.
    private struct Item: Sendable, Equatable {
        let offset, size, duration: Int64
        let isIndex: Bool
    }

    private(set) var request: RangeRequest?
    private(set) var index: MediaIndex?
    private(set) var isComplete = false
    /// To be gone through, the last one first.
    private var waiting: [Item] = []
    private let range: ByteRange?
    private var seen = 0

    init(range: ByteRange?) {
        self.range = range
        request = RangeRequest(offset: range?.offset ?? 0, count: Int(clamping: range?.length ?? Int64(BoxHead.room)))
    }

    mutating func take(_ bytes: ArraySlice<UInt8>, at offset: Int64) {
        request = nil
        if let box = find(bytes, at: offset) {
            if index == nil {
                index = MediaIndex(timescale: box.index.timescale, start: box.index.start)
                index?.header = ByteRange(offset: 0, length: box.start)
            }
            return expand(box.index, end: box.end)
        }
        if index != nil {
            // The references of a lower level are more than was asked for: once more, its whole box.
            if let head = BoxHead(bytes), head.kind == "sidx", head.size > bytes.count, bytes.count == Self.levelRoom {
                request = RangeRequest(offset: offset, count: head.size)
                return
            }
            // One that is none: the rest is good.
            return goOn()
        }
        // Not there yet: the next box, by the head of this one.
        guard range == nil, seen < Self.boxLimit, let head = BoxHead(bytes), head.kind != "mdat", head.kind != "moof" else {
            return
        }
        seen += 1
        if head.kind == "sidx" {
            // Once: bytes that end before the index does will not grow.
            if bytes.count <= BoxHead.room, bytes.count < head.size { request = RangeRequest(offset: offset, count: head.size) }
        } else {
            let (next, overflow) = offset.addingReportingOverflow(Int64(head.size))
            if !overflow { request = RangeRequest(offset: next, count: BoxHead.room) }
        }
    }

    private func find(_ bytes: ArraySlice<UInt8>, at offset: Int64) -> (index: SegmentIndexBox, start: Int64, end: Int64)? {
        var rest = bytes
        while let head = BoxHead(rest), head.size <= rest.count {
            let start = offset.saturatingAdd(Int64(rest.startIndex - bytes.startIndex))
            if head.kind == "sidx", let box = SegmentIndexBox(rest.prefix(head.size).dropFirst(head.length)) {
                return (box, start, start.saturatingAdd(Int64(head.size)))
            }
            rest = rest.dropFirst(head.size)
        }
        return nil
    }

    private mutating func expand(_ box: SegmentIndexBox, end: Int64) {
        var offset = end.saturatingAdd(box.firstOffset), items: [Item] = []
        for reference in box.references {
            // Another scale than the first box's is allowed, and seen nowhere.
            let duration = Ticks(reference.duration, timescale: box.timescale).rescaled(to: index?.timescale ?? 1).value
            items.append(Item(offset: offset, size: reference.size, duration: duration, isIndex: reference.isIndex))
            offset = offset.saturatingAdd(reference.size)
        }
        waiting.append(contentsOf: items.reversed())
        goOn()
    }

    /// Takes media from the list until an index is next. It needs its own request: 12 bytes a reference, seldom more than a few KB. What the list
    /// says of its size may have its media in it.
    private mutating func goOn() {
        while let item = waiting.popLast() {
            guard item.size > 0 else { continue }
            if item.isIndex {
                request = RangeRequest(offset: item.offset, count: Int(min(item.size, Int64(Self.levelRoom))))
                return
            }
            guard index?.append(duration: item.duration, offset: item.offset, size: item.size) == true else { return }
        }
        isComplete = index?.ends.isEmpty == false
    }
}
