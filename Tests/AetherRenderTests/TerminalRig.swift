import AetherCore
import AetherRender
import AetherTestSupport

/// An encoder wired to a terminal model.
struct TerminalRig {
    var diff: CellDiff
    var screen: VTScreen
    private(set) var bytes: [UInt8] = []
    private let depth: ColourDepth

    init(columns: Int, rows: Int, depth: ColourDepth = .trueColor) {
        self.depth = depth
        diff = CellDiff(depth: depth)
        screen = VTScreen(columns: columns, rows: rows)
    }

    /// Encodes and shows a grid; `bytes` then holds what was sent.
    @discardableResult
    mutating func show(_ grid: CellGrid, _ quality: EncodeQuality = .exact, video: CellFrame? = nil) -> EncodeStats {
        var buffer = ByteBuffer()
        let stats = diff.encode(grid, video: video, quality: quality, into: &buffer)
        bytes = buffer.withUnsafeBytes { Array($0) }
        screen.feed(bytes)
        return stats
    }

    /// Draws a picture with a family of glyphs from the top left corner on, encodes and shows it.
    @discardableResult
    mutating func show(_ image: RasterImage, _ glyphs: GlyphSet, _ quality: EncodeQuality = .exact) -> EncodeStats {
        var renderer = GlyphRenderer(glyphs, depth: depth)
        var grid = CellGrid(screen.size)
        let origin = CellPosition(column: 0, row: 0)
        renderer.draw(image, at: origin, into: &grid)
        return show(grid, quality, video: CellFrame(image, at: origin, glyphs: glyphs))
    }
}

/// The grid that a half-block picture gives.
func frameGrid(_ image: RasterImage, depth: ColourDepth = .trueColor) -> CellGrid {
    var grid = CellGrid(CellSize(columns: image.width, rows: (image.height + 1) / 2))
    var renderer = HalfBlockRenderer(depth: depth)
    renderer.draw(image, at: CellPosition(column: 0, row: 0), into: &grid)
    return grid
}

/// Cells of all kinds: pictures, text with every attribute, wide characters whole and cut, colours of every kind.
func randomGrid(_ size: CellSize, _ random: inout SeededRandom) -> CellGrid {
    var grid = CellGrid(size)
    let glyphs: [UInt32] = [0x20, 0x41, 0x7A, 0xE9, 0x2502, 0x2588, 0x4E2D, 0x1F600, 0, 0x1B, 0x9B, 0x301, 0x2584]
    func colour(_ random: inout SeededRandom) -> CellColor {
        switch random.below(4) {
        case 0: .terminalDefault
        case 1: .indexed(UInt8(random.below(256)))
        default: .rgb(UInt8(random.below(3) * 100), UInt8(random.below(3) * 100), UInt8(random.below(256)))
        }
    }
    for index in grid.cells.indices {
        let isPicture = random.below(2) == 0
        grid.cells[index] = Cell(
            glyph: isPicture ? [0x2580, 0x2584, 0x2588, 0x20][random.below(4)] : glyphs[random.below(glyphs.count)],
            foreground: colour(&random), background: colour(&random),
            style: CellStyle(rawValue: isPicture ? 0x8000 : UInt16(random.below(4) == 0 ? random.below(32) : 0)))
        if grid.cells[index].glyph == 0x4E2D, random.below(4) > 0, index + 1 < grid.cells.count {
            grid.cells[index + 1] = grid.cells[index]
            grid.cells[index + 1].glyph = 0
        }
    }
    return grid
}
