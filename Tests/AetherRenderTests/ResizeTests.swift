import AetherCore
import AetherTestSupport
import Testing

@testable import AetherRender

/// A window that is dragged shows what a window that was opened in that size shows: nothing of the former sizes is left.
struct ResizeTests {
    enum Way: CaseIterable, Sendable {
        case halfBlock, sixel, sixelAboveTheBottom, kittyShared, kittyWithEdits, kittyWithoutEdits, kittyInTmux, inline
    }

    @Test(arguments: Way.allCases) func whatIsSeenAfterResizesIsWhatAFreshStartShows(_ way: Way) {
        var random = SeededRandom(seed: 20)
        for round in 0..<12 {
            let cell = [PixelSize(width: 4, height: 6), PixelSize(width: 5, height: 9)][random.below(2)]
            let shapes = [PixelSize(width: 16, height: 9), PixelSize(width: 4, height: 3), PixelSize(width: 3, height: 5)]
            var video = shapes[random.below(3)]
            var scene = Scene(&random, cell: cell)
            var rig = ComposerRig(way, scene)
            rig.show(scene, image: scene.image(of: video, in: rig.box))
            rig.show(scene, image: nil)
            for turn in 0..<4 {
                let before = scene.size
                // Another video, in the same window.
                if random.below(3) == 0 {
                    video = shapes[random.below(3)]
                    rig.show(scene, image: scene.image(of: video, in: rig.box))
                }
                scene = Scene(&random, cell: cell)
                rig.resize(scene)
                var fresh = ComposerRig(way, scene)
                // The frame of the former size is shown until the engine has one of this size.
                if random.below(3) > 0 {
                    rig.show(scene, image: scene.image(of: video, in: rig.box))
                } else {
                    rig.show(scene, image: nil)
                }
                fresh.show(scene, image: rig.image)
                let difference = Self.difference(rig.screen.seen(), fresh.screen.seen())
                #expect(
                    difference == nil, "round \(round).\(turn), \(before) -> \(scene.size), cell \(cell): \(difference ?? "")")
                #expect(rig.faults == [])
                if difference != nil { return }
                // A pane comes and goes.
                scene.cover(&random)
                rig.show(scene, image: nil)
                fresh = ComposerRig(way, scene)
                fresh.show(scene, image: rig.image)
                let uncovered = Self.difference(rig.screen.seen(), fresh.screen.seen())
                #expect(uncovered == nil, "round \(round).\(turn), pane at \(scene.size), cell \(cell): \(uncovered ?? "")")
                if uncovered != nil { return }
            }
        }
    }

    /// The raster that the engine makes for a new size is not always the size that the former frame was brought to: a row or a column less is usual.
    @Test(arguments: Way.allCases) func anImageThatIsAFewPixelsSmallerLeavesNothingOfTheFormer(_ way: Way) {
        var random = SeededRandom(seed: 21)
        for round in 0..<12 {
            let cell = [PixelSize(width: 4, height: 6), PixelSize(width: 5, height: 9)][random.below(2)]
            var scene = Scene(&random, cell: cell)
            scene.uncover()
            var rig = ComposerRig(way, scene), fresh = ComposerRig(way, scene)
            let large = scene.image(of: PixelSize(width: 16, height: 9), in: rig.box)
            let less = PixelSize(width: max(1, large.width - random.below(2)), height: max(1, large.height - 1 - random.below(2)))
            let small = large.sampled(to: less)
            rig.show(scene, image: large)
            rig.show(scene, image: small)
            fresh.show(scene, image: small)
            let difference = Self.difference(rig.screen.seen(), fresh.screen.seen())
            #expect(difference == nil, "round \(round), \(large.size) -> \(less), cell \(cell): \(difference ?? "")")
            if difference != nil { return }
        }
    }

    /// The first pixel in which two images differ, and their number; nil where they are the same.
    private static func difference(_ one: RasterImage, _ other: RasterImage) -> String? {
        guard one.size == other.size else { return "\(one.size) and \(other.size)" }
        let places = one.pixels.indices.filter { one.pixels[$0] != other.pixels[$0] }
        guard let first = places.first else { return nil }
        let (seen, wanted) = (String(one.pixels[first], radix: 16), String(other.pixels[first], radix: 16))
        return "\(places.count) pixels, first (\(first % one.width), \(first / one.width)): \(seen) instead of \(wanted)"
    }
}

/// A size of the window, and what lies over the frame.
private struct Scene {
    let size: CellSize
    let cell: PixelSize
    private(set) var overlay: CellOverlay

    init(_ random: inout SeededRandom, cell: PixelSize) {
        size = CellSize(columns: 6 + random.below(34), rows: 4 + random.below(18))
        self.cell = cell
        overlay = CellOverlay(size)
        cover(&random)
    }

