import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherMedia

@Suite struct SubtitleDecoderTests {
    /// Texts of the first subtitle stream of a file made from a script by ffmpeg.
    private func decode(_ script: String, from ext: String, as codec: String, in container: String) throws -> [DecodedSubtitle] {
        let path = NSTemporaryDirectory() + "aether-subtitle-" + UUID().uuidString + "." + ext
        try script.write(toFile: path, atomically: true, encoding: .utf8)
        defer { unlink(path) }
        let output = path + "." + container
        let made = try Fixtures.run("ffmpeg", ["-v", "error", "-i", path, "-c:s", codec, output])
        try #require(made.status == 0, "\(String(decoding: made.errors, as: UTF8.self))")
        defer { unlink(output) }
        var demuxer = try Demuxer(try reading(output), options: OpenOptions(analysis: .full), interrupt: Interrupt())
        let stream = try #require(demuxer.info.decodable(.subtitle).first)
        var decoder = try SubtitleDecoder(stream.parameters)
        return try DecodedSource.allPackets(&demuxer).flatMap { try decoder.decode($0) }
    }

    private static let script = """
        1
        00:00:01,000 --> 00:00:02,500
        <i>First</i> line
        second line

        2
        00:00:03,000 --> 00:00:04,000
        {\\an8}Top & bottom

        """

    @Test(arguments: [("subrip", "mkv"), ("ass", "mkv"), ("mov_text", "mp4"), ("webvtt", "webm")])
    func givesPlainLinesWithTheirTimes(_ codec: String, _ container: String) throws {
        let texts = try decode(Self.script, from: "srt", as: codec, in: container)
        #expect(texts.map(\.start) == [.seconds(1), .seconds(3)])
        #expect(texts.map(\.end) == [.seconds(2.5), .seconds(4)])
        #expect(texts.map(\.lines) == [["First line", "second line"], ["Top & bottom"]])
        #expect(texts.first?.body?.runs?.first == SubtitleTextRun("First", isItalic: true))
        // WebVTT has no such place, and ffmpeg's writer of it leaves the override out.
        if codec != "webvtt" && codec != "mov_text" { #expect(texts.last?.placement == SubtitleTextPlacement(alignment: 8)) }
    }

    @Test(arguments: [
        ("plain", ["plain"]), ("{\\b1}bold{\\b0} end", ["bold end"]), ("one\\Ntwo\\nthree", ["one", "two", "three"]),
        ("a\\hb", ["a b"]), ("{\\p1}m 0 0 l 1 1{\\p0}text", ["text"]), ("{\\p2}m 0 0", []), ("{\\pos(1,2)}kept", ["kept"]),
        ("{\\pbo3}kept", ["kept"]), ("{unclosed", ["{unclosed"]), ("\u{1B}[31mred", ["[31mred"]), ("", []), ("{\\an8}", []),
        ("{\\an8\\p1}m 0 0{\\an2}m 1 1{\\p0}x", ["x"]),
    ])
    func stripsOverridesAndDrawings(_ field: String, _ lines: [String]) {
        #expect(ASSText.lines(field[...]) == lines)
    }

    @Test func takesTheNinthFieldOfAnEventWithItsCommas() {
        #expect(ASSText.fields(ofEvent: "0,0,Default,,0,0,0,,a, b, c")?.text == "a, b, c")
        #expect(ASSText.fields(ofEvent: "0,0,Default") == nil)
    }
}
