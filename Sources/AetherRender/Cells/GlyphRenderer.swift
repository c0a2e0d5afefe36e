public import AetherCore

/// Shows four, six or eight pixels a cell with two colours: the glyph and the colours that come nearest to the pixels.
///
/// The full block is never used where there are colours, nor where reverse video can stand for it: in many fonts it leaves seams.
public struct GlyphRenderer: CellRenderer {
    /// The terminal's own colours, which count where it has no others.
    public enum Ground: Sendable {
        /// Light text on a dark screen.
        case dark
        /// Dark text on a light screen.
        case light
    }

    /// The glyphs in use.
    public let glyphs: GlyphSet
    /// The name on the command line: that of the glyphs.
    public var name: String { glyphs.rawValue }
    /// The parts of one glyph.
    public var pixelsPerCell: PixelSize { glyphs.parts }

    private let depth: ColourDepth
    private let ground: Ground
    private let scalars: [UInt32]
    private let thresholds = OrderedDither.thresholds
    private var palette: PalettePair

    /// A renderer for a terminal of the given depth.
    public init(_ glyphs: GlyphSet, depth: ColourDepth, ground: Ground = .dark) {
        self.glyphs = glyphs
        self.depth = depth
        self.ground = ground
        scalars = glyphs.scalars
        palette = PalettePair(depth: depth)
    }

    /// Draws an image of `pixelsPerCell` pixels a cell, clipped to the grid: for each cell the glyph and the two colours with the
    /// least error.
    public mutating func draw(_ image: RasterImage, at origin: CellPosition, into grid: inout CellGrid) {
        let clip = CellClip(
            grid.size, origin: origin, width: (image.width + 1) / 2, height: (image.height + glyphs.rows - 1) / glyphs.rows)
        guard !clip.columns.isEmpty, !clip.rows.isEmpty else { return }
        let stride = grid.size.columns
        grid.cells.withUnsafeMutableBufferPointer { cells in
            image.pixels.withUnsafeBufferPointer { pixels in
                guard let first = pixels.baseAddress else { return }
                let sampler = CellSampler(first, size: image.size, origin: origin, rows: glyphs.rows)
                for row in clip.rows {
                    switch depth {
                    case .trueColor:
                        for column in clip.columns {
                            cells[row * stride + column] = trueColour(sampler.cell(column: column, row: row))
                        }
                    case .indexed256, .indexed16:
                        for column in clip.columns {
                            cells[row * stride + column] = indexed(sampler.cell(column: column, row: row))
                        }
                    case .mono:
                        for column in clip.columns {
                            let cell = sampler.cell(column: column, row: row)
                            cells[row * stride + column] = mono(cell, column: column, row: row)
                        }
                    }
                }
            }
        }
    }

    @inline(__always) private func trueColour(_ pixels: CellPixels) -> Cell {
        let split = CellSplit(pixels)
        return Cell(
            glyph: scalars[Int(split.mask)], foreground: CellColor(packed: 0x0100_0000 | split.foreground),
            background: CellColor(packed: 0x0100_0000 | split.background), style: .video)
    }

    private mutating func indexed(_ pixels: CellPixels) -> Cell {
        let choice = palette.choose(pixels)
        return Cell(
            glyph: choice.quarters > 0 ? PaletteMix.shade(choice.quarters) : scalars[Int(choice.mask)],
            foreground: .indexed(choice.foreground),
            background: .indexed(choice.background), style: .video)
    }

    private func mono(_ pixels: CellPixels, column: Int, row: Int) -> Cell {
        let luma = pixels.red * 0.2126 + pixels.green * 0.7152 + pixels.blue * 0.0722
        var mask: UInt32 = 0
        for lane in 0..<pixels.count {
            let place = (glyphs.rows * row + lane >> 1) & 7, side = (2 * column + lane & 1) & 7
            // The middle of the threshold's 64th of 256.
            if luma[lane] > Float(thresholds[place << 3 | side]) * 4 + 2 { mask |= 1 << UInt32(lane) }
        }
        let full: UInt32 = 1 << UInt32(pixels.count) - 1
        if ground == .light { mask ^= full }
        if mask == full, glyphs.isSolid { return Cell(glyph: 0x20, style: [.video, .reverse]) }
        return Cell(glyph: scalars[Int(mask)], style: .video)
    }
}
