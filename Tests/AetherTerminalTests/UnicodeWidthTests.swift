import AetherCore
import AetherRender
import AetherTerminal
import Testing

/// Widths of characters against the data of Unicode.
@Suite struct UnicodeWidthTests {
    /// EastAsianWidth.txt of Unicode 14: what is assigned and wide (W) or full-width (F), in hexadecimal.
    private static let wide: [ClosedRange<UInt32>] = """
        1100-115F 231A-231B 2329-232A 23E9-23EC 23F0 23F3 25FD-25FE 2614-2615 2648-2653 267F 2693 26A1 26AA-26AB 26BD-26BE 26C4-26C5
        26CE 26D4 26EA 26F2-26F3 26F5 26FA 26FD 2705 270A-270B 2728 274C 274E 2753-2755 2757 2795-2797 27B0 27BF 2B1B-2B1C 2B50 2B55
        2E80-2E99 2E9B-2EF3 2F00-2FD5 2FF0-2FFB 3000-303E 3041-3096 3099-30FF 3105-312F 3131-318E 3190-31E3 31F0-321E 3220-3247
        3250-4DBF 4E00-A48C A490-A4C6 A960-A97C AC00-D7A3 F900-FA6D FA70-FAD9 FE10-FE19 FE30-FE52 FE54-FE66 FE68-FE6B FF01-FF60
        FFE0-FFE6 16FE0-16FE4 16FF0-16FF1 17000-187F7 18800-18CD5 18D00-18D08 1AFF0-1AFF3 1AFF5-1AFFB 1AFFD-1AFFE 1B000-1B122
        1B150-1B152 1B164-1B167 1B170-1B2FB 1F004 1F0CF 1F18E 1F191-1F19A 1F200-1F202 1F210-1F23B 1F240-1F248 1F250-1F251 1F260-1F265
        1F300-1F320 1F32D-1F335 1F337-1F37C 1F37E-1F393 1F3A0-1F3CA 1F3CF-1F3D3 1F3E0-1F3F0 1F3F4 1F3F8-1F43E 1F440 1F442-1F4FC
        1F4FF-1F53D 1F54B-1F54E 1F550-1F567 1F57A 1F595-1F596 1F5A4 1F5FB-1F64F 1F680-1F6C5 1F6CC 1F6D0-1F6D2 1F6D5-1F6D7 1F6DD-1F6DF
        1F6EB-1F6EC 1F6F4-1F6FC 1F7E0-1F7EB 1F7F0 1F90C-1F93A 1F93C-1F945 1F947-1F9FF 1FA70-1FA74 1FA78-1FA7C 1FA80-1FA86 1FA90-1FAAC
        1FAB0-1FABA 1FAC0-1FAC5 1FAD0-1FAD9 1FAE0-1FAE7 1FAF0-1FAF6 20000-2A6DF 2A700-2B738 2B740-2B81D 2B820-2CEA1 2CEB0-2EBE0
        2F800-2FA1D 30000-3134A
        """.split(whereSeparator: \.isWhitespace).map { part in
            let ends = part.split(separator: "-").map { UInt32($0, radix: 16) ?? 0 }
            return ends[0]...ends[ends.count - 1]
        }

    /// Every character of Unicode 14 but controls and the private ones, with its category and width by the data.
    private static func eachCharacter(_ body: (Unicode.Scalar, Int) -> Void) {
        var next = 0
        for value in UInt32(0x20)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), let age = scalar.properties.age, age.major <= 14 else { continue }
            while next < wide.count, wide[next].upperBound < value { next += 1 }
            let isWide = next < wide.count && wide[next].contains(value)
            switch scalar.properties.generalCategory {
            case .control, .privateUse, .surrogate, .unassigned: continue
            case .nonspacingMark, .enclosingMark, .format: body(scalar, 0)
            default: body(scalar, isWide ? 2 : 1)
            }
        }
    }

    /// Trigrams, tallies and signs whose data is other in Unicode 15.1 and 16: C libraries have the one or the other (glibc 2.41 the newer).
    private static let changed: [ClosedRange<UInt32>] = [
        0x2630...0x2637, 0x268A...0x268F, 0x3164...0x3164, 0xFFA0...0xFFA0, 0xFFF9...0xFFFB, 0x1171E...0x1171E, 0x13430...0x13438,
        0x1D300...0x1D356, 0x1D360...0x1D376,
    ]

    private static func list(_ scalars: [Unicode.Scalar]) -> String {
        scalars.prefix(40).map { String($0.value, radix: 16) }.joined(separator: " ")
            + (scalars.count > 40 ? " … \(scalars.count)" : "")
    }

    /// The C library's table, which ncurses goes by, and where it is of another opinion with reason.
    @Test func theChromeCountsAsUnicodeDoes() {
        var differing: [Unicode.Scalar] = [], count = 0
        Self.eachCharacter { scalar, width in
            count += 1
            guard !Self.changed.contains(where: { $0 ~= scalar.value }) else { return }
            let expected: Int
            switch scalar.value {
            // May not reach a terminal.
            case _ where DisplayText.isUnsafe(scalar): expected = 0
            // Format characters that are seen: the soft hyphen, and signs that enclose the digits after them.
            case 0xAD, 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: expected = 1
            // Vowels and finals join the wide consonant before them.
            case 0x1160...0x11FF, 0xD7B0...0xD7FF: expected = 0
            // Numbers in black squares and hexagrams: neutral by the data, drawn wide by terminals.
            case 0x3248...0x324F, 0x4DC0...0x4DFF: expected = 2
            default: expected = width
            }
            if ChromeText.columns(of: scalar) != expected { differing.append(scalar) }
        }
        #expect(differing.isEmpty, "\(Self.list(differing))")
        #expect(count > 140_000)
    }

    /// The renderers' own table, which needs no locale.
    @Test func theRenderersCountAsUnicodeDoes() {
        var differing: [Unicode.Scalar] = []
        Self.eachCharacter { scalar, width in
            let joins = 0x1160...0x11FF ~= scalar.value || 0xD7B0...0xD7FF ~= scalar.value
            // The soft hyphen is seen.
            if ScalarWidth.of(scalar) != (joins ? 0 : scalar == "\u{AD}" ? 1 : width) { differing.append(scalar) }
        }
        #expect(differing.isEmpty, "\(Self.list(differing))")
    }

    static let clusters: [(text: String, columns: [Int])] = [
        ("e\u{301}a", [1, 1]), ("n\u{303}\u{323}", [1]), ("한글", [2, 2]), ("\u{1112}\u{1161}\u{11AB}", [2]), ("東京", [2, 2]),
        ("ｱＡ", [1, 2]),
        ("か\u{3099}", [2]), ("กำ\u{E34}", [1, 1]), ("ที่", [1]), ("क\u{94D}ष", [1, 1]), ("שָׁ", [1]), ("لَا", [1, 1]),
        ("👨\u{200D}👩\u{200D}👧", [2]), ("👍🏽", [2]),
        ("😀x", [2, 1]), ("a\u{200D}b", [1, 1]), ("\u{301}", []), ("", []),
    ]

    /// Letters with their marks are one place on the screen.
    @Test(arguments: clusters.indices) func clustersTakeTheirCells(_ index: Int) {
        let row = Self.clusters[index]
        let line = TextLayout.lines([row.text], width: 40).first
        #expect((line?.glyphs.map(\.columns) ?? []).sorted() == row.columns.sorted(), "\(row.text)")
    }
}
