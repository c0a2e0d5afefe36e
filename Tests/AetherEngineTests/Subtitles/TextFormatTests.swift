import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// The text formats of libavformat that the corpus has no file of: what they say against what `ffmpeg -f srt` makes of the same file.
@Suite struct TextFormatTests {
    private static let files: [(name: String, text: String)] = [
        ("a.mpl2", "[10][30]First line|/second, in italics\n[35][60]Another\n[90][99]Third\n"),
        ("a.sub", "{1}{1}23.976\n{10}{40}First line|second\n{50}{80}{y:b}Another\n"),
        (
            "b.sub",
            "[INFORMATION]\n[TITLE]x\n[END INFORMATION]\n[SUBTITLE]\n00:00:01.00,00:00:03.00\nFirst line[br]second\n\n00:00:04.00,00:00:05.50\nAnother\n\n"
        ),
        ("a.jss", "#S0\n#TIMERES 30\n0:00:01.00 0:00:03.00 D First line\\nsecond\n0:00:04.00 0:00:05.15 D Another\n"),
        ("a.pjs", "   10,   30, \"First line|second\"\n   40,   60, \"Another\"\n"),
        (
            "a.rt",
            "<window type=\"generic\" duration=\"30\">\n<time begin=\"1\"/>First line<br/>second\n<time begin=\"4\"/><clear/>Another\n<time begin=\"6\"/><clear/>\n</window>\n"
        ),
        ("a.stl", "$FontName = Arial\n00:00:01:00 , 00:00:03:00 , First line|second\n00:00:04:00 , 00:00:05:12 , Another\n"),
        ("a.aqt", "-->> 25\nFirst line\nsecond\n-->> 75\n\n-->> 100\nAnother\n\n-->> 150\n"),
        ("a.sbv", "0:00:01.000,0:00:03.000\nFirst line\nsecond\n\n0:00:04.000,0:00:05.500\nAnother\n\n"),
        ("a.vplayer.txt", "00:00:01:First line|second\n00:00:03:\n00:00:04:Another\n00:00:06:\n"),
        ("a.lrc", "[00:01.00]First line\n[00:04.00]Another\n"),
        (
            "a.smi",
            "<SAMI><BODY><SYNC Start=1000><P>First line<br>second<SYNC Start=3000><P>&nbsp;<SYNC Start=4000><P>Another</BODY></SAMI>"
        ),
    ]

    /// Two lines are too few for libavformat's probe.
    @Test(arguments: [
        "{10}{40}First line|second\n{50}{80}{y:b}Another\n", "[10][30]First line|/second, in italics\n[35][60]Another\n",
    ])
    func shortFilesInBracketsAreKnown(_ text: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.sub")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let streams = try SubtitleFile(location: .file(path), formatHint: nil, frameRate: 25, interrupt: Interrupt()).read()
        let lines = SubtitleCorpusTests.lines(try #require(streams.first))
        #expect(lines.count == 2 && lines[0].text.hasPrefix("First line|second") && lines[1].text == "Another", "\(lines)")
    }

    /// Some programs write cues without numbers; a text may be one.
    @Test(arguments: ["", "\u{FEFF}", "\r\n\n"]) func subRipWithoutNumbersIsKnown(_ head: String) throws {
        let folder = try TemporaryFolder(), path = folder.path("a.srt")
        let text =
            "00:00:01,000 --> 00:00:02,000\r\nFirst\r\nline\r\n\r\n0:00:03.000 --> 0:00:04.500\n42\n\n"
            + "00:00:05,000 --> 00:00:06,000\nA --> B"
        try (head + text).write(toFile: path, atomically: true, encoding: .utf8)
        let streams = try SubtitleFile(location: .file(path), formatHint: nil, frameRate: nil, interrupt: Interrupt()).read()
        let lines = SubtitleCorpusTests.lines(try #require(streams.first))
        #expect(lines.map(\.text) == ["First|line", "42", "A --> B"], "\(lines)")
    }

    @Test func languagesOfSAMIAreTracks() throws {
        let folder = try TemporaryFolder(), path = folder.path("a.smi")
        let text =
            "<SAMI><HEAD><STYLE><!--\n.KRCC { lang:ko-KR; }\n.ENCC { lang:en-US; }\n--></STYLE></HEAD><BODY>\n"
            + "<SYNC Start=1000><P Class=KRCC>Hana<P Class=ENCC>One &amp; two\n<SYNC Start=2000><P Class=KRCC>Dul\n"
            + "<SYNC Start=3000><P Class=KRCC>&nbsp;<P Class=ENCC>&nbsp;\n</BODY></SAMI>"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let streams = try SubtitleFile(location: .file(path), formatHint: nil, frameRate: nil, interrupt: Interrupt()).read()
        #expect(streams.map(\.language) == ["ko-kr", "en-us"])
        let texts = streams.map { SubtitleCorpusTests.lines($0).map(\.text) }
        #expect(texts == [["Hana", "Dul"], ["One & two"]], "\(texts)")
    }

    @Test(arguments: files.indices) func saysWhatFFmpegSays(_ index: Int) throws {
        let (name, text) = Self.files[index]
        let folder = try TemporaryFolder()
        let path = folder.path(name)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let streams = try SubtitleFile(location: .file(path), formatHint: nil, frameRate: nil, interrupt: Interrupt()).read()
        let stream = try #require(streams.first)
        let expected = try #require(try SubtitleCorpusTests.reference(path, stream: 0))
        let lines = SubtitleCorpusTests.lines(stream)
        // The last of a file that says no ends stands for five seconds; ffmpeg writes none, or a month.
        let isOpen = ["lrc", "smi", "rt"].contains((name as NSString).pathExtension)
        func compared(_ lines: [SubtitleCorpusTests.Line]) -> [SubtitleCorpusTests.Line] {
            isOpen ? Array(lines.dropLast()) : lines
        }
        #expect(lines.count == expected.count)
        #expect(SubtitleCorpusTests.difference(compared(lines), compared(expected)) == nil)
        #expect((2...3).contains(lines.count) && lines[0].text.hasPrefix("First line") && lines[1].text == "Another", "\(lines)")
    }
}
