import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// Matroska's S_TEXT/USF, which libavformat has no name for; ffmpeg cannot write it, so the name of another text is changed.
@Suite struct USFTests {
    private func film(_ folder: TemporaryFolder, _ texts: [String], codec: String) throws -> String {
        let script = texts.enumerated().map { "\($0 + 1)\n00:00:0\($0 + 1),000 --> 00:00:0\($0 + 1),900\n\($1)\n\n" }.joined()
        try script.write(toFile: folder.path("a.srt"), atomically: true, encoding: .utf8)
        let path = folder.path("a.mkv")
        let made = try Fixtures.run("ffmpeg", ["-v", "error", "-i", folder.path("a.srt"), "-c:s", "copy", path])
        try #require(made.status == 0)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let name = try #require(bytes.range(of: Data("S_TEXT/UTF8".utf8)))
        bytes.replaceSubrange(name, with: Data(codec.utf8) + Data(repeating: 0, count: name.count - codec.utf8.count))
        try bytes.write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func isLabelledAndReadWithoutItsTags() throws {
        let folder = try TemporaryFolder()
        let path = try film(
            folder, ["<text alignment=\"TopCenter\">One <i>two</i><br/>three &amp; four</text>", "<text>Five</text>"],
            codec: "S_TEXT/USF")
        let streams = try SubtitleFile(location: .file(path), formatHint: nil, frameRate: nil, interrupt: Interrupt()).read()
        let stream = try #require(streams.first)
        #expect(stream.codec == "usf" && !stream.isBitmap)
        #expect(stream.subtitles.map(\.lines) == [["One two", "three & four"], ["Five"]])
        #expect(stream.subtitles.map(\.start) == [.seconds(1), .seconds(2)])
        #expect(stream.subtitles.map { $0.placement?.alignment } == [8, nil])
    }

    @Test func otherNamesStayWebVTT() throws {
        let folder = try TemporaryFolder()
        let path = try film(folder, ["One"], codec: "S_TEXT/XYZ")
        let streams = try SubtitleFile(location: .file(path), formatHint: nil, frameRate: nil, interrupt: Interrupt()).read()
        #expect(streams.map(\.codec) == ["webvtt"])
    }
}
