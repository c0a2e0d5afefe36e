import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// Subtitle files with what libavformat stumbles over: all that can be read is shown.
@Suite struct HostileFileTests {
    private func cues(_ bytes: [UInt8], name: String = "a.srt") throws -> [SubtitleCorpusTests.Line] {
        let folder = try TemporaryFolder()
        let path = folder.path(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let streams = try SubtitleFile(location: .file(path), formatHint: nil, frameRate: 25, interrupt: Interrupt()).read()
        return SubtitleCorpusTests.lines(try #require(streams.first))
    }

    private func script(_ texts: [[UInt8]]) -> [UInt8] {
        texts.enumerated().flatMap { index, text in
            Array("\(index + 1)\n00:00:0\(index + 1),000 --> 00:00:0\(index + 1),900\n".utf8) + text + Array("\n\n".utf8)
        }
    }

    @Test(arguments: ["a.srt", "a.txt"]) func aZeroEndsNothing(_ name: String) throws {
        let lines = try cues(script([Array("One".utf8), Array("Tw\0o\u{7}".utf8), Array("Thrée".utf8)]), name: name)
        #expect(lines.map(\.text) == ["One", "Two", "Thrée"])
    }

    /// libavformat 5.1 reads none of them behind a style sheet.
    @Test func cuesBehindAStyleSheetAreRead() throws {
        let text =
            "WEBVTT\n\nSTYLE\n::cue(.a) { color: red }\n\n00:01.000 --> 00:02.000\n<c.a>One</c>\n\n00:03.000 --> 00:04.000\nTwo\n"
        #expect(try cues(Array(text.utf8), name: "a.vtt").map(\.text) == ["One", "Two"])
    }

    @Test(arguments: [[], [0x20, 0x0A, 0x0D, 0x0A], [0xEF, 0xBB, 0xBF, 0x0A], [0, 0, 0, 0]] as [[UInt8]])
    func anEmptyFileIsSaidToBeEmpty(_ bytes: [UInt8]) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.srt")
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: MediaError.self) {
            try SubtitleFile(location: .file(path), formatHint: nil, frameRate: nil, interrupt: Interrupt()).read()
        }
        #expect(error.map { "\($0)" }?.hasSuffix("the file is empty") ?? false, "\(error.map { "\($0)" } ?? "")")
    }

    /// The page that a server sends in place of a file that it does not have.
    @Test(arguments: ["a.vtt", "a.srt"]) func aPageInPlaceOfSubtitlesIsRefused(_ name: String) throws {
        let page = "<!DOCTYPE html>\n<html><head><title>404</title></head>\n<body>\n<p>Not found</p>\n</body></html>\n"
        #expect(throws: MediaError.self) { try cues(Array(page.utf8), name: name) }
    }

    @Test func cuesOfWebVTTBeginWhereTheirTimesStand() throws {
        let text = "WEBVTT\n\n-->\n00:01.000 --> 00:02.000\nOne&nbspmore\n00:03.000-->00:04.000align:left\nTwo\n"
        #expect(try cues(Array(text.utf8), name: "a.vtt").map(\.text) == ["One more", "Two"])
    }

    /// libavformat opens these two by itself, and nobody writes to a pipe.
    @Test(arguments: ["idx", "sub"]) func aPipeInPlaceOfImagesIsNotWaitedFor(_ pipe: String) throws {
        let folder = try TemporaryFolder()
        for name in ["idx", "sub"] {
            if name == pipe {
                #expect(mkfifo(folder.path("film.\(name)"), 0o600) == 0)
            } else {
                try Data("# VobSub index file, v7\nid: en, index: 0\ntimestamp: 00:00:01:000, filepos: 000000000\n".utf8)
                    .write(to: URL(filePath: folder.path("film.\(name)")))
            }
        }
        let file = SubtitleFile(location: .file(folder.path("film.idx")), formatHint: nil, frameRate: 25, interrupt: Interrupt())
        #expect(throws: MediaError.self) { try file.read() }
    }

    /// A file that was not written to its end ends in zeros.
    @Test func zerosAfterTheEndAreNoText() throws {
        let lines = try cues(script([Array("One".utf8), Array("Two".utf8)]) + [UInt8](repeating: 0, count: 50_000))
        #expect(lines.map(\.text) == ["One", "Two"])
    }

    @Test func oneBadByteTakesNothingWithIt() throws {
        let lines = try cues(
            script([
                Array("Grüße".utf8) + [0x80, 0xBF] + Array(", schön".utf8),
                Array("naïve ".utf8) + [0xED, 0xA0, 0x80, 0xC0, 0xAF],
                Array("日本語".utf8) + [0xE6],
            ]))
        #expect(lines.count == 3 && lines[1].text.hasPrefix("na") && !lines[2].text.isEmpty, "\(lines)")
    }

    /// libavformat cuts a line at 4095 bytes, within a letter.
    @Test(arguments: ["ä", "日", "😀", "x", "日 "], [1400, 4096, 20_000, 1 << 20])
    func anEndlessLineIsShownAsFarAsItGoes(_ part: String, _ size: Int) throws {
        let long = Array("x".utf8) + Array(repeating: Array(part.utf8), count: size / part.utf8.count).joined()
        let lines = try cues(script([Array("One".utf8), long, Array("Three".utf8)]))
        #expect(lines.count == 3 && lines.first?.text == "One" && lines.last?.text == "Three")
        let text = try #require(lines.dropFirst().first?.text)
        #expect(
            text.hasPrefix("x" + part.trimmingCharacters(in: .whitespaces)) && !text.contains("\u{FFFD}") && !text.contains("|"))
        #expect(text.unicodeScalars.count <= 502 && text.unicodeScalars.count >= min(300, size / part.utf8.count))
    }

    @Test(arguments: ["a.vtt", "a.sub", "a.ass", "a.smi", "a.mpl2"]) func aMegabyteInOneLine(_ name: String) throws {
        let long = String(repeating: "ä日", count: 200_000)
        let texts = [
            "a.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\nFirst \(long)\n\n00:03.000 --> 00:04.000\nSecond\n",
            "a.sub": "{1}{1}25\n{25}{50}First \(long)\n{60}{80}Second\n",
            "a.ass":
                "[Script Info]\nScriptType: v4.00+\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
                + "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,First \(long)\nDialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,Second\n",
            "a.smi":
                "<SAMI><BODY><SYNC Start=1000><P>First \(long)<SYNC Start=3000><P>Second<SYNC Start=4000><P>&nbsp;</BODY></SAMI>",
            "a.mpl2": "[10][20]First \(long)\n[30][40]Second\n",
        ]
        let start = CPUTime.ofThread
        let lines = try cues(Array((texts[name] ?? "").utf8), name: name)
        #expect(CPUTime.ofThread - start < .seconds(10))
        #expect(
            lines.first?.text.hasPrefix("First ") == true && lines.last?.text == "Second", "\(lines.map { $0.text.prefix(40) })")
        #expect(lines.allSatisfy { $0.text.unicodeScalars.count <= 16 * 502 })
    }
}
