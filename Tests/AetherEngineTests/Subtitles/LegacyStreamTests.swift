import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// Texts in a container that are in no Unicode, which containers do not allow and people do.
@Suite struct LegacyStreamTests {
    private static let lines = ["Где ты был вчера?", "Мы ждали тебя.", "Я не знаю, о чём ты.", "Потом пошли домой.", "Хорошо."]

    /// A Matroska film whose texts are in that character set: letters of two bytes in UTF-8 are of one there, so that blanks fill up.
    private func film(_ folder: TemporaryFolder, codec: String, name: String) throws -> String {
        let script = Self.lines.enumerated().map { "\($0 + 1)\n00:00:0\($0 + 1),000 --> 00:00:0\($0 + 1),900\n\($1)\n\n" }
            .joined()
        try script.write(toFile: folder.path("a.srt"), atomically: true, encoding: .utf8)
        let path = folder.path("a." + name)
        let made = try Fixtures.run("ffmpeg", ["-v", "error", "-i", folder.path("a.srt"), "-c:s", codec, path])
        try #require(made.status == 0)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        for line in Self.lines {
            let old = Array(line.utf8)
            var new = line.unicodeScalars.map { scalar -> UInt8 in
                switch scalar.value {
                case 0x410...0x44F: UInt8(scalar.value - 0x410 + 0xC0)
                case 0x451: 0xB8
                default: UInt8(scalar.value)
                }
            }
            new += [UInt8](repeating: 0x20, count: old.count - new.count)
            var start = 0
            while start + old.count <= bytes.count {
                if bytes[start] == old[0], bytes[start..<start + old.count].elementsEqual(old) {
                    bytes.replaceSubrange(start..<start + old.count, with: new)
                    start += old.count
                } else {
                    start += 1
                }
            }
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(arguments: [("subrip", "mkv"), ("ass", "mkv"), ("webvtt", "webm"), ("mov_text", "mp4")])
    func areReadByAGuessAtAllOfThem(_ codec: String, _ name: String) throws {
        let folder = try TemporaryFolder()
        let path = try film(folder, codec: codec, name: name)
        let streams = try SubtitleFile(location: .file(path), formatHint: nil, frameRate: nil, interrupt: Interrupt()).read()
        let subtitles = try #require(streams.first).subtitles.sorted { $0.start < $1.start }
        #expect(subtitles.map { $0.lines.joined() } == Self.lines)
        #expect(subtitles.map(\.start) == (1...5).map { .seconds(Double($0)) })
    }
}
