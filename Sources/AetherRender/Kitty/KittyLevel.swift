/// A level of coarseness for an image when the bytes do not suffice: first fewer bits, then fewer pixels, which the terminal scales up.
struct KittyLevel: Equatable, Sendable {
    /// Bits of a channel, at most as many as the quality asks for.
    let bits: Int
    /// Pixels of the image on each side that become one.
    let scale: Int

    /// From fine to coarse. The last ones only meet budgets of a few kilobytes.
    static let ladder = [
        KittyLevel(bits: 8, scale: 1), KittyLevel(bits: 6, scale: 1), KittyLevel(bits: 5, scale: 1),
        KittyLevel(bits: 6, scale: 2), KittyLevel(bits: 5, scale: 2), KittyLevel(bits: 6, scale: 3),
        KittyLevel(bits: 5, scale: 3), KittyLevel(bits: 5, scale: 4), KittyLevel(bits: 5, scale: 6),
        KittyLevel(bits: 5, scale: 8), KittyLevel(bits: 5, scale: 12), KittyLevel(bits: 5, scale: 16),
        KittyLevel(bits: 5, scale: 32), KittyLevel(bits: 4, scale: 64), KittyLevel(bits: 4, scale: 256),
    ]

    /// The bits that a quality asks for: an error of half a step must be worth its bytes, and within the bound.
    static func bits(for quality: EncodeQuality) -> Int {
        if quality.lambda < 1 || quality.maximumChannelError < 2 { return 8 }
        return quality.lambda < 16 || quality.maximumChannelError < 4 ? 6 : 5
    }

    /// The bytes of an image at a level, as a share of those with 8 bits unscaled. Measured on video at 1280×720: 1105, 711
    /// and 519 KB with 8, 6 and 5 bits. A smaller image has more detail in each pixel.
    static func cost(_ index: Int, bits: Int) -> Double {
        let level = ladder[index]
        let share =
            switch min(level.bits, bits) {
            case ...4: 0.34
            case 5: 0.47
            case 6: 0.65
            default: 1.0
            }
        return share * (level.scale == 1 ? 1 : 1.3) / Double(level.scale * level.scale)
    }

    /// The finest level whose cost stays within `share` of the cost of another level.
    static func finest(within share: Double, of other: Int, bits: Int, from first: Int = 0) -> Int {
        let most = cost(other, bits: bits) * share
        return ladder.indices.first { $0 >= first && cost($0, bits: bits) <= most } ?? ladder.count - 1
    }
}
