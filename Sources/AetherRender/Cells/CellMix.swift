import AetherCore

/// A cell of palette colours as the eye sees it: the colour of its upper and of its lower half.
struct CellMix {
    /// 0x00RRGGBB.
    let top: UInt32, bottom: UInt32

    /// nil for other glyphs than spaces, half blocks and shades, and for other colours.
    init?(_ cell: Cell) {
        guard cell.background.isIndexed, cell.style.subtracting(.video).isEmpty else { return nil }
        let back = Xterm256.palette[Int(cell.background.index)]
        if cell.glyph == 0x20 {
            (top, bottom) = (back, back)
            return
        }
        guard cell.foreground.isIndexed else { return nil }
        let fore = Xterm256.palette[Int(cell.foreground.index)]
        switch cell.glyph {
        case 0x2580: (top, bottom) = (fore, back)
        case 0x2584: (top, bottom) = (back, fore)
        case 0x2591...0x2593:
            let mixed = Self.mixed(fore, back, quarters: cell.glyph - 0x2590)
            (top, bottom) = (mixed, mixed)
        default: return nil
        }
    }

    /// The squared distance of both halves; out of all bounds where a channel is off by more than the bound.
    func distance(to other: CellMix, bound: Int32) -> Int32 {
        for shift: UInt32 in [0, 8, 16] {
            let upper = abs(Int32(top >> shift & 255) - Int32(other.top >> shift & 255))
            let lower = abs(Int32(bottom >> shift & 255) - Int32(other.bottom >> shift & 255))
            if max(upper, lower) > bound { return .max / 64 }
        }
        return squaredDistance(top, other.top) + squaredDistance(bottom, other.bottom)
    }

    private static func mixed(_ fore: UInt32, _ back: UInt32, quarters: UInt32) -> UInt32 {
        func channel(_ shift: UInt32) -> UInt32 {
            (((fore >> shift & 255) * quarters + (back >> shift & 255) * (4 - quarters)) / 4) << shift
        }
        return channel(0) | channel(8) | channel(16)
    }
}
