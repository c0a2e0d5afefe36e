public import AetherCore

/// One ASCII glyph a cell, denser where the frame is lighter, in the frame's colour where the terminal has colours. For
/// terminals and fonts without blocks; meant for light text on a dark screen.
public struct AsciiRenderer: CellRenderer {
    /// The name on the command line.
    public static let name = "ascii"
    /// Two lines, averaged: cells are about twice as high as wide, so this is the frame's own shape.
    public static let pixelsPerCell = PixelSize(width: 1, height: 2)

    /// From dark to light by inked area in common fonts.
    private static let ramp: [UInt8] = Array(" .'`,:-~+=;!*ixcsvJCLzYUXZ0OQmwqpdbkhao#MW&8%B@$".utf8)
    /// For each luma the glyph in 24-bit and mono, and the colour to show it in: the ramp alone cannot show dark detail, so where
    /// there is colour the glyph says luma and the foreground is lifted to full value.
    private let glyphs: [UInt8]
    private let depth: ColourDepth

    /// The name on the command line.
    public var name: String { Self.name }
    /// One column of two lines.
    public var pixelsPerCell: PixelSize { Self.pixelsPerCell }

    /// A renderer for a terminal of the given depth.
    public init(depth: ColourDepth) {
        self.depth = depth
        let ramp = Self.ramp
        glyphs = (0..<256).map { ramp[$0 * (ramp.count - 1) / 255] }
    }

    /// Draws an image of `pixelsPerCell` pixels a cell, clipped to the grid.
    public mutating func draw(_ image: RasterImage, at origin: CellPosition, into grid: inout CellGrid) {
        let clip = CellClip(grid.size, origin: origin, width: image.width, height: (image.height + 1) / 2)
        guard !clip.columns.isEmpty, !clip.rows.isEmpty else { return }
        let stride = grid.size.columns
        grid.cells.withUnsafeMutableBufferPointer { cells in
            image.pixels.withUnsafeBufferPointer { pixels in
                for row in clip.rows {
                    let y = (row - origin.row) * 2
                    let top = y * image.width - origin.column
                    let bottom = y + 1 < image.height ? top + image.width : top
                    for column in clip.columns {
                        // The mean of two pixels, channel by channel, without leaving the word.
                        let a = pixels[top + column], b = pixels[bottom + column]
                        cells[row * stride + column] = cell((a & b) &+ ((a ^ b) & 0xFEFE_FEFE) >> 1)
                    }
                }
            }
        }
    }

    private func cell(_ pixel: UInt32) -> Cell {
        let red = pixel & 255, green = pixel >> 8 & 255, blue = pixel >> 16 & 255
        let glyph = UInt32(glyphs[Int(lumaOf(red: red, green: green, blue: blue))])
        return Cell(glyph: glyph, foreground: colour(red, green, blue), style: CellStyle(rawValue: 0x8000))
    }

    /// Half way from the pixel's colour to the same hue at full value; in steps of 16, for the ink hides finer ones and each
    /// change costs bytes.
    private func colour(_ red: UInt32, _ green: UInt32, _ blue: UInt32) -> CellColor {
        let peak = max(red, green, blue, 1)
        func lifted(_ channel: UInt32) -> UInt8 {
            let value = (channel + channel * 255 / peak) / 2
            return UInt8(truncatingIfNeeded: min(255, (value + 8) & ~15))
        }
        switch depth {
        case .mono: return .terminalDefault
        case .trueColor: return .rgb(lifted(red), lifted(green), lifted(blue))
        case .indexed256:
            return .indexed(Xterm256.nearest(red: lifted(red), green: lifted(green), blue: lifted(blue)))
        case .indexed16:
            // Black ink on black would hide the glyph: the darkest is the grey.
            let index = Xterm256.nearestANSI(red: lifted(red), green: lifted(green), blue: lifted(blue))
            return .indexed(index == 0 ? 8 : index)
        }
    }
}
