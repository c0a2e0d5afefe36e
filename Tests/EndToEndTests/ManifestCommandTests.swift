import AetherTestSupport
import Foundation
import Testing

/// `aetherctl manifest` from outside, over playlists in a folder.
@Suite(.enabled(if: Programs.control != nil, "\(Programs.missing)"))
struct ManifestCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: folder.path(name)))
        return folder.path(name)
    }

    private func run(_ arguments: String...) throws -> Command {
        try Command([#require(Programs.control), "manifest"] + arguments)
    }

    @Test func aListOfVariantsLeadsToItsSegments() throws {
        _ = try write("low.m3u8", "#EXTM3U\n#EXTINF:4,\na b.ts\n#EXTINF:2.5,\nb.ts\n#EXT-X-ENDLIST\n")
        let master = try write("m.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360\nlow.m3u8\n")
        let command = try run("--json", master)
        #expect(command.status == 0)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(command.standardOutput.utf8)) as? [String: Any])
        #expect(json["kind"] as? String == "vod" && json["duration"] as? Double == 6.5)
        let renditions = try #require(json["renditions"] as? [[String: Any]])
        let segments = try #require(renditions.first?["segments"] as? [[String: Any]])
        #expect(segments.map { $0["start"] as? Double } == [0, 4])
        #expect(try run(master).standardOutput.contains("640x360"))
    }

    /// A template through two periods, and a file with an index in it.
    @Test func aManifestOfDASH() throws {
        let index: [UInt8] = [
            0, 0, 0, 44, 0x73, 0x69, 0x64, 0x78, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
            0, 0, 0, 50, 0, 0, 0, 40, 0x80, 0, 0, 0,
        ]
        try Data(index).write(to: URL(filePath: folder.path("a.mp4")))
        let source = try write(
            "m.mpd",
            """
            <MPD><Period id="p" duration="PT4S"><AdaptationSet mimeType="video/mp4"><Representation id="v" bandwidth="800000" width="640" height="360">
            <SegmentTemplate media="s$Number$.m4s" duration="2"/></Representation></AdaptationSet></Period>
            <Period duration="PT4S"><AdaptationSet mimeType="video/mp4"><Representation id="v" bandwidth="1"><BaseURL>a.mp4</BaseURL>
            <SegmentBase indexRange="0-43"/></Representation></AdaptationSet></Period></MPD>
            """)
        let command = try run("--json", source)
        #expect(command.status == 0, "\(command.standardError)")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(command.standardOutput.utf8)) as? [String: Any])
        #expect(json["duration"] as? Double == 8 && (json["periods"] as? [Any])?.count == 2)
        let renditions = try #require(json["renditions"] as? [[String: Any]])
        let segments = try #require(renditions.first?["segments"] as? [[String: Any]])
        #expect(segments.map { $0["start"] as? Double } == [0, 2, 4] && segments.last?["length"] as? Int == 50)
        #expect(segments.map { $0["mediaOffset"] as? Double } == [0, 0, 4])
        #expect(try run(source).standardOutput.contains("640x360"))
    }

    @Test(arguments: [
        ("<MPD><!DOCTYPE x></MPD>", "a document type"), ("<MPD/>", "nothing to play"), ("<MPD><Period>", "cut off"),
        ("<html></html>", "this is a web page and no playlist"), ("", "the playlist is empty"),
        ("#EXTM3U\n#EXTINF:-1,\na\n", "line 2: the number of EXTINF makes no sense"),
        (
            "#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\"\n#EXTINF:1,\na\n#EXT-X-ENDLIST\n",
            "the media is protected by FairPlay"
        ),
        ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n../../../../../../etc/passwd\n", "files of its own folder only"),
        ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nm.m3u8\n", "a list of segments was expected"),
    ])
    func whatCannotBePlayedIsOneSentence(_ text: String, _ sentence: String) throws {
        let command = try run(try write("m.m3u8", text))
        #expect(command.status == 2)
        #expect(command.standardError.contains(sentence), "\(command.standardError)")
        #expect(command.standardError.split(separator: "\n").count == 1)
    }

    @Test func aLinkOutOfTheFolderIsNotFollowed() throws {
        let inner = folder.path("inner")
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        _ = try write("secret.m3u8", "#EXTM3U\n#EXTINF:1,\na\n#EXT-X-ENDLIST\n")
        let master = try write("inner/m.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlink.m3u8\n")
        try FileManager.default.createSymbolicLink(atPath: inner + "/link.m3u8", withDestinationPath: folder.path("secret.m3u8"))
        #expect(try run(master).status == 2)
    }
}
