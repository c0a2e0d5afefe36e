import AetherCore
import AetherRender
import AetherTestSupport
import Synchronization
import Testing

/// The composer with a renderer of pixels that only notes what it is asked.
struct FrameComposerTests {
    /// Notes of one call, kept outside the renderer, which the composer owns.
    private final class Notes: Sendable {
        struct Call {
            var placement: PixelPlacement?
            var coverage: CellCoverage?
            var image: PixelSize?
            var budget: Int?
            var clears = 0
        }

        let last = Mutex(Call())
        var placement: PixelPlacement? { last.withLock { $0.placement } }
        var coverage: CellCoverage? { last.withLock { $0.coverage } }
        var image: PixelSize? { last.withLock { $0.image } }
        var budget: Int? { last.withLock { $0.budget } }
        var clears: Int { last.withLock { $0.clears } }
    }

    private struct Recorder: PixelRenderer {
        static let name = "recorder"
        let notes: Notes
        var backdrop = Cell.pixels

        mutating func encode(
            _ image: borrowing RasterImage, at placement: PixelPlacement, coverage: borrowing CellCoverage,
            quality: EncodeQuality, into buffer: inout ByteBuffer
        ) -> EncodeStats {
            let covered = copy coverage, size = image.size
            notes.last.withLock {
                $0.placement = placement
                $0.coverage = covered
                $0.image = size
                $0.budget = quality.byteBudget
            }
            // A picture: moves the cursor, paints nothing that the model shows.
            buffer.append("\u{1B}[3;3H")
            var statistics = EncodeStats()
            statistics.byteCount = 6
            return statistics
        }

        mutating func clear(into buffer: inout ByteBuffer) { notes.last.withLock { $0.clears += 1 } }
        mutating func invalidate() {}
    }

    private let size = CellSize(columns: 20, rows: 10)

    private func composer(_ notes: Notes, backdrop: Cell = .pixels) -> FrameComposer {
        FrameComposer(
            output: .pixels(Recorder(notes: notes, backdrop: backdrop)), depth: .trueColor, cells: size, cellAspect: 0.5,
            cellPixels: PixelSize(width: 8, height: 16))
    }

    private func overlay(_ text: String, column: Int, row: Int) -> CellOverlay {
        var overlay = CellOverlay(size)
        for (index, scalar) in text.unicodeScalars.enumerated() {
            overlay.grid[column + index, row] = Cell(glyph: scalar.value, background: .rgb(0, 0, 40))
            overlay.covered[row * size.columns + column + index] = true
        }
        return overlay
    }

    @Test func theFrameLiesInTheMiddleAsLargeAsTheBoxAllows() throws {
        let notes = Notes()
        var composer = composer(notes)
        #expect(composer.layout.box == PixelSize(width: 160, height: 160))
        composer.show(RasterImage(width: 160, height: 90))
        _ = composer.compose()
        var placement = try #require(notes.placement)
        #expect(placement.display == PixelSize(width: 160, height: 90))
        #expect(placement.origin == CellPosition(column: 0, row: 2))
        #expect(placement.cells == CellRect(column: 0, row: 2, columns: 20, rows: 6))
        // A raster of half the size, as on a slow link: the same place on the screen.
        composer.show(RasterImage(width: 80, height: 45))
        _ = composer.compose()
        placement = try #require(notes.placement)
        #expect(placement.display == PixelSize(width: 160, height: 90))
        #expect(notes.image == PixelSize(width: 80, height: 45))
        // The window has become smaller: what comes is cut down to it, not drawn outside.
        composer.resize(CellSize(columns: 10, rows: 5), cellAspect: 0.5, cellPixels: PixelSize(width: 8, height: 16))
        composer.show(RasterImage(width: 160, height: 90))
        _ = composer.compose()
        placement = try #require(notes.placement)
        #expect(placement.display == PixelSize(width: 80, height: 45))
        #expect(notes.image == PixelSize(width: 80, height: 45))
    }

