import AetherCore

/// 24-bit colours that the palette of 256 has too: `38;5;N` takes half the bytes of `38;2;R;G;B`. Entries 16…21 are left out, for
/// some themes put colours of their own there; the others are the same in every terminal.
struct ShortColours: Sendable {
    private static let first: UInt32 = 22

    /// The palette's entry for a colour 0x01RRGGBB, if it has one.
    @inline(__always) func entry(_ colour: UInt32) -> UInt32? {
        guard colour >> 24 == 1 else { return nil }
        let red = colour >> 16 & 255, green = colour >> 8 & 255, blue = colour & 255
        if let r = Self.step(red), let g = Self.step(green), let b = Self.step(blue) {
            let entry = 16 &+ 36 &* r &+ 6 &* g &+ b
            return entry < Self.first ? nil : entry
        }
        guard red == green, green == blue, red >= 8, red <= 238, (red &- 8) % 10 == 0 else { return nil }
        return 232 &+ (red &- 8) / 10
    }

    /// The nearest colour 0x01RRGGBB that is an entry.
    func nearest(_ colour: UInt32) -> UInt32 {
        let index = Xterm256.nearest(
            red: UInt8(truncatingIfNeeded: colour >> 16), green: UInt8(truncatingIfNeeded: colour >> 8),
            blue: UInt8(truncatingIfNeeded: colour))
        return 0x0100_0000 | Xterm256.palette[Int(index)]
    }

    /// The step of a level that lies on the cube's axes: 0, 95, 135, 175, 215, 255.
    @inline(__always) private static func step(_ level: UInt32) -> UInt32? {
        if level == 0 { return 0 }
        let above = level &- 55
        return level >= 95 && above % 40 == 0 ? above / 40 : nil
    }
}
