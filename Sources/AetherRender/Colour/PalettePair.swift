import AetherCore

/// Chooses two entries of the palette for a cell, and which of its pixels show which.
struct PalettePair: Sendable {
    struct Choice {
        /// The pixels in the foreground; never all.
        var mask: UInt32
        var foreground: UInt8, background: UInt8
    }

    private let depth: ColourDepth

    init(depth: ColourDepth) { self.depth = depth }

    mutating func choose(_ pixels: CellPixels, x: Int, y: Int) -> Choice {
        let split = CellSplit(pixels)
        func entry(_ colour: UInt32) -> UInt8 { depth.map(CellColor(packed: 0x0100_0000 | colour)).index }
        return Choice(mask: split.mask, foreground: entry(split.foreground), background: entry(split.background))
    }
}
