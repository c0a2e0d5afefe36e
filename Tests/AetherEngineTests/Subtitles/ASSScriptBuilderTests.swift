import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

@Suite struct ASSScriptBuilderTests {
    private static let corpus = Fixtures.shared?.appendingPathComponent("corpus")
    private static let scripts = [
        "pysubs2/subtitle_with_attached_images_aegisub.ass", "astisub/example-in.ssa", "libass-tests/regression/karaoke",
        "libass-tests/regression/blurs",
    ]

    private func cue(
        _ id: Int, _ start: Double, _ end: Double, _ body: SubtitleCue.Body, _ placement: SubtitleTextPlacement? = nil,
        markup: String? = nil
    ) -> SubtitleCue {
        SubtitleCue(
            id: id, track: TrackID(.external, 1), start: .seconds(start), end: .seconds(end), body: body, placement: placement,
            markup: markup)
    }

    private func read(_ path: String) throws -> SubtitleFile.Stream {
        try #require(
            try SubtitleFile(location: .file(path), formatHint: nil, frameRate: nil, interrupt: Interrupt()).read().first)
    }

    private func cues(_ stream: SubtitleFile.Stream) -> [SubtitleCue] {
        let store = CueStore()
        for subtitle in stream.subtitles { store.add(subtitle, track: TrackID(.external, 1)) }
        return store.cues(track: TrackID(.external, 1))
    }

    private func script(_ header: String?, _ cues: [SubtitleCue]) -> String {
        var builder = ASSScriptBuilder(header: header)
        for cue in cues { builder.add(cue) }
        return builder.script
    }

    /// The events as ffmpeg reads them, but for those that say nothing: they are no cues.
    private func events(_ path: String) throws -> [Substring] {
        let made = try Fixtures.run("ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-c:s", "copy", "-f", "ass", "-"])
        try #require(made.status == 0)
        return String(decoding: made.output, as: UTF8.self).split(whereSeparator: \.isNewline).filter {
            $0.hasPrefix("Dialogue:") && !$0.hasSuffix(",")
        }
    }

    @Test func aScriptIsTheHeaderAndItsEventsInOrder() {
        let header =
            "\u{FEFF}[Script Info]\r\nPlayResX: 640\r\n\r\n[Events]\r\nFormat: Start, Text\r\nDialogue: old\r\n[Fonts]\r\nfontname: a\r\n"
        let made = script(
            header,
            [
                cue(1, 61.256, 3723, .text("x"), markup: "3,Sign,,0,0,0,,{\\k5}a,b\nc\u{0}\u{1B}"),
                cue(2, 1, 2, .text("a"), markup: "0,Default,,0,0,0,,one"),
                cue(3, 1, 2, .text(""), markup: "0,Default,,0,0,0,,two"),
            ])
        #expect(
            made == """
                [Script Info]
                PlayResX: 640

                [Fonts]
                fontname: a

                [Events]
                Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
                Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,one
                Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,two
                Dialogue: 3,0:01:01.26,1:02:03.00,Sign,,0,0,0,,{\\k5}a,b\\Nc

                """)
    }

    @Test func textOfOtherFormatsIsWrittenWithItsLooks() throws {
        let runs = [
            SubtitleTextRun("It's "), SubtitleTextRun("bold", isBold: true),
            SubtitleTextRun(" \\N {x}\n", color: SubtitleColor(r: 255, g: 8, b: 0), isItalic: true),
        ]
        let made = script(
            nil, [cue(1, -1, 2, .richText(runs), SubtitleTextPlacement(alignment: 8)), cue(2, 5, 6, .text("plain"))])
        #expect(made.hasPrefix("[Script Info]\n"))
        #expect(
            made.contains(
                "Dialogue: 0,0:00:00.00,0:00:02.00,Default,,0,0,0,,{\\an8}It's {\\b1}bold{\\r}{\\i1\\c&H0008FF&} \\\u{2060}N \\{x\\}\\N{\\r}\n"
            ))
        #expect(made.hasSuffix("Default,,0,0,0,,plain\n"))
        // The script reads back as the cues that were written.
        let folder = try TemporaryFolder()
        try made.write(toFile: folder.path("a.ass"), atomically: true, encoding: .utf8)
        let again = cues(try read(folder.path("a.ass")))
        #expect(again.map(\.placement?.alignment) == [8, nil] || again.map(\.placement?.alignment) == [8, 2])
        #expect(again.last?.lines == ["plain"])
    }

    @Test func imagesAndFloodsAreRefused() {
        let image = SubtitleImage(
            width: 1, height: 1, indices: [0], palette: [0], x: 0, y: 0, canvasSize: PixelSize(width: 1, height: 1),
            isForced: false)
        var builder = ASSScriptBuilder()
        let takesPictures = builder.add(cue(1, 0, 1, .image(image)))
        #expect(!takesPictures)
        for number in 0..<ASSScriptBuilder.eventLimit { builder.add(cue(number, 0, 1, .text("x"))) }
        let takesMore = builder.add(cue(0, 0, 1, .text("x")))
        #expect(!takesMore)
    }

    /// Every script of the corpus, read and built again, has the events that it had, in our reading, in ffmpeg's, and in libass' picture.
    @Test(.enabled(if: corpus != nil, "the shared corpus is not here")) func theCorpusBuiltAgainIsTheSame() throws {
        let corpus = try #require(Self.corpus)
        var paths: [String] = []
        for path in Self.scripts.map({ corpus.appendingPathComponent($0).path }) {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
            let names =
                isFolder.boolValue
                ? try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".ass") }.map {
                    path + "/" + $0
                } : [path]
            paths += names.sorted()
        }
        try #require(paths.count >= 4)
        let folder = try TemporaryFolder()
        for path in paths {
            let stream = try read(path)
            let made = folder.path("built.ass")
            try script(stream.assHeader, cues(stream)).write(toFile: made, atomically: true, encoding: .utf8)
            let (before, after) = (cues(stream), cues(try read(made)))
            #expect(before.count == after.count, "\(path)")
            for (old, new) in zip(before, after) {
                #expect(
                    old.start == new.start && old.end == new.end && old.markup == new.markup && old.body == new.body, "\(path)")
            }
            if !path.hasSuffix(".ssa") {
                // The order of events that begin together in a file is not the demuxer's.
                #expect(try events(path).sorted() == events(made).sorted(), "\(path)")
            }
            #expect(try picture(path) == picture(made), "\(path)")
        }
    }

    /// The frame that libass draws through ffmpeg's filter, a second in.
    private func picture(_ path: String) throws -> Data {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: path, toPath: folder.path("s.ass"))
        let made = try Fixtures.run(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-f", "lavfi", "-i", "color=gray:size=640x360:rate=5:duration=4", "-vf",
                "ass=" + folder.path("s.ass"),
                "-pix_fmt", "rgb24", "-f", "framemd5", "-",
            ])
        try #require(made.status == 0)
        return Data(made.output)
    }
}
