import AetherCore
import AetherTestSupport
import Testing

@testable import AetherFormats

@Suite struct MatroskaChapterTests {
    /// A file of these elements in front of a cluster, with an index of them or without.
    private static func file(_ parts: [(UInt32, [UInt8])], behind: [(UInt32, [UInt8])] = [], isIndexed: Bool = true) -> [UInt8] {
        let head = EBML.element(0x1A45_DFA3, [EBML.element(0x4282, "matroska")])
        let cluster = EBML.element(0x1F43_B675, [UInt8](repeating: 7, count: 5000))
        func index(_ places: [(UInt32, UInt64)]) -> [UInt8] {
            EBML.element(
                0x114D_9B74,
                places.map { id, place in
                    EBML.element(
                        0x4DBB,
                        [
                            EBML.element(0x53AB, UInt64(id)),
                            // Always of eight bytes, so that the index is as long whatever the places are.
                            EBML.element(0x53AC, (0..<8).map { UInt8(truncatingIfNeeded: place >> (56 - 8 * $0)) }),
                        ])
                })
        }
        let all = parts + behind
        let size = isIndexed ? index(all.map { ($0.0, 0) }).count : 0
        var place = size, places: [(UInt32, UInt64)] = [], body: [UInt8] = []
        for (number, part) in all.enumerated() {
            if number == parts.count { body += cluster }
            place = size + body.count
            places.append((part.0, UInt64(place)))
            body += part.1
        }
        if behind.isEmpty { body += cluster }
        return head + EBML.element(0x1853_8067, (isIndexed ? index(places) : []) + body)
    }

    private static func search(_ file: [UInt8]) -> (MatroskaChapterSearch, requests: Int) {
        var search = MatroskaChapterSearch(), count = 0
        while let request = search.request {
            count += 1
            let start = min(file.count, Int(clamping: request.offset))
            search.take(Array(file[start..<min(file.count, start + request.count)]))
        }
        return (search, count)
    }

    private static let plain = EBML.chapters([
        EBML.edition(7, [EBML.atom(0, nil, [("eng", "One"), ("ger", "Eins")]), EBML.atom(10, nil, [("eng", "Two")])]),
        EBML.edition(9, isHidden: true, isDefault: true, isOrdered: true, name: "Cut", [EBML.atom(5, 9)]),
    ])
    private static let info = EBML.element(0x1549_A966, [EBML.element(0x73A4, [UInt8](repeating: 3, count: 16))])
    private static let tags = EBML.element(
        0x1254_C367,
        [
            EBML.element(
                0x7373,
                [
                    EBML.element(0x63C0, [EBML.element(0x63C9, 7 as UInt64)]),
                    EBML.element(0x67C8, [EBML.element(0x45A3, "title"), EBML.element(0x4487, "For the\u{1B}[2J cinema")]),
                ])
        ])

    @Test(arguments: [true, false]) func editionsAreFoundInFrontOfTheFirstCluster(_ isIndexed: Bool) {
        let (found, requests) = Self.search(
            Self.file([(0x1549_A966, Self.info), (0x1043_A770, Self.plain)], isIndexed: isIndexed))
        #expect(found.editions.map(\.uid) == [7, 9] && found.segment == [UInt8](repeating: 3, count: 16))
        let (first, second) = (found.editions[0], found.editions[1])
        #expect(!first.isHidden && !first.isDefault && !first.isOrdered)
        #expect(second.isHidden && second.isDefault && second.isOrdered && second.names.map(\.text) == ["Cut"])
        #expect(first.atoms.map(\.start) == [.zero, .seconds(10)] && second.atoms[0].end == .seconds(9))
        #expect(first.atoms[0].names.map(\.language) == ["eng", "ger"])
        #expect(requests < 12)
    }

    @Test func chaptersAndTagsBehindTheClustersAreFoundByTheIndex() {
        let parts = [(UInt32(0x1549_A966), Self.info)]
        let (found, _) = Self.search(Self.file(parts, behind: [(0x1043_A770, Self.plain), (0x1254_C367, Self.tags)]))
        #expect(found.editions.map { $0.names.map(\.text) } == [["For the[2J cinema"], ["Cut"]])
        #expect(Self.search(Self.file(parts, behind: [(0x1043_A770, Self.plain)], isIndexed: false)).0.editions.isEmpty)
    }

