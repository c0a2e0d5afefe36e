/// The display parameters of one video track of a Matroska file.
public struct MatroskaDisplay: Sendable, Equatable {
    /// Stored pixels.
    public private(set) var width = 0, height = 0
    /// Rows and columns at the edges that are not shown; 0 where the crop would leave no frame.
    public private(set) var left = 0, top = 0, right = 0, bottom = 0
    /// Width and height of the displayed frame, as a ratio; nil where the file has none.
    public private(set) var display: (width: Int, height: Int)?

    /// Compares all properties.
    public static func == (a: MatroskaDisplay, b: MatroskaDisplay) -> Bool {
        (a.width, a.height, a.left, a.top, a.right, a.bottom) == (b.width, b.height, b.left, b.top, b.right, b.bottom)
            && a.display?.width == b.display?.width && a.display?.height == b.display?.height
    }

    private enum ID {
        static let entry: UInt32 = 0xAE, type: UInt32 = 0x83, codec: UInt32 = 0x86, video: UInt32 = 0xE0
        static let width: UInt32 = 0xB0, height: UInt32 = 0xBA
        static let bottom: UInt32 = 0x54AA, top: UInt32 = 0x54BB, left: UInt32 = 0x54CC, right: UInt32 = 0x54DD
        static let displayWidth: UInt32 = 0x54B0, displayHeight: UInt32 = 0x54BA, displayUnit: UInt32 = 0x54B2
    }

    /// No codec has larger frames.
    private static let sideLimit: UInt64 = 1 << 16
    /// Video tracks in one file.
    private static let limit = 64

    /// The video tracks of a file's `Tracks`, in its order.
    static func all(_ tracks: ArraySlice<UInt8>) -> [MatroskaDisplay] {
        var found: [MatroskaDisplay] = []
        for entry in EBMLReader(tracks) where entry.id == ID.entry && found.count < limit {
            var type: UInt64?, video: ArraySlice<UInt8>?, hasCodec = false
            for element in EBMLReader(entry.payload) {
                if element.id == ID.type { type = element.payload.ebmlNumber }
                if element.id == ID.video { video = element.payload }
                if element.id == ID.codec { hasCodec = true }
            }
            // A track without the name of a codec is no stream to libavformat, either.
            if type == 1, hasCodec { found.append(MatroskaDisplay(video ?? [])) }
        }
        return found
    }

    private init(_ video: ArraySlice<UInt8>) {
        var edges: [UInt32: Int] = [:], shown: [UInt32: Int] = [:], unit: UInt64 = 0
        for element in EBMLReader(video) {
            let number = element.payload.ebmlNumber ?? 0, side = Int(min(number, Self.sideLimit))
            switch element.id {
            case ID.width: width = side
            case ID.height: height = side
            case ID.left, ID.right, ID.top, ID.bottom: edges[element.id] = side
            case ID.displayWidth, ID.displayHeight: shown[element.id] = side
            case ID.displayUnit: unit = number
            default: break
            }
        }
        func edge(_ id: UInt32) -> Int { edges[id] ?? 0 }
        if edge(ID.left) + edge(ID.right) < width, edge(ID.top) + edge(ID.bottom) < height {
            (left, right, top, bottom) = (edge(ID.left), edge(ID.right), edge(ID.top), edge(ID.bottom))
        }
        // Pixels, lengths and ratios are all ratios; a unit above 3 stands for nothing that is known.
        if let across = shown[ID.displayWidth], let down = shown[ID.displayHeight], across > 0, down > 0, unit <= 3 {
            display = (across, down)
        }
    }
}

/// Finds the video tracks of a Matroska file: says which bytes it wants, takes them, until it wants none. Pure; whatever the bytes, it ends after
/// `requestLimit` requests.
public struct MatroskaDisplaySearch: RangeSearch {
    /// The bytes to read next.
    public private(set) var request: RangeRequest? = RangeRequest(offset: 0, count: EBMLHeader.room)
    /// The video tracks in the file's order.
    public private(set) var sizes: [MatroskaDisplay] = []

    /// `Tracks` is among the first elements of the segment: libavformat wants it there, too.
    static let requestLimit = 32
    /// Tracks with a megabyte of headers of subtitles each are the largest that were seen.
    private static let payloadLimit = 4 << 20

    private var requests = 0
    private var isInSegment = false, isContent = false

    private enum ID {
        static let head: UInt32 = 0x1A45_DFA3, segment: UInt32 = 0x1853_8067, cluster: UInt32 = 0x1F43_B675
        static let tracks: UInt32 = 0x1654_AE6B
    }

    /// A search that begins at the first byte.
    public init() {}

    /// Takes the bytes that were asked for.
    public mutating func take(_ bytes: [UInt8]) {
        guard let asked = request else { return }
        request = nil
        requests += 1
        let bytes = bytes.prefix(asked.count)
        if isContent {
            sizes = MatroskaDisplay.all(bytes)
            return
        }
        guard requests < Self.requestLimit, let header = EBMLHeader(bytes), header.id != ID.cluster else { return }
        guard asked.offset > 0 || header.id == ID.head else { return }
        let behind = asked.offset &+ Int64(header.length)
        if header.id == ID.segment, !isInSegment {
            isInSegment = true
            request = .init(offset: behind, count: EBMLHeader.room)
        } else if header.id == ID.tracks, isInSegment {
            isContent = true
            let count = min(Self.payloadLimit, Int(clamping: header.size ?? 0))
            if count > 0 { request = .init(offset: behind, count: count) }
        } else if let next = header.end(at: asked.offset) {
            request = .init(offset: next, count: EBMLHeader.room)
        }
    }
}