    /// A bar, a pane, both or nothing.
    mutating func cover(_ random: inout SeededRandom) {
        overlay = CellOverlay(size)
        if random.below(2) == 0 { put(CellRect(column: 0, row: size.rows - 2, columns: size.columns, rows: 2), letter: 0x62) }
        if random.below(2) == 0 {
            let column = random.below(size.columns - 3), row = random.below(size.rows - 2)
            put(CellRect(column: column, row: row, columns: 3, rows: 2), letter: 0x70)
        }
    }

    /// Nothing lies over the frame.
    mutating func uncover() { overlay = CellOverlay(size) }

    private mutating func put(_ rect: CellRect, letter: UInt32) {
        for row in rect.row..<rect.row + rect.rows {
            for column in rect.column..<rect.column + rect.columns {
                overlay.grid[column, row] = Cell(glyph: letter, foreground: .rgb(250, 250, 250), background: .rgb(0, 0, 40))
                overlay.covered[row * size.columns + column] = true
            }
        }
    }

    /// A frame of that shape as large as the box allows: stripes and blocks of few colours, so that sixel shows each as it is.
    func image(of shape: PixelSize, in box: PixelSize) -> RasterImage {
        let width = max(1, min(box.width, box.height * shape.width / shape.height))
        let height = max(1, min(box.height, width * shape.height / shape.width))
        var image = RasterImage(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                let block = (x * 7 / width + y * 5 / height) % 5
                image[x, y] = RasterImage.rgb(UInt8(51 * block), UInt8(255 - 51 * block), x % 8 < 2 ? 204 : 102)
            }
        }
        return image
    }
}

/// A composer wired to a terminal model, and driven as the present thread drives it.
private struct ComposerRig: ~Copyable {
    private var composer: FrameComposer
    private(set) var screen: VTScreen
    private(set) var image: RasterImage?
    private let isThroughTmux: Bool

    init(_ way: ResizeTests.Way, _ scene: Scene) {
        screen = VTScreen(columns: scene.size.columns, rows: scene.size.rows, cell: scene.cell)
        var traits = DisplayTraits.Kitty()
        isThroughTmux = way == .kittyInTmux
        traits.throughTmux = isThroughTmux
        let output: FrameOutput
        switch way {
        case .halfBlock: output = .cells(.halfBlock(HalfBlockRenderer(depth: .trueColor)))
        case .sixel, .sixelAboveTheBottom:
            let reserves = way == .sixelAboveTheBottom
            output = .pixels(SixelRenderer(registers: 255, limit: nil, isTmux: false, reservesBottom: reserves))
        case .inline:
            output = .pixels(InlineImageRenderer())
            screen.inline = VTInline(cells: scene.size, cell: scene.cell)
        case .kittyShared, .kittyWithEdits, .kittyWithoutEdits, .kittyInTmux:
            var kitty = VTKitty()
            let store = ScriptedPixels(slots: 6)
            kitty.hasFrameEdits = way == .kittyWithEdits
            kitty.readShared = { name in
                store.answered(name)
                return store.take(name)
            }
            traits.hasFrameEdits = kitty.hasFrameEdits
            traits.hasSharedMemory = way == .kittyShared
            screen.kitty = kitty
            for (number, scalar) in RowColumnDiacritics.scalars.enumerated() { screen.placeholderMarks[scalar] = number }
            output = .pixels(KittyRenderer(traits: traits, store: way == .kittyShared ? store : nil))
        }
        composer = FrameComposer(
            output: output, depth: .trueColor, cells: scene.size,
            cellAspect: Double(scene.cell.width) / Double(scene.cell.height),
            cellPixels: scene.cell)
    }

    /// The raster that fills the screen.
    var box: PixelSize { composer.layout.box }

    /// Everything that the terminal did not understand.
    var faults: [String] { screen.unknown + (screen.kitty?.faults ?? []) + (screen.inline?.faults ?? []) }

    /// The window gets another size.
    mutating func resize(_ scene: Scene) {
        screen.resize(columns: scene.size.columns, rows: scene.size.rows)
        composer.resize(
            scene.size, cellAspect: Double(scene.cell.width) / Double(scene.cell.height), cellPixels: scene.cell)
        composer.invalidate()
    }

    /// Shows the overlay, and another frame; nil: the same.
    mutating func show(_ scene: Scene, image: RasterImage?) {
        composer.show(scene.overlay)
        if let image {
            self.image = image
            composer.show(image)
        }
        let bytes = Array(composer.compose(exactly: true))
        let answered = screen.kitty?.answers.count ?? 0
        screen.feed(isThroughTmux ? VTTmux.unwrap(bytes) ?? [0x18] : bytes)
        for answer in (screen.kitty?.answers ?? [])[answered...] {
            let read = KittyRig.read(answer)
            composer.acknowledge(id: read.id, placement: read.placement, message: read.message)
        }
    }
}
