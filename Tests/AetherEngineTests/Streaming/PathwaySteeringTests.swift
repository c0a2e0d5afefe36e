import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherFormats
@testable import AetherMedia

/// Which of several servers is used: the decision on a manual clock, and carried out on an origin that counts.
@Suite struct PathwaySteeringTests {
    private static let start = HostTime(nanoseconds: 1_000_000_000_000)

    private static func manifest(_ text: String) -> SteeringManifest? {
        StreamAddress("https://steer/a/s.json").flatMap { SteeringManifest(Array(text.utf8), address: $0) }
    }

    private static func steering(_ pathway: String = "A") throws -> PathwaySteering {
        let address = try #require(StreamAddress("https://steer/a/s.json"))
        return PathwaySteering(Presentation.Steering(address: address, pathway: pathway), now: start)
    }

    @Test(
        arguments: [
            ("{\"VERSION\":1,\"TTL\":30,\"PATHWAY-PRIORITY\":[\"B\",\"A\"]}", 30, ["B", "A"]),
            ("{\"SERVICE-LOCATION-PRIORITY\":[\"x\"]}", 300, ["x"]), ("{\"TTL\":-5,\"PATHWAY-PRIORITY\":[\"x\"]}", 1, ["x"]),
            ("{\"TTL\":1e12,\"PATHWAY-PRIORITY\":[\"x\",7]}", 86_400, ["x"]),
            ("{\"VERSION\":2,\"PATHWAY-PRIORITY\":[\"x\"]}", nil, []),
            ("{\"PATHWAY-PRIORITY\":[]}", nil, []), ("<html>", nil, []), ("", nil, []),
        ] as [(String, Int?, [String])])
    func aSteeringManifestIsRead(_ text: String, _ lifetime: Int?, _ order: [String]) {
        let manifest = Self.manifest(text)
        #expect(manifest?.lifetime == lifetime && manifest?.order ?? [] == order)
    }

