public import AetherCore

extension VTScreen {
    /// The screen in parts of cells, two columns and `rows` rows a cell, of all block glyphs and braille (whose dots count as whole
    /// parts). `foreground` and `background` stand for the terminal's own colours; other glyphs show as their background.
    public func parts(
        rows: Int, foreground: UInt32 = RasterImage.rgb(229, 229, 229), background: UInt32 = RasterImage.rgb(0, 0, 0)
    ) -> RasterImage {
        var image = RasterImage(width: size.columns * 2, height: size.rows * rows)
        for row in 0..<size.rows {
            for column in 0..<size.columns {
                let cell = self[column, row]
                let (fore, back) = colours(of: cell, foreground: foreground, background: background)
                for part in 0..<2 * rows {
                    let inked = Self.isInked(cell.scalar, part: part, rows: rows)
                    image[2 * column + part % 2, row * rows + part / 2] = inked ? fore : back
                }
            }
        }
        return image
    }

    /// The screen as drawn with cells of so many pixels. A braille dot covers the middle quarter of its part.
    public func display(
        cell: PixelSize, foreground: UInt32 = RasterImage.rgb(229, 229, 229), background: UInt32 = RasterImage.rgb(0, 0, 0)
    ) -> RasterImage {
        var image = RasterImage(width: size.columns * cell.width, height: size.rows * cell.height)
        for row in 0..<size.rows {
            for column in 0..<size.columns {
                let glyph = self[column, row]
                let (fore, back) = colours(of: glyph, foreground: foreground, background: background)
                let parts = BlockGlyphs.parts(of: glyph.scalar) ?? 0, dots = BlockGlyphs.dots(of: glyph.scalar)
                for y in 0..<cell.height {
                    for x in 0..<cell.width {
                        let inked: Bool
                        if let shade = Self.shade(glyph.scalar, x, y) {
                            inked = shade
                        } else if let dots {
                            // In quarters of a part: the second and the third are inside the dot.
                            let across = x * 8 / cell.width, down = y * 16 / cell.height
                            let inside = (1...2).contains(across & 3) && (1...2).contains(down & 3)
                            inked = inside && dots >> UInt32(down / 4 * 2 + across / 4) & 1 == 1
                        } else {
                            inked = parts >> UInt32(y * 12 / cell.height * 2 + x * 2 / cell.width) & 1 == 1
                        }
                        image[column * cell.width + x, row * cell.height + y] = inked ? fore : back
                    }
                }
            }
        }
        return image
    }

    /// The screen as it is seen, pixel by pixel, with all graphics in their layers. Glyphs that are no blocks show as a pattern of their
    /// own, so that one text differs from another.
    public func seen() -> RasterImage {
        let cell = plane.cell
        var image = display(cell: cell)
        let under = kitty?.paint(on: self, cell: cell) { $0.z < VTKitty.lowest }
        let over = kitty?.paint(on: self, cell: cell) { $0.z >= VTKitty.lowest }
        for y in 0..<image.height {
            for x in 0..<image.width {
                let glyph = self[x / cell.width, y / cell.height]
                let place = y % cell.height * cell.width + x % cell.width
                if !Self.isBlank(glyph.scalar), BlockGlyphs.parts(of: glyph.scalar) == nil,
                    BlockGlyphs.dots(of: glyph.scalar) == nil
                {
                    if glyph.scalar >> UInt32(place % 21) & 1 == 1 { image[x, y] = Self.rgb(glyph.foreground, otherwise: .max) }
                } else if let pixel = under?[x, y], pixel != 0, glyph.background == .terminalDefault {
                    image[x, y] = pixel
                }
                for pixel in [plane[x, y], inline?.plane[x, y] ?? 0, over?[x, y] ?? 0] where pixel != 0 { image[x, y] = pixel }
            }
        }
        return image
    }

    private static func isBlank(_ scalar: UInt32) -> Bool { scalar == 0x20 || scalar == 0 || scalar == VTKitty.placeholder }

    /// ░ inks one pixel of four, ▒ two, ▓ three; nil for other scalars.
    private static func shade(_ scalar: UInt32, _ x: Int, _ y: Int) -> Bool? {
        switch scalar {
        case 0x2591: x % 2 == 0 && y % 2 == 0
        case 0x2592: (x + y) % 2 == 0
        case 0x2593: x % 2 != 0 || y % 2 != 0
        default: nil
        }
    }

    private static func isInked(_ scalar: UInt32, part: Int, rows: Int) -> Bool {
        if let dots = BlockGlyphs.dots(of: scalar) { return dots >> UInt32(part) & 1 == 1 }
        let parts = BlockGlyphs.parts(of: scalar) ?? 0
        // The twelfth in the middle of the row.
        let twelfth = (part / 2 * 24 + 12) / (2 * rows)
        return parts >> UInt32(twelfth * 2 + part % 2) & 1 == 1
    }

    private func colours(of cell: Glyph, foreground: UInt32, background: UInt32) -> (UInt32, UInt32) {
        let fore = Self.rgb(cell.foreground, otherwise: foreground), back = Self.rgb(cell.background, otherwise: background)
        return cell.style.contains(.reverse) ? (back, fore) : (fore, back)
    }
}
