/// The part of an MP4 track's frames that is to be looked at (ISO/IEC 14496-12, `clap`), as rows and columns at the edges that are not.
public struct CleanAperture: Sendable, Equatable {
    /// Stored pixels.
    public let width, height: Int
    /// Rows and columns that are not shown; 0 where the file has no aperture, or one that makes no sense.
    public private(set) var left = 0, top = 0, right = 0, bottom = 0

    /// Whether something is cut off.
    public var isCut: Bool { left + top + right + bottom > 0 }

    /// Width, height and the boxes behind them in an entry for video, 78 bytes from its start.
    private static let widthPlace = 24, boxesPlace = 78

    /// Reads the first entry of a sample description (`stsd`), behind that box's own head; nil for what is no video's.
    init?(sampleDescription bytes: ArraySlice<UInt8>) {
        guard let entry = BoxHead(bytes.dropFirst(8)), entry.kind.count == 4 else { return nil }
        let body = bytes.dropFirst(8 + entry.length).prefix(entry.size - entry.length)
        guard let width = body.dropFirst(Self.widthPlace).bigEndian(2),
            let height = body.dropFirst(Self.widthPlace + 2).bigEndian(2),
            width > 0, height > 0
        else { return nil }
        (self.width, self.height) = (width, height)
        for box in BoxReader(body.dropFirst(Self.boxesPlace)) where box.kind == "clap" { cut(box.body) }
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

/// Finds the clean apertures of an MP4 file's tracks: says which bytes it wants, takes them, until it wants none. Pure; whatever the bytes,
/// it ends after `BoxSearch.requestLimit` requests.
public struct CleanApertureSearch: RangeSearch {
    private static let descriptionLimit = 64 << 10
    private var boxes = BoxSearch(["moov", "trak", "mdia", "minf", "stbl", "stsd"], contentLimit: descriptionLimit)

    /// The bytes to read next.
    public var request: RangeRequest? { boxes.request }
    /// The apertures of the video tracks, in the file's order.
    public var apertures: [CleanAperture] { boxes.found.compactMap { CleanAperture(sampleDescription: $0[...]) } }

    /// A search that begins at the first byte.
    public init() {}

    /// Takes the bytes that were asked for.
    public mutating func take(_ bytes: [UInt8]) { boxes.take(bytes) }
}