    /// Whatever is cut off or turned round: it ends, in few steps.
    @Test func damagedFilesEndTheSearch() {
        let whole = Self.file([(0x1549_A966, Self.info), (0x1254_C367, Self.tags), (0x1043_A770, Self.plain)])
        for count in 0..<min(whole.count, 900) { #expect(Self.search(Array(whole.prefix(count))).requests < 20) }
        var random = SeededRandom(seed: 5)
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<6 { bytes[Int.random(in: 0..<900, using: &random)] = UInt8.random(in: 0...255, using: &random) }
            #expect(Self.search(bytes).requests <= MatroskaChapterSearch.requestLimit)
        }
        // An element of no length, over and over.
        let endless =
            EBML.element(0x1A45_DFA3, [UInt8]()) + EBML.element(0x1853_8067, [UInt8](repeating: 0, count: 0))
            + Array(repeating: [0xEC, 0x80], count: 5000).joined()
        #expect(Self.search(endless).requests <= MatroskaChapterSearch.requestLimit)
    }

    @Test func hostileChaptersAreBounded() throws {
        let many = EBML.edition(1, (0..<5000).map { EBML.atom(Double($0)) })
        var deep = EBML.atom(1)
        for level in 0..<200 { deep = EBML.atom(Double(level), nil, [], [deep]) }
        let long = EBML.atom(3, nil, [("eng", String(repeating: "\u{202E}a\u{1B}]0;x\u{7}", count: 50_000))])
        let editions = MatroskaEdition.all(
            try #require(
                EBMLReader(
                    EBML.chapters([many, EBML.edition(2, [deep, long])] + (0..<200).map { EBML.edition($0, [EBML.atom(0)]) })[...]
                )
                .first { _ in true }
            ).payload)
        #expect(editions.count == MatroskaEdition.limit && editions[0].atoms.count == MatroskaEdition.atomLimit)
        let cut = EditionCut(editions[1], segment: nil, end: .seconds(500), languages: [])
        #expect(cut.chapters.count <= 9)
        let name = try #require(cut.chapters.map(\.name).first { !$0.isEmpty })
        #expect(name.unicodeScalars.count <= 201 && !name.unicodeScalars.contains(where: DisplayText.isUnsafe))
    }

    // MARK: - What is played

    private static func cut(_ edition: [UInt8], languages: [String] = [], end: Double? = 100) -> EditionCut {
        let found = MatroskaEdition.all(edition[...])
        return EditionCut(found[0], segment: [1], end: end.map { .seconds($0) }, languages: languages)
    }

    private static func text(_ cut: EditionCut) -> [String] {
        cut.chapters.map { "\($0.name) \(Int($0.start.seconds))+\(Int($0.duration.seconds))" }
    }

    @Test func namesAreInTheLanguageThatIsWanted() {
        let edition = EBML.edition(1, [EBML.atom(0, nil, [("eng", "One"), ("ger", "Eins"), ("fr-CA", "Un")])])
        for (languages, name) in [([], "One"), (["de"], "Eins"), (["ja", "fre"], "Un"), (["ja"], "One")] as [([String], String)] {
            #expect(Self.cut(edition, languages: languages).chapters[0].name == name)
        }
    }

    @Test func nestedChaptersAreOneList() {
        let edition = EBML.edition(
            1,
            [
                EBML.atom(
                    0, nil, [("eng", "Part")], [EBML.atom(0, nil, [("eng", "A")]), EBML.atom(20, nil, [("eng", "B")])]),
                EBML.atom(50, nil, [("eng", "Hidden")], isHidden: true, [EBML.atom(60, nil, [("eng", "C")])]),
                EBML.atom(70, nil, [("eng", "Off")], isEnabled: false, [EBML.atom(75, nil, [("eng", "D")])]),
                EBML.atom(80, nil, [("eng", "Elsewhere")], segment: [2]), EBML.atom(40, nil, [("eng", "Here")], segment: [1]),
            ])
        let cut = Self.cut(edition)
        #expect(Self.text(cut) == ["Part: A 0+20", "B 20+20", "Here 40+20", "C 60+40"])
        #expect(cut.stretches.isEmpty && cut.linkedCount == 1 && cut.chapters.map(\.id) == [0, 1, 2, 3])
    }

    @Test func anOrderedEditionPlaysItsAtomsInTheirOrder() {
        let edition = EBML.edition(
            1, isOrdered: true,
            [
                EBML.atom(60, 70, [("eng", "First")]),
                EBML.atom(10, 20, [("eng", "Second")], [EBML.atom(15, nil, [("eng", "In it")])]),
                EBML.atom(20, 30, isHidden: true), EBML.atom(0, 50, [("eng", "Not ours")], segment: [9]),
                EBML.atom(30.03, nil, [("eng", "To the next")]), EBML.atom(40, 40), EBML.atom(90, 500, [("eng", "Last")]),
            ])
        let cut = Self.cut(edition)
        #expect(Self.text(cut) == ["First 60+10", "Second 10+5", "In it 15+5", "To the next 30+9", "Last 90+10"])
        #expect(
            cut.stretches == [
                .seconds(60) ..< .seconds(70), .seconds(10) ..< .seconds(40), .seconds(90) ..< .seconds(100),
            ])
        #expect(cut.linkedCount == 1)
    }
}
