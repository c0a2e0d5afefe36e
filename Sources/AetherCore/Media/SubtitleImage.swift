/// A bitmap subtitle, kept as runs of a palette's entries: 10 … 30 KB for a line of a disc's text, where pixels would
/// take 1 MB.
public struct SubtitleImage: Sendable, Hashable {
    /// Pixels.
    public let width, height: Int
    /// Pairs of a length, 1 … 255, and an entry of the palette.
    public let runs: [UInt8]
    /// Premultiplied pixels as in `RasterImage`.
    public let palette: [UInt32]
    /// The top left corner on the canvas, in its pixels.
    public let x, y: Int
    /// The size of the frame that the subtitle was drawn for; the position counts in it.
    public let canvasSize: PixelSize
    /// Shown also to people who want no subtitles: a sign, a foreign language.
    public let isForced: Bool

    /// An image. Traps where the indices are not width × height; entries beyond the palette are transparent.
    public init(
        width: Int, height: Int, indices: [UInt8], palette: [UInt32], x: Int, y: Int, canvasSize: PixelSize, isForced: Bool
    ) {
        precondition(width >= 0 && height >= 0 && indices.count == width * height, "index count does not match the size")
        self.width = width
        self.height = height
        runs = Self.runs(of: indices)
        self.palette = palette
        self.x = x
        self.y = y
        self.canvasSize = canvasSize
        self.isForced = isForced
    }

    /// An image of runs; nil where they are not of width × height pixels. Entries beyond the palette are transparent.
    public init?(
        width: Int, height: Int, runs: [UInt8], palette: [UInt32], x: Int, y: Int, canvasSize: PixelSize, isForced: Bool
    ) {
        guard width >= 0, height >= 0, runs.count % 2 == 0 else { return nil }
        var count = 0
        for index in stride(from: 0, to: runs.count, by: 2) {
            if runs[index] == 0 { return nil }
            count += Int(runs[index])
        }
        guard count == width.multipliedReportingOverflow(by: height).partialValue else { return nil }
        (self.width, self.height, self.runs, self.palette) = (width, height, runs, palette)
        (self.x, self.y, self.canvasSize, self.isForced) = (x, y, canvasSize, isForced)
    }

    /// The pixels: premultiplied, as `RasterImage` packs them.
    public var image: RasterImage {
        let table = (0..<256).map { $0 < palette.count ? palette[$0] : 0 }
        var pixels: [UInt32] = []
        pixels.reserveCapacity(width * height)
        for index in stride(from: 0, to: runs.count, by: 2) {
            pixels.append(contentsOf: repeatElement(table[Int(runs[index + 1])], count: Int(runs[index])))
        }
        return RasterImage(width: width, height: height, pixels: pixels)
    }

    /// Memory that it takes, in bytes.
    public var byteCount: Int { runs.count + palette.count * 4 }

    private static func runs(of indices: [UInt8]) -> [UInt8] {
        var runs: [UInt8] = []
        var start = indices.startIndex
        while start < indices.endIndex {
            var end = start + 1
            while end < indices.endIndex, end - start < 255, indices[end] == indices[start] { end += 1 }
            runs.append(UInt8(end - start))
            runs.append(indices[start])
            start = end
        }
        return runs
    }
}