    @Test func theOrderHoldsUntilItsTimeIsOver() throws {
        var steering = try Self.steering()
        #expect(steering.next == Self.start && steering.ranked(["B", nil, "A"]) == [2, 0, 1])
        let text = "{\"TTL\":30,\"RELOAD-URI\":\"../b.json\",\"PATHWAY-PRIORITY\":[\"C\",\"B\"]}"
        let isNew = steering.arrived(try #require(Self.manifest(text)), now: Self.start)
        #expect(isNew && steering.next == Self.start + .seconds(30) && steering.address.text == "https://steer/b.json")
        #expect(steering.ranked(["A", "B", "C"]) == [2, 1, 0] && steering.ranked(["A", "A"]) == [0, 1])
        let isNewer = steering.arrived(try #require(Self.manifest(text)), now: Self.start + .seconds(30))
        #expect(!isNewer && steering.next == Self.start + .seconds(60))
    }

    @Test(
        arguments: [(nil, nil, 300), (503, nil, 300), (429, 7, 7), (429, nil, 300), (503, 900, 900), (410, nil, nil)]
            as [(Int?, Double?, Double?)])
    func whatNobodyAnswersIsAskedAgainLater(_ status: Int?, _ after: Double?, _ seconds: Double?) throws {
        var steering = try Self.steering()
        steering.failed(status, retryAfter: after.map { .seconds($0) }, now: Self.start)
        #expect(steering.next == seconds.map { Self.start + .seconds($0) } && steering.order == ["A"])
    }

    @Test func aCloneIsMadeOfHostAndParametersOrNamed() throws {
        let clone = try #require(
            Self.manifest(
                """
                {"PATHWAY-PRIORITY":["C"],"PATHWAY-CLONES":[{"BASE-ID":"A","ID":"C","URI-REPLACEMENT":{"HOST":"c.example","PARAMS":{"t":"a b"},
                "PER-VARIANT-URIS":{"v1":"https://v/1.m3u8"},"PER-RENDITION-URIS":{"v1":"r.m3u8"}}},{"ID":"D"},3]}
                """)?.clones)
        let original = try #require(StreamAddress("https://u:p@a.example:8/x/l.m3u8?q=1"))
        #expect(clone.count == 1 && clone[0].base == "A")
        let address = { (stable: String?, isVariant: Bool) in
            clone[0].address(of: original, stable: stable, isVariant: isVariant)?.text
        }
        #expect(address(nil, true) == "https://c.example/x/l.m3u8?q=1&t=a%20b" && address("v1", true) == "https://v/1.m3u8")
        #expect(address("v1", false) == "https://u:p@a.example:8/x/r.m3u8")
    }

    // MARK: - Carried out

    /// A film at two paths of one origin, and what the steering server says.
    private func origin(_ film: SegmentedVideo, _ words: String) throws -> TestOrigin {
        try Data(words.utf8).write(to: URL(filePath: film.path("steer.json")))
        var files: [String: TestOrigin.Content] = ["/steer.json": .file(film.path("steer.json")), "/m": .file(film.path("m"))]
        for name in try FileManager.default.contentsOfDirectory(atPath: film.folder.url.path) {
            for place in ["/a/", "/b/"] { files[place + name] = .file(film.path(name)) }
        }
        return try TestOrigin(files)
    }

    private func master(_ film: SegmentedVideo) throws {
        var text = "#EXTM3U\n#EXT-X-CONTENT-STEERING:SERVER-URI=\"/steer.json\",PATHWAY-ID=\"A\"\n"
        for name in ["a", "b"] {
            text += "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"\(name)\",NAME=\"One\",DEFAULT=YES,URI=\"/\(name)/l1.m3u8\"\n"
            text +=
                "#EXT-X-STREAM-INF:BANDWIDTH=900000,AUDIO=\"\(name)\",PATHWAY-ID=\"\(name.uppercased())\",STABLE-VARIANT-ID=\"v\"\n/\(name)/l0.m3u8\n"
        }
        try Data(text.utf8).write(to: URL(filePath: film.path("m")))
    }

    private static let order = "{\"VERSION\":1,\"TTL\":300,\"PATHWAY-PRIORITY\":[\"B\",\"A\"]}"

    @Test func aPlaylistIsReadFromTheServerThatIsNamed() throws {
        let film = try SegmentedVideo(.transport)
        try master(film)
        let origin = try origin(film, Self.order)
        let reading = try StreamReading(.url(origin.address + "/m"))
        #expect(reading.hasEveryFrame() && reading.isAudioWhole && reading.damage == 0)
        let targets = origin.requests.map(\.target), steered = targets.filter { $0.hasPrefix("/steer.json") }
        #expect(steered == ["/steer.json?_HLS_pathway=%22A%22"])
        // The first one comes from the first server, the last ones from the other.
        #expect(targets.contains("/a/s0_0.ts") && targets.contains("/b/s0_3.ts") && !targets.contains("/a/s0_3.ts"), "\(targets)")
        #expect(targets.contains("/b/s1_3.ts") && !targets.contains("/a/s1_3.ts"))
    }

    @Test func aServerThatFailsIsLeftForTheNextOne() throws {
        let film = try SegmentedVideo(.transport)
        try master(film)
        try film.rewrite("m") { $0.replacingOccurrences(of: "\n/a/", with: "\n/~fail=404:100/a/") }
        let origin = try origin(film, "{\"PATHWAY-PRIORITY\":[\"A\",\"B\"]}")
        let reading = try StreamReading(.url(origin.address + "/m"))
        #expect(reading.hasEveryFrame() && reading.damage == 0)
        #expect(origin.requests.filter { $0.target.hasPrefix("/~fail") }.count <= 3, "\(origin.requests.map(\.target))")
    }

    @Test func aSteeringServerThatIsSilentChangesNothing() throws {
        let film = try SegmentedVideo(.transport)
        try master(film)
        let origin = try origin(film, "<html>")
        let reading = try StreamReading(.url(origin.address + "/m"))
        #expect(reading.hasEveryFrame() && reading.isAudioWhole && reading.damage == 0)
        #expect(!origin.requests.contains { $0.target.hasPrefix("/b/") })
    }

    @Test func aManifestOfDASHIsReadFromTheServerThatIsNamed() throws {
        let film = try SegmentedVideo(.dashTimeline)
        try film.rewrite("m.mpd") { text in
            text.replacingOccurrences(
                of: "<Period ",
                with:
                    "<ContentSteering defaultServiceLocation=\"A\">/steer.json</ContentSteering><BaseURL serviceLocation=\"A\">/a/</BaseURL>"
                    + "<BaseURL serviceLocation=\"B\">/b/</BaseURL><Period ")
        }
        try FileManager.default.copyItem(atPath: film.path("m.mpd"), toPath: film.path("m"))
        let origin = try origin(film, Self.order)
        let reading = try StreamReading(.url(origin.address + "/m"))
        #expect(reading.hasEveryFrame() && reading.isAudioWhole && reading.damage == 0)
        let targets = origin.requests.map(\.target)
        #expect(targets.filter { $0.hasPrefix("/steer.json") } == ["/steer.json?_DASH_pathway=%22A%22"])
        #expect(targets.contains("/a/chunk-stream0-00001.m4s") && targets.contains("/b/chunk-stream0-00004.m4s"), "\(targets)")
        #expect(!targets.contains("/a/chunk-stream0-00004.m4s"))
    }

    @Test func aCloneBringsASourceOfItsOwn() throws {
        let film = try SegmentedVideo(.transport)
        try master(film)
        let words = """
            {"PATHWAY-PRIORITY":["C","A"],"PATHWAY-CLONES":[{"BASE-ID":"A","ID":"C","URI-REPLACEMENT":{"PER-VARIANT-URIS":{"v":"/b/l0.m3u8"}}}]}
            """
        try film.rewrite("m") { $0.components(separatedBy: "#EXT-X-MEDIA").prefix(2).joined(separator: "#EXT-X-MEDIA") }
        let origin = try origin(film, words)
        let reading = try StreamReading(.url(origin.address + "/m"))
        #expect(reading.hasEveryFrame() && reading.damage == 0)
        #expect(origin.requests.map(\.target).contains("/b/s0_3.ts"), "\(origin.requests.map(\.target))")
    }
}
