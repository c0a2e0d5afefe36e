public import AetherCore
import CFFmpeg

/// The codes of a frame, looked at: how often each occurs, where in the width, and those of a grid of points.
public struct FrameLevels: Sendable, Equatable {
    /// Bits of a code.
    public let depth: Int
    /// The names of the components: one, or three.
    public let names: [String]
    /// The number of pixels of each level, of 256 whatever the depth; for each component.
    public let histogram: [[Int]]
    /// The least, the most and the mean code of each component.
    public let ends: [(least: Int, most: Int, mean: Double)]
    /// How often a level of the first component occurs in a column: `waveColumns` columns of `waveLevels` levels, the darkest first.
    public let waveform: [UInt16]
    /// The codes at a grid of points, by rows, for each component.
    public let grid: [[UInt16]]
    /// Points of the grid.
    public let columns, rows: Int

    /// Columns of the waveform.
    public static let waveColumns = 128
    /// Levels of the waveform.
    public static let waveLevels = 128
    /// Points of the grid in a row at most; a frame that is narrower has one for each pixel.
    private static let widest = 320
    /// Codes that are counted: 8 million would take 50 ms. Of larger frames every second or third in both directions are.
    private static let limit = 600_000

    /// Looks at a frame; nil for formats that have no codes for each pixel.
    public init?(_ frame: borrowing DecodedFrame) {
        guard let reader = CodeReader(frame.pointer) else { return nil }
        let isRGB =
            (av_pix_fmt_desc_get(AVPixelFormat(frame.pointer.pointee.format))?.pointee.flags ?? 0)
            & UInt64(AV_PIX_FMT_FLAG_RGB) != 0
        self.init(reader, isRGB: isRGB)
    }

    private init(_ reader: CodeReader, isRGB: Bool) {
        depth = reader.depth
        names = reader.count == 1 ? ["Y"] : isRGB ? ["R", "G", "B"] : ["Y", "U", "V"]
        var step = 1
        while (reader.width / step) * (reader.height / step) > Self.limit { step += 1 }
        var histogram: [[Int]] = [], ends: [(least: Int, most: Int, mean: Double)] = []
        var waveform = [UInt16](repeating: 0, count: Self.waveColumns * Self.waveLevels)
        for component in 0..<reader.count {
            var counts = [Int](repeating: 0, count: 256), least = Int.max, most = 0, sum = 0, total = 0
            for y in stride(from: 0, to: reader.height, by: step) {
                for x in stride(from: 0, to: reader.width, by: step) {
                    let code = reader.code(component, x: x, y: y)
                    counts[Self.level(code, reader.depth)] += 1
                    (least, most) = (min(least, code), max(most, code))
                    (sum, total) = (sum + code, total + 1)
                    guard component == 0 else { continue }
                    let column = x * Self.waveColumns / reader.width
                    let level = Self.level(code, reader.depth) * Self.waveLevels / 256
                    let place = column * Self.waveLevels + level
                    if waveform[place] < .max { waveform[place] += 1 }
                }
            }
            histogram.append(counts)
            ends.append((least, most, Double(sum) / Double(max(1, total))))
        }
        (self.histogram, self.ends, self.waveform) = (histogram, ends, waveform)
        let columns = min(reader.width, Self.widest)
        let rows = min(reader.height, max(1, reader.height * columns / reader.width))
        (self.columns, self.rows) = (columns, rows)
        grid = (0..<reader.count).map { component in
            (0..<rows).flatMap { row in
                (0..<columns).map { column in
                    let x = (2 * column + 1) * reader.width / (2 * columns), y = (2 * row + 1) * reader.height / (2 * rows)
                    return UInt16(clamping: reader.code(component, x: x, y: y))
                }
            }
        }
    }

    /// Of 256.
    static func level(_ code: Int, _ depth: Int) -> Int { min(255, depth >= 8 ? code >> (depth - 8) : code << (8 - depth)) }

    /// Whether both looked at the same codes.
    public static func == (a: FrameLevels, b: FrameLevels) -> Bool {
        a.depth == b.depth && a.names == b.names && a.histogram == b.histogram && a.waveform == b.waveform && a.grid == b.grid
            && a.columns == b.columns
    }

    /// The codes at a place, both 0...1 from the top left.
    public func codes(x: Double, y: Double) -> [Int] {
        guard x.isFinite, y.isFinite else { return [] }
        let column = min(columns - 1, max(0, Int(x * Double(columns)))), row = min(rows - 1, max(0, Int(y * Double(rows))))
        return grid.map { Int($0[row * columns + column]) }
    }

    /// A component as a grey image of the grid's size; black where there is none.
    public func plane(_ component: Int) -> RasterImage {
        guard grid.indices.contains(component) else { return RasterImage(width: columns, height: rows) }
        return RasterImage(
            width: columns, height: rows,
            pixels: grid[component].map {
                let level = UInt8(Self.level(Int($0), depth))
                return RasterImage.rgb(level, level, level)
            })
    }
}
