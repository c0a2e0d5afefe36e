import AetherCore
import AetherTestSupport
import Testing

@testable import AetherRender

@Suite struct ImageInsetTests {
    private let red = RasterImage.rgb(200, 0, 0), blue = RasterImage.rgb(0, 0, 200), black = RasterImage.rgb(0, 0, 0)

    private func composer(_ renderer: EncoderChoice.Renderer) -> FrameComposer {
        FrameComposer(
            output: FrameOutput(
                EncoderChoice(renderer: renderer, depth: .trueColor), traits: DisplayTraits(depth: .trueColor, isUTF8: true)),
            depth: .trueColor, cells: CellSize(columns: 40, rows: 20), cellAspect: 0.5,
            cellPixels: PixelSize(width: 8, height: 16))
    }

    @Test(arguments: [EncoderChoice.Renderer.halfblock, .octant, .braille, .kitty, .sixel, .iterm2])
    func liesInTheFrameOfEveryRenderer(renderer: EncoderChoice.Renderer) throws {
        var composer = composer(renderer)
        let box = composer.layout.box
        composer.show(RasterImage(width: box.width, height: box.height, fill: red))
        composer.show(
            ImageInset(
                image: RasterImage(width: 32, height: 18, fill: blue), rect: CellRect(column: 10, row: 4, columns: 20, rows: 6)))
        _ = composer.compose(exactly: true)
        let image = composer.drawn, cell = composer.layout.pixelsPerCell
        let drawn = try #require(image)
        #expect(drawn.size == box)
        for (column, row) in [(9, 5), (30, 5), (15, 3), (15, 10)] {
            #expect(drawn[column * cell.width + cell.width / 2, row * cell.height + cell.height / 2] == red)
        }
        for (column, row) in [(10, 4), (29, 9), (20, 6)] {
            #expect(drawn[column * cell.width + cell.width / 2, row * cell.height + cell.height / 2] == blue)
        }
        composer.show(nil as ImageInset?)
        _ = composer.compose(exactly: true)
        let bare = composer.drawn
        #expect(bare?.pixels.allSatisfy { $0 == red } == true)
    }

    /// Where no film plays, two black pixels stand in for one; and a film may be a small one.
    @Test(
        arguments: [EncoderChoice.Renderer.kitty, .sixel, .iterm2],
        [PixelSize(width: 2, height: 2), PixelSize(width: 64, height: 64)])
    func isAsFineAsItWasOverACoarseFrame(renderer: EncoderChoice.Renderer, size: PixelSize) throws {
        var composer = composer(renderer)
        composer.show(RasterImage(width: size.width, height: size.height, fill: red))
        var small = RasterImage(width: 160, height: 96, fill: blue)
        for y in 0..<96 { for x in 0..<80 { small[x, y] = black } }
        composer.show(ImageInset(image: small, rect: CellRect(column: 10, row: 4, columns: 20, rows: 6)))
        _ = composer.compose(exactly: true)
        let image = composer.drawn
        let drawn = try #require(image), cell = composer.layout.pixelsPerCell, box = composer.layout.box
        #expect(drawn.size == box)
        func pixel(_ column: Int, _ row: Int) -> UInt32 { drawn[column * cell.width + 2, row * cell.height + 2] }
        #expect(pixel(10, 4) == black && pixel(19, 9) == black && pixel(20, 4) == blue && pixel(29, 9) == blue)
    }

    @Test(arguments: [EncoderChoice.Renderer.halfblock, .kitty]) func mayLieBesideAFlatPicture(renderer: EncoderChoice.Renderer)
        throws
    {
        var composer = composer(renderer)
        let box = composer.layout.box, cell = composer.layout.pixelsPerCell
        // The picture leaves the five rows at the bottom free.
        composer.show(RasterImage(width: box.width, height: 10 * cell.height, fill: red))
        composer.show(
            ImageInset(
                image: RasterImage(width: 32, height: 18, fill: blue), rect: CellRect(column: 10, row: 12, columns: 20, rows: 6)))
        _ = composer.compose(exactly: true)
        let image = composer.drawn
        let drawn = try #require(image)
        func pixel(_ column: Int, _ row: Int) -> UInt32 { drawn[column * cell.width, row * cell.height] }
        #expect(drawn.size == box)
        #expect(
            pixel(12, 17) == blue && pixel(12, 13) == blue && pixel(2, 6) == red && pixel(2, 18) == black && pixel(2, 2) == black)
    }

    @Test func theCellsOnTheScreenAreTheInsets() throws {
        var composer = composer(.halfblock), screen = VTScreen(columns: 40, rows: 20)
        let box = composer.layout.box
        composer.show(RasterImage(width: box.width, height: box.height, fill: red))
        composer.show(
            ImageInset(
                image: RasterImage(width: 4, height: 4, fill: blue), rect: CellRect(column: 0, row: 10, columns: 8, rows: 4)))
        screen.feed(Array(composer.compose(exactly: true)))
        #expect(screen[3, 12].background == .rgb(0, 0, 200) && screen[20, 12].background == .rgb(200, 0, 0))
    }

    @Test func oneThatDoesNotFitIsLeftOut() {
        var composer = composer(.kitty)
        composer.show(RasterImage(width: 320, height: 320, fill: red))
        for rect in [CellRect(column: 39, row: 0, columns: 2, rows: 2), CellRect(column: -1, row: 0, columns: 2, rows: 2)] {
            composer.show(ImageInset(image: RasterImage(width: 4, height: 4, fill: blue), rect: rect))
            _ = composer.compose()
            let drawn = composer.drawn
            #expect(drawn?.pixels.contains(blue) == false)
        }
    }
}
