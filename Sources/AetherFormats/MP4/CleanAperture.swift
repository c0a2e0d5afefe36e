/// The part of an MP4 track's frames that is to be looked at (ISO/IEC 14496-12, `clap`), as rows and columns at the edges that are not.
public struct CleanAperture: Sendable, Equatable {
    /// Stored pixels.
    public let width, height: Int
    /// Rows and columns that are not shown; none where the file says nothing, or nothing that makes sense.
    public private(set) var left = 0, top = 0, right = 0, bottom = 0

    /// Whether something is cut off.
    public var isCut: Bool { left + top + right + bottom > 0 }

    /// Width, height and the boxes behind them in an entry for video, 78 bytes from its start.
    private static let widthPlace = 24, boxesPlace = 78

    /// Reads the first entry of a sample description (`stsd`), behind that box's own head; nil for what is no video's.
    init?(sampleDescription bytes: ArraySlice<UInt8>) {
        guard let entry = MP4Box(bytes.dropFirst(8)), entry.kind.count == 4 else { return nil }
        let body = bytes.dropFirst(8 + entry.headLength).prefix(entry.size - entry.headLength)
        guard let width = body.dropFirst(Self.widthPlace).bigEndian(2),
            let height = body.dropFirst(Self.widthPlace + 2).bigEndian(2),
            width > 0, height > 0
        else { return nil }
        (self.width, self.height) = (width, height)
        var rest = body.dropFirst(Self.boxesPlace)
        while let box = MP4Box(rest), box.size <= rest.count {
            if box.kind == "clap" { cut(rest.dropFirst(box.headLength).prefix(box.size - box.headLength)) }
            rest = rest.dropFirst(box.size)
        }
    }

    /// Four fractions: the size of what is shown, and how far its middle lies from that of the frame.
    private mutating func cut(_ body: ArraySlice<UInt8>) {
        let numbers = stride(from: 0, to: 32, by: 4).compactMap { body.dropFirst($0).bigEndian(4) }
        guard numbers.count == 8 else { return }
        func signed(_ value: Int) -> Double { Double(Int32(truncatingIfNeeded: value)) }
        func fraction(_ index: Int) -> Double { signed(numbers[index * 2]) / signed(numbers[index * 2 + 1]) }
        func edges(_ extent: Int, _ shown: Double, _ offset: Double) -> (Int, Int)? {
            guard shown.isFinite, offset.isFinite, shown >= 1, shown <= Double(extent), abs(offset) <= Double(extent) else {
                return nil
            }
            let low = Int((offset + (Double(extent) - shown) / 2).rounded()), high = extent - low - Int(shown.rounded())
            return low >= 0 && high >= 0 ? (low, high) : nil
        }
        guard let across = edges(width, fraction(0), fraction(2)), let down = edges(height, fraction(1), fraction(3)) else {
            return
        }
        (left, right, top, bottom) = (across.0, across.1, down.0, down.1)
    }
}

/// The head of a box: its whole size, and what it is.
struct MP4Box {
    let size: Int
    let kind: String
    let headLength: Int

    /// nil where too few bytes are there, or the size is less than the head. A size of 0 (to the end of the file) is none.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard let short = bytes.bigEndian(4), bytes.count >= 8 else { return nil }
        kind = String(decoding: bytes.dropFirst(4).prefix(4), as: UTF8.self)
        headLength = short == 1 ? 16 : 8
        guard let size = short == 1 ? bytes.dropFirst(8).bigEndian(8) : short, size >= headLength else { return nil }
        self.size = size
    }
}

extension ArraySlice<UInt8> {
    /// The first bytes as a number; nil where there are fewer, or it is more than an `Int` holds.
    fileprivate func bigEndian(_ length: Int) -> Int? {
        guard count >= length else { return nil }
        return Int(exactly: prefix(length).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}

/// Finds the clean apertures of an MP4 file's tracks: says which bytes it wants, takes them, until it wants none. Pure; whatever the bytes,
/// it ends after `requestLimit` requests.
public struct CleanApertureSearch: Sendable {
    /// The bytes to read next; fewer bytes are enough where the file ends. nil: all is known.
    public private(set) var request: MatroskaChapterSearch.Request? = .init(offset: 0, count: headRoom)
    /// The apertures of the video tracks, in the file's order.
    public private(set) var apertures: [CleanAperture] = []

    /// A track has about 20 boxes on the way.
    static let requestLimit = 400
    private static let headRoom = 16
    private static let descriptionLimit = 64 << 10
    /// Boxes that are looked into.
    private static let containers: Set<String> = ["moov", "trak", "mdia", "minf", "stbl"]

    private var requests = 0
    private var isContent = false
    private var next: Int64 = 0
    /// The end of `moov`; nil before it was found.
    private var end: Int64?

    /// A search that begins at the first byte.
    public init() {}

    /// Takes the bytes that were asked for.
    public mutating func take(_ bytes: [UInt8]) {
        guard let asked = request else { return }
        request = nil
        requests += 1
        guard requests < Self.requestLimit else { return }
        if isContent {
            isContent = false
            if let aperture = CleanAperture(sampleDescription: bytes.prefix(asked.count)) { apertures.append(aperture) }
            return goOn(at: next)
        }
        guard let box = MP4Box(bytes[...]) else { return }
        let (behind, overflows) = asked.offset.addingReportingOverflow(Int64(box.size))
        guard !overflows else { return }
        if box.kind == "moov" { end = behind }
        if Self.containers.contains(box.kind) { return goOn(at: asked.offset + Int64(box.headLength)) }
        guard box.kind == "stsd", end != nil, box.size > box.headLength else { return goOn(at: behind) }
        (isContent, next) = (true, behind)
        request = .init(
            offset: asked.offset + Int64(box.headLength), count: min(Self.descriptionLimit, box.size - box.headLength))
    }

    private mutating func goOn(at offset: Int64) {
        guard end.map({ offset < $0 }) ?? true else { return }
        request = .init(offset: offset, count: Self.headRoom)
    }
}
