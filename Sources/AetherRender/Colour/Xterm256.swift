/// The palette that terminals share: 16 ANSI colours (xterm's defaults; people do change these), a cube of 6×6×6, 24 greys.
public enum Xterm256 {
    /// The levels of the cube's axes, entries 16–231.
    static let cubeLevels: [UInt8] = [0, 95, 135, 175, 215, 255]

    /// All 256 entries as 0xRRGGBB.
    public static let palette: [UInt32] = ansi + cube + greys

    /// The 16 ANSI colours, 0xRRGGBB.
    static let ansi: [UInt32] = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ]

    private static let cube: [UInt32] = (0..<216).map { (index: Int) -> UInt32 in
        let red = UInt32(cubeLevels[index / 36]), green = UInt32(cubeLevels[index / 6 % 6])
        return red << 16 | green << 8 | UInt32(cubeLevels[index % 6])
    }

    private static let greys: [UInt32] = (0..<24).map { UInt32(8 + 10 * $0) * 0x010101 }

    /// For each 8-bit level the nearest step of the cube, 0…5.
    private static let nearestStep: [UInt8] = (0..<256).map { (level: Int) -> UInt8 in
        // The borders lie half way between the levels.
        let borders = zip(cubeLevels, cubeLevels.dropFirst()).map { (Int($0) + Int($1) + 1) / 2 }
        return UInt8(borders.count { level >= $0 })
    }

    /// The entry from 16 up that is nearest in RGB. The first 16 are never chosen: themes change them.
    public static func nearest(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
        let steps = (Int(nearestStep[Int(red)]), Int(nearestStep[Int(green)]), Int(nearestStep[Int(blue)]))
        let cubeIndex = 16 + 36 * steps.0 + 6 * steps.1 + steps.2
        let mean = (Int(red) + Int(green) + Int(blue)) / 3
        let greyIndex = 232 + min(23, max(0, (mean - 3) / 10))
        let wanted = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
        let grey = squaredDistance(wanted, palette[greyIndex]) < squaredDistance(wanted, palette[cubeIndex])
        return UInt8(truncatingIfNeeded: grey ? greyIndex : cubeIndex)
    }

    /// The ANSI colour, 0…15, that is nearest in RGB.
    public static func nearestANSI(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
        let wanted = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
        var best = 0, bestDistance = Int32.max
        for index in 0..<16 {
            let distance = squaredDistance(wanted, ansi[index])
            if distance < bestDistance { (best, bestDistance) = (index, distance) }
        }
        return UInt8(truncatingIfNeeded: best)
    }
}

/// The squared difference of two colours 0x??RRGGBB, over three channels.
@inline(__always) func squaredDistance(_ a: UInt32, _ b: UInt32) -> Int32 {
    let red = Int32(truncatingIfNeeded: a >> 16 & 255) &- Int32(truncatingIfNeeded: b >> 16 & 255)
    let green = Int32(truncatingIfNeeded: a >> 8 & 255) &- Int32(truncatingIfNeeded: b >> 8 & 255)
    let blue = Int32(truncatingIfNeeded: a & 255) &- Int32(truncatingIfNeeded: b & 255)
    return red &* red &+ green &* green &+ blue &* blue
}
