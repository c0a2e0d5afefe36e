/// Which parts of its cell a block glyph covers, read off the characters' names in the Unicode standard: the judge of the renderers'
/// tables, so written without them.
public enum BlockGlyphs {
    /// A cell in 2 columns and 12 rows, which halves, thirds, quarters and eighths' names of two columns all fit into: bit
    /// 2·row + column. nil for a scalar that is none of these.
    public static func parts(of scalar: UInt32) -> UInt32? { table[scalar] }

    /// Bit 2·row + column of a braille pattern's dots, from U+2800; nil for other scalars.
    public static func dots(of scalar: UInt32) -> UInt32? {
        guard (0x2800...0x28FF).contains(scalar) else { return nil }
        // Dots 1, 2, 3 and 7 lie on the left, 4, 5, 6 and 8 on the right; dot n is bit n − 1.
        let left: [UInt32] = [0, 1, 2, 6], right: [UInt32] = [3, 4, 5, 7]
        var mask: UInt32 = 0
        for row in 0..<4 {
            mask |= (scalar >> left[row] & 1) << UInt32(2 * row) | (scalar >> right[row] & 1) << UInt32(2 * row + 1)
        }
        return mask
    }

    private static let table: [UInt32: UInt32] = {
        var table: [UInt32: UInt32] = [0x20: 0, 0x2588: 0xFF_FFFF]
        for (scalar, columns, rows) in blocks { table[scalar] = rectangle(columns, rows) }
        for (scalar, names) in quadrants { table[scalar] = names.reduce(0) { $0 | quadrant($1) } }
        for (index, digits) in sextants.split(separator: " ").enumerated() {
            table[0x1FB00 + UInt32(index)] = numbered(digits, rowHeight: 4)
        }
        for (index, digits) in octants.split(separator: " ").enumerated() {
            table[0x1CD00 + UInt32(index)] = numbered(digits, rowHeight: 3)
        }
        return table
    }()

    /// Halves and quarters by name: columns and twelfths of rows.
    private static let blocks: [(UInt32, ClosedRange<Int>, Range<Int>)] = [
        (0x2580, 0...1, 0..<6),  // UPPER HALF BLOCK
        (0x2584, 0...1, 6..<12),  // LOWER HALF BLOCK
        (0x258C, 0...0, 0..<12),  // LEFT HALF BLOCK
        (0x2590, 1...1, 0..<12),  // RIGHT HALF BLOCK
        (0x2582, 0...1, 9..<12),  // LOWER ONE QUARTER BLOCK
        (0x2586, 0...1, 3..<12),  // LOWER THREE QUARTERS BLOCK
        (0x1FB82, 0...1, 0..<3),  // UPPER ONE QUARTER BLOCK
        (0x1FB85, 0...1, 0..<9),  // UPPER THREE QUARTERS BLOCK
        (0x1FBE6, 0...0, 3..<9),  // MIDDLE LEFT ONE QUARTER BLOCK
        (0x1FBE7, 1...1, 3..<9),  // MIDDLE RIGHT ONE QUARTER BLOCK
        (0x1CEA0, 1...1, 9..<12),  // RIGHT HALF LOWER ONE QUARTER BLOCK
        (0x1CEA3, 0...0, 9..<12),  // LEFT HALF LOWER ONE QUARTER BLOCK
        (0x1CEA8, 0...0, 0..<3),  // LEFT HALF UPPER ONE QUARTER BLOCK
        (0x1CEAB, 1...1, 0..<3),  // RIGHT HALF UPPER ONE QUARTER BLOCK
    ]

    /// QUADRANT …: upper or lower, left or right.
    private static let quadrants: [(UInt32, [String])] = [
        (0x2596, ["LL"]), (0x2597, ["LR"]), (0x2598, ["UL"]), (0x2599, ["UL", "LL", "LR"]), (0x259A, ["UL", "LR"]),
        (0x259B, ["UL", "UR", "LL"]), (0x259C, ["UL", "UR", "LR"]), (0x259D, ["UR"]), (0x259E, ["UR", "LL"]),
        (0x259F, ["UR", "LL", "LR"]),
    ]

    private static func quadrant(_ name: String) -> UInt32 {
        let column = name.hasSuffix("L") ? 0 : 1
        return rectangle(column...column, name.hasPrefix("U") ? 0..<6 : 6..<12)
    }

    /// BLOCK SEXTANT-… from U+1FB00 in the order of the standard.
    private static let sextants = """
        1 2 12 3 13 23 123 4 14 24 124 34 134 234 1234 5 15 25 125 35 235 1235 45 145 245 1245 345 1345 2345 12345 6 16 26 126 \
        36 136 236 1236 46 146 1246 346 1346 2346 12346 56 156 256 1256 356 1356 2356 12356 456 1456 2456 12456 3456 13456 \
        23456
        """

    /// BLOCK OCTANT-… from U+1CD00 in the order of the standard.
    private static let octants = """
        3 23 123 4 14 124 34 134 234 5 15 25 125 135 235 1235 45 145 245 1245 345 1345 2345 12345 6 16 26 126 36 136 236 1236 \
        146 246 1246 346 1346 2346 12346 56 156 256 1256 356 1356 2356 12356 456 1456 2456 12456 3456 13456 23456 17 27 127 37 \
        137 237 1237 47 147 247 1247 347 1347 2347 12347 157 257 1257 357 2357 12357 457 1457 12457 3457 13457 23457 67 167 267 \
        1267 367 1367 2367 12367 467 1467 2467 12467 3467 13467 23467 123467 567 1567 2567 12567 3567 13567 23567 123567 4567 \
        14567 24567 124567 34567 134567 234567 1234567 18 28 128 38 138 238 1238 48 148 248 1248 348 1348 2348 12348 58 158 258 \
        1258 358 1358 2358 12358 458 1458 2458 12458 3458 13458 23458 123458 168 268 1268 368 2368 12368 468 1468 12468 3468 \
        13468 23468 568 1568 2568 12568 3568 13568 23568 123568 4568 14568 24568 124568 34568 134568 234568 1234568 178 278 \
        1278 378 1378 2378 12378 478 1478 2478 12478 3478 13478 23478 123478 578 1578 2578 12578 3578 13578 23578 123578 4578 \
        14578 24578 124578 34578 134578 234578 1234578 678 1678 2678 12678 3678 13678 23678 123678 4678 14678 24678 124678 \
        34678 134678 234678 1234678 15678 25678 125678 35678 235678 1235678 45678 145678 1245678 1345678 2345678
        """

    /// Parts are numbered in reading order from 1.
    private static func numbered(_ digits: Substring, rowHeight: Int) -> UInt32 {
        digits.utf8.reduce(0) { mask, digit in
            let part = Int(digit) - 0x31
            return mask | rectangle(part % 2...part % 2, part / 2 * rowHeight..<(part / 2 + 1) * rowHeight)
        }
    }

    private static func rectangle(_ columns: ClosedRange<Int>, _ rows: Range<Int>) -> UInt32 {
        var mask: UInt32 = 0
        for row in rows { for column in columns { mask |= 1 << UInt32(2 * row + column) } }
        return mask
    }
}
