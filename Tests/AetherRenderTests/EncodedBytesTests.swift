import AetherCore
import AetherRender
import AetherTestSupport
import Testing

/// The bytes themselves: tiny frames by heart, film by the byte.
@Suite struct EncodedBytesTests {
    private let red = RasterImage.rgb(255, 0, 0), blue = RasterImage.rgb(0, 0, 255)

    @Test func halfBlockRedToBlue() {
        var rig = TerminalRig(columns: 3, rows: 2)
        rig.show(pictureGrid(RasterImage(width: 3, height: 4, fill: red)))
        let keyframe = rig.bytes
        var half = RasterImage(width: 3, height: 4, fill: red)
        half[1, 1] = blue
        half[2, 3] = blue
        rig.show(pictureGrid(half))
        expectGolden(keyframe + Array("\n--- delta\n".utf8) + rig.bytes, "half-block-red-to-blue")
    }

    @Test func textWithAttributes() {
        var grid = CellGrid(CellSize(columns: 8, rows: 2))
        CellText.put("bold", into: &grid, at: CellPosition(column: 0, row: 0), like: Cell(foreground: .indexed(9), style: .bold))
        CellText.put("line", into: &grid, at: CellPosition(column: 4, row: 0), like: Cell(background: .indexed(200), style: .underline))
        CellText.put("中é", into: &grid, at: CellPosition(column: 2, row: 1), like: Cell(style: [.dim, .reverse, .italic]))
        var rig = TerminalRig(columns: 8, rows: 2)
        rig.show(grid)
        expectGolden(rig.bytes, "text-with-attributes")
    }

    @Test func sixteenColours() {
        var image = RasterImage(width: 2, height: 2, fill: red)
        image[1, 0] = RasterImage.rgb(255, 255, 255)
        image[1, 1] = RasterImage.rgb(0, 0, 0)
        var rig = TerminalRig(columns: 2, rows: 1, depth: .indexed16)
        rig.show(pictureGrid(image, depth: .indexed16))
        expectGolden(rig.bytes, "sixteen-colours")
    }

    @Test func takesTheShortestCursorMove() {
        var grid = CellGrid(CellSize(columns: 300, rows: 3))
        var rig = TerminalRig(columns: 300, rows: 3)
        rig.show(grid)
        for (column, row) in [(0, 0), (1, 0), (3, 0), (299, 0), (0, 1), (150, 2)] { grid[column, row].glyph = 0x78 }
        rig.show(grid)
        #expect(visible(rig.bytes) == "␛[Hxx␛[Cx␛[295Cx^M^J\nx␛[3;151Hx")
    }

    /// Bytes of 24 frames of synthetic film of 80×22 cells. Raise a limit only with a reason; lower it when it gets better.
    @Test(arguments: [(0.0, 55_400, Double.infinity), (2.0, 23_200, 42.0), (6.0, 11_800, 37.0)])
    func filmStaysWithinItsBytes(lambda: Double, limit: Int, decibels: Double) {
        let frames = SyntheticFrames(width: 80, height: 44, seed: 7)
        var rig = TerminalRig(columns: 80, rows: 22)
        var bytes = 0, error = 0
        for index in 0..<24 {
            let stats = rig.show(pictureGrid(frames.film(index)), EncodeQuality(lambda: lambda))
            bytes += stats.byteCount
            error += stats.squaredError
        }
        let mean = Double(error) / Double(24 * 80 * 44 * 3)
        #expect(bytes / 24 <= limit)
        // 10^(-dB/10) × 255² is the mean squared error allowed.
        #expect(decibels.isInfinite ? error == 0 : mean <= 255 * 255 * power(decibels))
    }

    /// 10^(-decibels/10) without a mathematics library: decibels are whole numbers here.
    private func power(_ decibels: Double) -> Double {
        (0..<Int(decibels)).reduce(1.0) { value, _ in value * 0.794328234724282 }
    }
}
