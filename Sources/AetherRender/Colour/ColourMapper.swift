public import AetherCore

extension ColourDepth {
    /// The nearest colour that this depth has. Palette entries and the terminal's own colours pass where they exist.
    public func map(_ colour: CellColor) -> CellColor {
        switch self {
        case .trueColor: return colour
        case .mono: return .terminalDefault
        case .indexed256:
            guard colour.isRGB else { return colour }
            return .indexed(Xterm256.nearest(red: colour.red, green: colour.green, blue: colour.blue))
        case .indexed16:
            if colour.isDefault || colour.isIndexed && colour.index < 16 { return colour }
            let rgb = colour.isIndexed ? CellColor(packed: 0x0100_0000 | Xterm256.palette[Int(colour.index)]) : colour
            return .indexed(Xterm256.nearestANSI(red: rgb.red, green: rgb.green, blue: rgb.blue))
        }
    }

    /// A cell in the colours of this depth. Where there are none, a light background under dark text becomes reverse video, so
    /// that a selection can still be seen.
    public func map(_ cell: Cell) -> Cell {
        var mapped = cell
        if self == .mono, !cell.style.contains(.reverse), let below = Self.luma(cell.background) {
            if below > Self.luma(cell.foreground) ?? 191 { mapped.style.insert(.reverse) }
        }
        mapped.foreground = map(cell.foreground)
        mapped.background = map(cell.background)
        return mapped
    }

    /// Rec. 709 luma 0…255 of a colour that is known; nil for the terminal's own.
    private static func luma(_ colour: CellColor) -> Int? {
        if colour.isDefault { return nil }
        let rgb = colour.isIndexed ? Xterm256.palette[Int(colour.index)] : colour.packed
        return Int(lumaOf(red: rgb >> 16 & 255, green: rgb >> 8 & 255, blue: rgb & 255))
    }
}

/// Rec. 709 luma 0…255 of channels 0…255.
@inline(__always) func lumaOf(red: UInt32, green: UInt32, blue: UInt32) -> UInt32 {
    (54 &* red &+ 183 &* green &+ 19 &* blue) >> 8
}
