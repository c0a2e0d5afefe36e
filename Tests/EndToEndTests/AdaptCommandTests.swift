import AetherTestSupport
import Foundation
import Testing

/// `aetherctl adapt` from outside: it needs the manifest alone.
@Suite(.enabled(if: Programs.control != nil, "\(Programs.missing)"))
struct AdaptCommandTests {
    private let folder: TemporaryFolder

    /// A link of 6 Mbit/s that falls to 1 after ten seconds, for ten seconds.
    init() throws {
        folder = try TemporaryFolder()
        let trace = (0..<40).map { "\($0) \((10..<20).contains($0) ? 1 : 6)" }.joined(separator: "\n")
        try write(trace, "link.txt")
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
    }

    private static let master = """
        #EXTM3U
        #EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360,CODECS="avc1.4d401e"
        low.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=4000000,RESOLUTION=1920x1080,CODECS="avc1.640028"
        high.m3u8

        """
    private static func manifest(_ addressing: String, _ more: String = "") -> String {
        """
        <MPD mediaPresentationDuration="PT60S"><Period><AdaptationSet mimeType="video/mp4" codecs="avc1.4d401e">\(more)
        <Representation id="low" bandwidth="800000" width="640" height="360"><BaseURL>low.mp4</BaseURL>\(addressing)</Representation>
        <Representation id="high" bandwidth="4000000" width="1920" height="1080"><BaseURL>high.mp4</BaseURL>\(addressing)</Representation>
        </AdaptationSet></Period></MPD>
        """
    }

    private struct Report {
        let steps: [[String: Any]], totals: [String: Any], errors: String
        var variants: [String] { steps.compactMap { $0["variant"] as? String } }
        var mediaTime: Double { totals["mediaTime"] as? Double ?? 0 }
        var stalls: Int { totals["stalls"] as? Int ?? -1 }
    }

    private func report(_ name: String, _ arguments: [String] = []) throws -> Report {
        let line = [try #require(Programs.control), "adapt", "--json", "--trace", folder.path("link.txt")]
        let command = try Command(line + arguments + [folder.path(name)])
        #expect(command.status == 0, "\(command.standardError)")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(command.standardOutput.utf8)) as? [String: Any])
        return Report(
            steps: try #require(json["steps"] as? [[String: Any]]), totals: try #require(json["totals"] as? [String: Any]),
            errors: command.standardError)
    }

    /// None of its playlists can be had, or what is there is a page: segments of 4 s for as long as the link was recorded.
    @Test(arguments: [nil, "<html><body>gone</body></html>", "#EXTM3U\n"])
    func aMasterPlaylistAloneIsEnough(_ list: String?) throws {
        try write(Self.master, "m.m3u8")
        for name in ["low.m3u8", "high.m3u8"] { if let list { try write(list, name) } }
        let report = try report("m.m3u8")
        #expect(report.errors.contains("segments of 4 s are assumed") && report.mediaTime == 40)
        #expect(report.steps.count >= 10 && report.stalls == 0 && Set(report.variants).count == 2, "\(report.variants)")
    }

    @Test func aRecordThatIsNotThereIsSaidSo() throws {
        let missing = folder.path("missing.txt")
        let said = try Command([#require(Programs.control), "adapt", "--trace", missing, folder.path("m.m3u8")])
        #expect(said.status == 2 && said.standardError == "aetherctl: cannot read ‘\(missing)’: No such file or directory\n")
    }

    /// One of the playlists is enough for the lengths of segments.
    @Test func onePlaylistTellsTheLengths() throws {
        try write(Self.master, "m.m3u8")
        let entries = (0..<30).map { "#EXTINF:2,\ns\($0).ts\n" }.joined()
        try write("#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(entries)#EXT-X-ENDLIST\n", "high.m3u8")
        let report = try report("m.m3u8")
        #expect(report.errors == "" && report.mediaTime == 60 && report.steps.count >= 30)
    }

    /// A manifest of DASH names its segments itself; of one whose indexes lie in media that are not there its length is known. Digital rights
    /// do not matter to a link.
    @Test(arguments: [
        ("<SegmentTemplate media=\"$Number$\" duration=\"2\"/>", "", ""),
        ("<SegmentBase indexRange=\"0-99\"/>", "", "segments of 4 s are assumed"), ("", "", "segments of 4 s are assumed"),
        (
            "<SegmentTemplate media=\"$Number$\" duration=\"2\"/>",
            "<ContentProtection schemeIdUri=\"urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed\"/>", ""
        ),
    ])
    func aManifestOfDASH(_ addressing: String, _ more: String, _ words: String) throws {
        try write(Self.manifest(addressing, more), "m.mpd")
        let report = try report("m.mpd")
        #expect(words.isEmpty ? report.errors == "" : report.errors.contains(words), "\(report.errors)")
        #expect(report.mediaTime == 60 && report.stalls == 0 && Set(report.variants) == ["low", "high"], "\(report.variants)")
        // A small window needs no more than the small one; without adaptation the first choice stays.
        #expect(Set(try self.report("m.mpd", ["--size", "320x180"]).variants) == ["low"])
        #expect(Set(try self.report("m.mpd", ["--off"]).variants).count == 1)
    }

    @Test func whatIsNoManifestIsRefused() throws {
        try write("hello", "m.txt")
        let command = try Command([#require(Programs.control), "adapt", "--trace", folder.path("link.txt"), folder.path("m.txt")])
        #expect(command.status == 2 && command.standardOutput == "" && command.standardError.contains("m.txt"))
    }
}
