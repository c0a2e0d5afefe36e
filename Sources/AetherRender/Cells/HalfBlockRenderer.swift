public import AetherCore

/// Two pixels a cell, one above the other, as the colours of an upper half block; with 256 colours shades mix two of them. Without colours, four
/// patterns of blocks in the terminal's own foreground, dithered (that is light text on a dark screen).
public struct HalfBlockRenderer: CellRenderer {
    /// The name on the command line.
    public static let name = "halfblock"
    /// The upper and the lower half of a cell.
    public static let pixelsPerCell = PixelSize(width: 1, height: 2)

    private let depth: ColourDepth
    private var shades = ShadeMix()
    private var ansi = ANSIDither()
    private let thresholds = OrderedDither.thresholds

    /// The name on the command line.
    public var name: String { Self.name }
    /// One column of two pixels.
    public var pixelsPerCell: PixelSize { Self.pixelsPerCell }

    /// A renderer for a terminal of the given depth.
    public init(depth: ColourDepth) { self.depth = depth }

    /// Draws an image of two lines a cell, clipped to the grid.
    public mutating func draw(_ image: RasterImage, at origin: CellPosition, into grid: inout CellGrid) {
        let clip = CellClip(grid.size, origin: origin, width: image.width, height: (image.height + 1) / 2)
        guard !clip.columns.isEmpty, !clip.rows.isEmpty else { return }
        let stride = grid.size.columns
        grid.cells.withUnsafeMutableBufferPointer { cells in
            image.pixels.withUnsafeBufferPointer { pixels in
                for row in clip.rows {
                    let y = (row - origin.row) * 2
                    let top = y * image.width - origin.column
                    // An odd last line stands over its own copy, not over black.
                    let bottom = y + 1 < image.height ? top + image.width : top
                    let line = row * stride
                    switch depth {
                    case .trueColor:
                        for column in clip.columns {
                            cells[line + column] = Self.block(Self.rgb(pixels[top + column]), Self.rgb(pixels[bottom + column]))
                        }
                    case .indexed256:
                        for column in clip.columns {
                            cells[line + column] = shades.cell(pixels[top + column], pixels[bottom + column])
                        }
                    case .indexed16:
                        for column in clip.columns {
                            cells[line + column] = Self.block(
                                .indexed(ansi.index(pixels[top + column], x: column, y: 2 * row)),
                                .indexed(ansi.index(pixels[bottom + column], x: column, y: 2 * row + 1)))
                        }
                    case .mono:
                        for column in clip.columns {
                            cells[line + column] = monoCell(pixels[top + column], pixels[bottom + column], column, row)
                        }
                    }
                }
            }
        }
    }

    @inline(__always) private static func block(_ top: CellColor, _ bottom: CellColor) -> Cell {
        Cell(glyph: 0x2580, foreground: top, background: bottom, style: CellStyle(rawValue: 0x8000))
    }

    /// 0xAABBGGRR to a cell's colour.
    @inline(__always) private static func rgb(_ pixel: UInt32) -> CellColor {
        CellColor(packed: 0x0100_0000 | pixel.byteSwapped >> 8)
    }

    private func monoCell(_ top: UInt32, _ bottom: UInt32, _ column: Int, _ row: Int) -> Cell {
        let upper = isLit(top, x: column, y: 2 * row), lower = isLit(bottom, x: column, y: 2 * row + 1)
        let glyph: UInt32 = upper ? (lower ? 0x2588 : 0x2580) : (lower ? 0x2584 : 0x20)
        return Cell(glyph: glyph, style: CellStyle(rawValue: 0x8000))
    }

    @inline(__always) private func isLit(_ pixel: UInt32, x: Int, y: Int) -> Bool {
        let luma = lumaOf(red: pixel & 255, green: pixel >> 8 & 255, blue: pixel >> 16 & 255)
        // (2t + 1)·2 is the middle of the threshold's 64th of 256.
        return luma > UInt32(thresholds[(y & 7) << 3 | x & 7]) * 4 + 2
    }
}
