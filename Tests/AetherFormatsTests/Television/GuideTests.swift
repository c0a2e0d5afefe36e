import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherFormats

/// Guides in XMLTV. 1 700 000 000 is 2023-11-14 22:13:20 in UTC.
@Suite struct GuideTests {
    private static let now: Int64 = 1_700_000_000

    private func list(_ names: [(id: String, name: String)], header: String = "") -> ChannelList {
        ChannelList(
            Array(("#EXTM3U \(header)\n" + names.map { "#EXTINF:-1 tvg-id=\"\($0.id)\",\($0.name)\nhttp://h/1\n" }.joined()).utf8)
        )
    }

    private func guide(_ xml: [UInt8], _ list: ChannelList, piece: Int = 1 << 20) -> Guide {
        var reader = XMLTVReader(GuideLinks(list) { $0.lowercased() }, around: Self.now) { $0.lowercased() }
        var rest = xml[...]
        while !rest.isEmpty {
            _ = reader.feed(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
        }
        return reader.finish()
    }

    private let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE tv SYSTEM "xmltv.dtd">
        <tv generator-info-name="x"><!-- <programme channel="one" start="20231114220000"><title>No</title></programme> -->
        <channel id="one"><display-name>Number One</display-name></channel>
        <channel id="two"><display-name lang="de">Zwei HD</display-name><display-name>Two</display-name></channel>
        <programme start="20231114220000 +0000" stop="20231114230000 +0000" channel="one"><title>News &amp; more</title><sub-title>Evening</sub-title><desc><![CDATA[What <happened>]]></desc></programme>
        <programme start="20231115000000 +0100" channel="one"><title>Open</title></programme>
        <programme start="20231115003000 +0000" stop="20231115010000 +0000" channel="one"><title>Late</title></programme>
        <programme start="20231114210000 +0000" stop="20231114223000 +0000" channel="two"><title>Long</title></programme>
        <programme start="20231114220000 +0000" stop="20231114230000 +0000" channel="two"><title>Cuts</title></programme>
        <programme start="20231114220000 +0000" stop="20231114233000 +0000" channel="two"><title>Twice</title></programme>
        <programme start="20231114220000 +0000" stop="20231114230000 +0000" channel="three"><title>None of the list's</title></programme>
        <programme start="20231110220000 +0000" stop="20231110230000 +0000" channel="one"><title>Too old</title></programme>
        <programme start="20231118220000 +0000" stop="20231118230000 +0000" channel="one"><title>Too new</title></programme>
        </tv>
        """

    @Test(arguments: [1, 7, 64, 1 << 20])
    func programmesOfTheListsChannelsAreKept(_ piece: Int) {
        let guide = guide(Array(xml.utf8), list([("one", "x"), ("", "Two FHD"), ("", "Unknown")]), piece: piece)
        #expect(guide.programmes(of: 0).map(\.title) == ["News & more", "Open", "Late"])
        #expect(guide.programmes(of: 1).map(\.title) == ["Long", "Cuts"])
        #expect(guide.programmes(of: 2).isEmpty && guide.linkedCount == 2 && guide.count == 5)
        #expect(guide.programmes(of: 0)[0].summary == "Evening. What <happened>")
    }

    @Test func aMissingEndIsTheNextBeginning() {
        let programmes = guide(Array(xml.utf8), list([("one", "x")])).programmes(of: 0)
        #expect(programmes[1].start == 1_700_002_800 && programmes[1].stop == programmes[2].start)
    }

    @Test func overlappingProgrammesEndWhereTheNextBegins() {
        let programmes = guide(Array(xml.utf8), list([("two", "x")])).programmes(of: 0)
        #expect(programmes.map { $0.stop - $0.start } == [3600, 3600])
    }

    @Test func nowAndNextAreThoseOfATime() {
        let guide = guide(Array(xml.utf8), list([("one", "x")]))
        let here = guide.nowNext(of: 0, at: Self.now)
        #expect(here.now?.title == "News & more" && here.next?.title == "Open")
        #expect(abs((here.progress ?? 0) - 800.0 / 3600) < 0.001)
        let before = guide.nowNext(of: 0, at: Self.now - 7200), after = guide.nowNext(of: 0, at: Self.now + 86_400)
        #expect(before.now == nil && before.next?.title == "News & more" && before.progress == nil)
        #expect(after == NowNext(at: 0) && guide.nowNext(of: 9, at: Self.now) == NowNext(at: 0))
        for offset in stride(from: Int64(-10_000), to: 30_000, by: 100) {
            #expect(guide.nowNext(of: 0, at: Self.now + offset) == NowNext(guide.programmes(of: 0), at: Self.now + offset))
        }
    }

    @Test func anIDGoesBeforeAName() {
        let text =
            "<tv><channel id=\"a\"><display-name>B</display-name></channel><channel id=\"b\"><display-name>A</display-name></channel>"
            + "<programme start=\"20231114220000\" channel=\"a\"><title>a</title></programme>"
            + "<programme start=\"20231114220000\" channel=\"b\"><title>b</title></programme></tv>"
        #expect(guide(Array(text.utf8), list([("b", "B")])).programmes(of: 0).map(\.title) == ["b"])
    }

    @Test func theShiftOfAListMovesItsGuide() {
        let guide = guide(Array(xml.utf8), list([("one", "x")], header: "tvg-shift=\"2\""))
        #expect(guide.programmes(of: 0).map(\.start).first == 1_700_006_400)
        #expect(guide.nowNext(of: 0, at: Self.now).now == nil)
        #expect(guide.nowNext(of: 0, at: Self.now + 7200).now?.title == "News & more")
    }

    @Test(
        arguments: [
            ("20231114221320 +0000", 1_700_000_000), ("20231114221320", 1_700_000_000), ("20231114231320 +0100", 1_700_000_000),
            ("20231114181320 -0400", 1_700_000_000), ("20231115034320+0530", 1_700_000_000),
            ("20231114231320 +01:00", 1_700_000_000),
            ("20231114231320 CET", 1_700_000_000), ("20231114221320Z", 1_700_000_000), ("202311142213", 1_699_999_980),
            ("20231114", 1_699_920_000), ("2023111422132000", 1_700_000_000),
        ] as [(String, Int64)])
    func timesAreReadInTheirZones(_ text: String, _ unix: Int64) { #expect(XMLTVTime.unix(Array(text.utf8)[...]) == unix) }

    @Test(arguments: ["", "x", "20231", "20231314000000", "20231132000000", "20231114250000"])
    func whatIsNoTimeIsNone(_ text: String) { #expect(XMLTVTime.unix(Array(text.utf8)[...]) == nil) }

    @Test(arguments: [
        ("One HD", "one"), ("ONE (backup)", "one"), ("[DE] One 1080p", "one"), ("One-Two", "onetwo"), ("Sport+ HD", "sportplus"),
        ("HD", "hd"), ("  ", ""),
    ])
    func namesAreComparedAsPeopleSayThem(_ name: String, _ plain: String) {
        #expect(GuideLinks.plain(name) { $0.lowercased() } == plain)
    }

    @Test func latinOneIsReadWhereTheDocumentSaysSo() {
        let text =
            Array(
                "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><tv><programme start=\"20231114220000\" channel=\"one\"><title>T"
                    .utf8)
            + [0xE9] + Array("l</title></programme></tv>".utf8)
        #expect(guide(text, list([("one", "x")])).programmes(of: 0).first?.title == "Tél")
    }

    @Test func anElementWithoutAnEndIsLeftOut() {
        let endless = "<tv><programme start=\"20231114220000\" channel=\"one\"><title>" + String(repeating: "x", count: 400_000)
        let text = endless + "<programme start=\"20231114220000\" channel=\"one\"><title>Good</title></programme>"
        #expect(guide(Array(text.utf8), list([("one", "x")]), piece: 10_000).programmes(of: 0).count <= 1)
    }

    // MARK: - gzip

    private func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
        var pieces = GzipPieces(bytes), whole: [UInt8] = []
        while let piece = try pieces.next() { whole += piece }
        return whole
    }

    private func gzip(_ bytes: [UInt8], _ level: String) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let path = folder.path("x")
        try Data(bytes).write(to: URL(filePath: path))
        #expect(try Command(["gzip", "-k", level, path]).status == 0)
        return Array(try Data(contentsOf: URL(filePath: path + ".gz")))
    }

    @Test(arguments: ["-1", "-6", "-9"])
    func whatGzipMadeComesBack(_ level: String) throws {
        var random = SeededRandom(seed: 3)
        let noise = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let text = (0..<60_000).flatMap { Array("line \($0 % 977) of a guide\n".utf8) }
        for bytes in [[], [65], noise, text, text + noise + text] as [[UInt8]] {
            let packed = try gzip(bytes, level)
            #expect(GzipPieces.isGzip(packed))
            #expect(try inflated(packed) == bytes)
            // Two members behind one another are one file.
            #expect(try inflated(packed + packed) == bytes + bytes)
        }
    }

    @Test func aFileThatBreaksOffIsDamaged() throws {
        let packed = try gzip((0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) }, "-6")
        #expect(throws: GzipPieces.Damage.self) { try inflated(Array(packed.prefix(packed.count / 2))) }
        #expect(throws: GzipPieces.Damage.self) { try inflated(Array(packed.prefix(20)) + [UInt8](repeating: 0xFF, count: 300)) }
    }
}