    @Test func coveredCellsAreTextAndUncoveredOnesAreToldOnce() throws {
        let notes = Notes()
        var composer = composer(notes)
        var screen = VTScreen(columns: size.columns, rows: size.rows)
        composer.show(RasterImage(width: 160, height: 160))
        screen.feed(Array(composer.compose()))
        #expect(try #require(notes.coverage).isClear)
        composer.show(overlay("bar", column: 4, row: 9))
        screen.feed(Array(composer.compose()))
        #expect(screen.rows[9].contains("bar"))
        func states() throws -> [CellCoverage.State] {
            Array(try #require(notes.coverage).states[(9 * 20 + 3)...(9 * 20 + 8)])
        }
        #expect(try states() == [.clear, .covered, .covered, .covered, .clear, .clear])
        composer.show(overlay("ba", column: 5, row: 9))
        screen.feed(Array(composer.compose()))
        #expect(try states() == [.clear, .uncovered, .covered, .covered, .clear, .clear])
        composer.show(nil as CellOverlay?)
        screen.feed(Array(composer.compose()))
        #expect(try states() == [.clear, .clear, .uncovered, .uncovered, .clear, .clear])
        screen.feed(Array(composer.compose()))
        #expect(try #require(notes.coverage).isClear)
    }

    @Test func theCellsOfTheFrameAreLeftToThePixelsUntilItGoes() throws {
        let notes = Notes()
        var composer = composer(notes)
        composer.show(RasterImage(width: 160, height: 80))
        // Five rows of picture, five of ground: only those are drawn, one space each.
        let ground = Array(composer.compose()).count { $0 == 0x20 }
        #expect(ground == 5 * 20)
        // Nothing of the text has changed, so only the renderer's own bytes go out.
        #expect(Array(composer.compose()) == Array("\u{1B}[3;3H".utf8))
        composer.show(nil as RasterImage?)
        let uncovered = Array(composer.compose()).count { $0 == 0x20 }
        #expect(uncovered == 5 * 20)
        #expect(notes.clears == 1)
    }

    @Test func aRendererThatTakesOverShowsTheFrameThatStood() throws {
        let notes = Notes()
        var composer = composer(notes), screen = VTScreen(columns: size.columns, rows: size.rows)
        let (red, blue) = (RasterImage.rgb(255, 0, 0), RasterImage.rgb(0, 0, 255))
        var image = RasterImage(width: 80, height: 40, fill: red)
        for y in 0..<40 { for x in 40..<80 { image[x, y] = blue } }
        composer.show(image)
        screen.feed(Array(composer.compose()))
        #expect(try #require(notes.placement).display == PixelSize(width: 160, height: 80))
        // Cells of 1 x 2 pixels, where a frame of half the size stood.
        composer.change(to: .cells(.halfBlock(HalfBlockRenderer(depth: .trueColor))))
        screen.feed(Array(composer.compose(exactly: true)))
        let shown = screen.pixels()
        #expect(shown[9, 10] == red && shown[10, 10] == blue)
        let black = RasterImage.rgb(0, 0, 0)
        #expect(shown[0, 3] == black && shown[0, 4] == red && shown[19, 13] == blue && shown[19, 14] == black)
        composer.change(to: .pixels(Recorder(notes: notes)))
        _ = composer.compose()
        #expect(try #require(notes.placement).display == PixelSize(width: 160, height: 80))
        #expect(notes.clears == 1)
    }

    @Test func cellsOfASmallerWindowShowTheWholeFrame() {
        var composer = FrameComposer(
            output: .cells(.halfBlock(HalfBlockRenderer(depth: .trueColor))), depth: .trueColor,
            cells: CellSize(columns: 20, rows: 10), cellAspect: 0.5)
        let (red, blue) = (RasterImage.rgb(255, 0, 0), RasterImage.rgb(0, 0, 255))
        var image = RasterImage(width: 20, height: 10, fill: red)
        for y in 0..<10 { for x in 10..<20 { image[x, y] = blue } }
        composer.show(image)
        _ = composer.compose()
        composer.resize(CellSize(columns: 10, rows: 5), cellAspect: 0.5)
        var screen = VTScreen(columns: 10, rows: 5)
        screen.feed(Array(composer.compose(exactly: true)))
        let shown = screen.pixels()
        #expect((0..<10).map { shown[$0, 3] } == [red, red, red, red, red, blue, blue, blue, blue, blue])
        #expect(shown[0, 0] == RasterImage.rgb(0, 0, 0))
    }

    @Test func textTakesItsShareOfTheBudgetFirst() throws {
        let notes = Notes()
        var composer = composer(notes)
        composer.show(RasterImage(width: 160, height: 160))
        _ = composer.compose(byteBudget: 5000)
        let bare = try #require(notes.budget)
        composer.show(overlay("a long line", column: 1, row: 1))
        let bytes = composer.compose(byteBudget: 5000).count
        #expect(try #require(notes.budget) == 5000 - (bytes - 6))
        #expect(bare > 4900)
    }

    @Test func aCursorThatTheRendererMovedIsNotTrusted() {
        let notes = Notes()
        var composer = composer(notes)
        var screen = VTScreen(columns: size.columns, rows: size.rows)
        composer.show(RasterImage(width: 160, height: 160))
        for row in [2, 3, 2, 7] {
            composer.show(overlay("x", column: 2, row: row))
            screen.feed(Array(composer.compose()))
            #expect(Array(screen.rows[row])[2] == "x")
        }
    }
}
