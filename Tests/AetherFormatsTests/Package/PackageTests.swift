import Testing

@testable import AetherFormats

/// Journal, names and lists of a package.
@Suite struct PackageTests {
    private static func entry(_ number: Int64, _ start: Int64, _ duration: Int64, continuity: Int64 = 0) -> PackageEntry {
        var entry = PackageEntry(.segment, rendition: 1, number: number)
        (entry.start, entry.duration, entry.continuity, entry.map) = (start, duration, continuity, 1)
        (entry.file, entry.size, entry.checksum, entry.tag) = ("s\(number).m4s", 1000, 0xDEAD_BEEF, "\"a\"")
        entry.clock = 1_700_000_000_123
        entry.key = .init(number: 1, method: "AES-128", vector: [UInt8](0..<16))
        return entry
    }

    @Test func aJournalIsReadAsItWasWritten() {
        var journal = PackageJournal(), map = PackageEntry(.map, rendition: 1, number: 1)
        map.file = "i1.mp4"
        var gap = PackageEntry(.gap, rendition: 2, number: .max)
        (gap.start, gap.duration) = (5, 6)
        for entry in [map, Self.entry(0, 0, 2_000_000_000), Self.entry(1, 2_000_000_000, 1_500_000_000), gap] {
            journal.take(entry)
        }
        #expect(PackageJournal(Array(journal.text.utf8)) == journal)
        let forgotten = PackageJournal(Array((journal.text + PackageJournal.forgetting(1)).utf8))
        #expect(forgotten.list(1).isEmpty && forgotten.list(2) == [gap])
    }

    /// The power may fail at any byte: a line that is not whole is none, and those before it are good.
    @Test func aTornJournalHasItsWholeLines() {
        let lines = [Self.entry(0, 0, 2).line, Self.entry(1, 2, 2).line], text = Array(lines.joined().utf8)
        for count in 0...text.count {
            let journal = PackageJournal(Array(text[..<count]))
            #expect(journal.list(1).count == (count < lines[0].utf8.count ? 0 : count < text.count ? 1 : 2))
        }
    }

    @Test(arguments: ["../x", "/etc/passwd", ".x", "a/b", "", "A b", "-x"]) func aNameOfAStrangerIsNone(_ name: String) {
        #expect(!PackageName.isFile(name))
        let line = Self.entry(0, 0, 2).line.replacing("s0.m4s", with: name)
        #expect(PackageJournal(Array(line.utf8)).list(1).isEmpty)
    }

    @Test(arguments: [
        ("Film", "Film.aepkg"), ("../../etc", "etc.aepkg"), ("a/b\u{1B}[31m", "a b [31m.aepkg"), ("--help", "help.aepkg"),
        ("", "download.aepkg"), (" . ", "download.aepkg"),
    ])
    func aTitleBecomesAName(_ title: String, _ name: String) { #expect(PackageName.package(title: title) == name) }

    @Test func aListHasWhatAPlayerNeeds() {
        var journal = PackageJournal(), map = PackageEntry(.map, rendition: 1, number: 1)
        map.file = "i1.mp4"
        journal.take(map)
        journal.take(Self.entry(0, 0, 2_000_000_000))
        journal.take(Self.entry(1, 2_000_000_000, 2_600_000_000, continuity: 1))
        let text = PackageList(journal, rendition: 1, state: .ended, isIndependent: true).text
        #expect(
            text == """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-TARGETDURATION:3
                #EXT-X-MEDIA-SEQUENCE:0
                #EXT-X-PLAYLIST-TYPE:VOD
                #EXT-X-INDEPENDENT-SEGMENTS
                #EXT-X-MAP:URI="i1.mp4"
                #EXT-X-KEY:METHOD=AES-128,URI="../key1.bin",IV=0x000102030405060708090a0b0c0d0e0f
                #EXT-X-PROGRAM-DATE-TIME:2023-11-14T22:13:20.123Z
                #EXTINF:2.000,
                s0.m4s
                #EXT-X-DISCONTINUITY
                #EXT-X-PROGRAM-DATE-TIME:2023-11-14T22:13:20.123Z
                #EXTINF:2.600,
                s1.m4s
                #EXT-X-ENDLIST

                """)
        #expect(!PackageList(journal, rendition: 1, state: .growing, isIndependent: true).text.contains("ENDLIST"))
    }

    /// RFC 8216bis, 4.4.4.5: a key holds for the sections of initialization behind it, too.
    @Test(arguments: ["AES-128", "AES-256", "AES-256-CTR", "SAMPLE-AES", "SAMPLE-AES-CTR"])
    func asMuchIsEncryptedAsWas(_ method: String) {
        let key = PackageEntry.Key(number: 1, method: method, vector: [UInt8](0..<16))
        var journal = PackageJournal()
        for number in 1...3 as ClosedRange<Int64> {
            var map = PackageEntry(.map, rendition: 1, number: number)
            (map.file, map.key) = ("i\(number).mp4", number == 2 ? key : nil)
            var segment = Self.entry(number, number * 2_000_000_000, 2_000_000_000)
            (segment.map, segment.key) = (number, key)
            journal.take(map)
            journal.take(segment)
        }
        journal = PackageJournal(Array(journal.text.utf8))
        let lines = PackageList(journal, rendition: 1, state: .ended, isIndependent: true).text.split(separator: "\n")
        let order = lines.compactMap { line -> String? in
            if line.hasPrefix("#EXT-X-KEY:METHOD=NONE") { return "clear" }
            if line.hasPrefix("#EXT-X-KEY:METHOD=\(method),") { return "key" }
            return line.hasPrefix("#EXT-X-MAP") ? "map" : line.hasPrefix("#") ? nil : "segment"
        }
        #expect(
            order == ["map", "key", "segment", "map", "segment", "clear", "map", "key", "segment"], "\(order)")
    }

    /// The check value of the catalogue of CRC algorithms.
    @Test func theChecksumIsThatOfZip() {
        #expect(Checksum.of(Array("123456789".utf8)) == 0xCBF4_3926)
        let bytes = (0..<100).map { UInt8($0) }
        var sum = Checksum(going: Checksum.of(Array(bytes[..<37])), behind: 37)
        bytes[37...].withUnsafeBytes { sum.take($0) }
        #expect(sum.value == Checksum.of(bytes))
    }
}
