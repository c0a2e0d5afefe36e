public import AetherCore
import AetherRender
import Glibc

/// The cost of a frame in one renderer: its bytes, the time that it takes, and how near the result comes to the frame.
public struct RendererCost: Sendable, Equatable {
    /// The renderer's name on the command line.
    public let name: String
    /// Bytes of the frame, all of it anew.
    public let bytes: Int
    /// The time that encoding took.
    public let time: TimeSpan
    /// Peak signal to noise in dB against the frame in as many pixels as the terminal has; nil: exact.
    public let psnr: Double?
}

extension RendererCost {
    /// The renderers that are set side by side: two and eight pixels a cell, a palette, and all colours.
    private static let renderers: [EncoderChoice.Renderer] = [.halfblock, .octant, .sixel, .kitty]
    /// Pixels of a cell.
    private static let cell = PixelSize(width: 8, height: 16)

    /// Encodes a frame of the terminal's pixels once with each renderer. Takes some milliseconds; not for a thread that draws.
    static func measure(_ image: RasterImage, time: any TimeSource = SystemTime()) -> [RendererCost] {
        let cells = CellSize(columns: image.width / cell.width, rows: image.height / cell.height)
        guard cells.columns > 0, cells.rows > 0 else { return [] }
        // Whole cells: else the edges would count as errors.
        let size = PixelSize(width: cells.columns * cell.width, height: cells.rows * cell.height)
        let frame = image.size == size ? image : image.scaled(to: size)
        return renderers.map { renderer in
            let output = FrameOutput(
                EncoderChoice(renderer: renderer, depth: .trueColor), traits: DisplayTraits(depth: .trueColor, isUTF8: true))
            var composer = FrameComposer(
                output: output, depth: .trueColor, cells: cells, cellAspect: Double(cell.width) / Double(cell.height),
                cellPixels: cell)
            // As the player has it: the decoder's scaler brings a frame to the renderer's own raster.
            composer.show(frame.scaled(to: composer.layout.box))
            let begin = time.now(), bytes = composer.compose(exactly: true).count, end = time.now()
            return RendererCost(
                name: renderer.rawValue, bytes: bytes, time: end - begin,
                psnr: composer.drawn.flatMap { psnr(of: $0, plus: composer.statistics.squaredError, against: frame) })
        }
    }

    /// Of what is lost in the renderer's raster, whose pixels are means of the frame's, and of what it misses there. nil: nothing is lost.
    static func psnr(of drawn: RasterImage, plus missed: Int, against frame: RasterImage) -> Double? {
        guard drawn.width > 0, drawn.height > 0, frame.width > 0, frame.height > 0 else { return nil }
        var sum = Double(missed) * Double(frame.width * frame.height) / Double(drawn.width * drawn.height)
        for y in 0..<frame.height {
            let row = y * drawn.height / frame.height * drawn.width
            for x in 0..<frame.width {
                let a = frame.pixels[y * frame.width + x], b = drawn.pixels[row + x * drawn.width / frame.width]
                for shift: UInt32 in [0, 8, 16] {
                    let difference = Double(Int(a >> shift & 255) - Int(b >> shift & 255))
                    sum += difference * difference
                }
            }
        }
        let mean = sum / Double(3 * frame.width * frame.height)
        return mean > 0 ? 10 * log10(255 * 255 / mean) : nil
    }
}
