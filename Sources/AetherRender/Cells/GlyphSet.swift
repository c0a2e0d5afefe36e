public import AetherCore

/// A family of glyphs that split a cell into equal parts, each part in the colour of the foreground or of the background.
///
/// A glyph is a mask: bit 2·row + column is set where the part shows the foreground. Raw values are the names on the command line.
public enum GlyphSet: String, Sendable, CaseIterable {
    /// 2×2 blocks, in Unicode from the start.
    case quadrant
    /// 2×3 blocks, Unicode 13.
    case sextant
    /// 2×4 blocks, Unicode 16.
    case octant
    /// 2×4 dots with gaps between them.
    case braille

    /// Parts of a cell.
    public var parts: PixelSize { PixelSize(width: 2, height: rows) }

    /// Rows of parts; there are always two columns.
    var rows: Int {
        switch self {
        case .quadrant: 2
        case .sextant: 3
        case .octant, .braille: 4
        }
    }

    /// Whether the mask's complement with the colours swapped looks the same: dots leave gaps in the background's colour.
    var isSolid: Bool { self != .braille }

    /// Bytes of most of its glyphs in UTF-8.
    var byteCount: Int { self == .quadrant || self == .braille ? 3 : 4 }

    /// The scalars by mask, a space for no part. The last one is the full block (for braille all dots), which is only for
    /// terminals without colours: in many fonts it leaves seams.
    var scalars: [UInt32] {
        switch self {
        case .quadrant: Self.quadrantScalars
        case .sextant: Self.sextantScalars
        case .octant: Self.octantScalars
        case .braille: Self.brailleScalars
        }
    }

    /// The mask of a scalar; nil where it is none of this family.
    @inline(__always) func mask(of scalar: UInt32) -> UInt32? {
        if scalar == 0x20 { return 0 }
        let inverse = Self.inverses[Int(truncatingIfNeeded: UInt32(order) << 11 | Self.slot(scalar))]
        return inverse >> 8 == scalar ? inverse & 255 : nil
    }

    private var order: UInt8 {
        switch self {
        case .quadrant: 0
        case .sextant: 1
        case .octant: 2
        case .braille: 3
        }
    }

    // MARK: Tables

    private static let quadrantScalars: [UInt32] = [
        0x20, 0x2598, 0x259D, 0x2580, 0x2596, 0x258C, 0x259E, 0x259B, 0x2597, 0x259A, 0x2590, 0x259C, 0x2584, 0x2599, 0x259F,
        0x2588,
    ]

    /// U+1FB00… in the order of masks, without those that were encoded before: nothing, the halves left and right, all.
    private static let sextantScalars = filled(
        [0: 0x20, 0b010101: 0x258C, 0b101010: 0x2590, 63: 0x2588], count: 64, from: 0x1FB00)

    /// U+1CD00… in the order of masks, without 26 that were encoded elsewhere.
    private static let octantScalars: [UInt32] = {
        // A quadrant is four parts of an octant.
        var elsewhere = [Int: UInt32](
            uniqueKeysWithValues: quadrantScalars.enumerated().map { mask, scalar in
                (((mask & 3) | (mask & 12) << 2) * 0b101, scalar)
            })
        // Quarters: left upper, right upper, upper, left middle, right middle, upper three, left lower, right lower, lower,
        // lower three.
        let quarters: [(Int, UInt32)] = [
            (1, 0x1CEA8), (2, 0x1CEAB), (3, 0x1FB82), (20, 0x1FBE6), (40, 0x1FBE7), (63, 0x1FB85), (64, 0x1CEA3),
            (128, 0x1CEA0), (192, 0x2582), (252, 0x2586),
        ]
        for (mask, scalar) in quarters { elsewhere[mask] = scalar }
        return filled(elsewhere, count: 256, from: 0x1CD00)
    }()

    /// U+2800 + dots, which are numbered down the left column, down the right one, and then along the fourth row.
    private static let brailleScalars: [UInt32] = (0..<256).map { (mask: Int) -> UInt32 in
        let dots: [UInt32] = [0, 3, 1, 4, 2, 5, 6, 7]
        let bits = (0..<8).reduce(UInt32(0)) { $0 | UInt32(mask >> $1 & 1) << dots[$1] }
        return bits == 0 ? 0x20 : 0x2800 | bits
    }

    private static func filled(_ known: [Int: UInt32], count: Int, from first: UInt32) -> [UInt32] {
        var next = first
        return (0..<count).map { mask in
            if let scalar = known[mask] { return scalar }
            next += 1
            return next - 1
        }
    }

    /// 2048 slots a family, one for each scalar: the scalar in the upper 24 bits, the mask in the lower 8.
    private static let inverses: [UInt32] = {
        var table = [UInt32](repeating: .max, count: 4 << 11)
        for set in allCases {
            for (mask, scalar) in set.scalars.enumerated() where mask > 0 {
                table[Int(UInt32(set.order) << 11 | slot(scalar))] = scalar << 8 | UInt32(mask)
            }
        }
        return table
    }()

    /// The five pages of 256 scalars concerned differ in bits 9…11.
    @inline(__always) private static func slot(_ scalar: UInt32) -> UInt32 { scalar & 255 | (scalar >> 9 & 7) << 8 }
}
