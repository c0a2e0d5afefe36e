import AetherCore
import AetherEngine
import AetherFormats
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherUI

/// The look of each subtitle format on the screen, from the file to the cells.
@Suite(.serialized) struct SubtitleFormatTests {
    private static let corpus = Fixtures.shared?.appendingPathComponent("corpus")

    /// A player that stands still, with everything that was said known to it.
    private struct Player {
        let engine: AetherEngine
        let sink: FrameSink
        private let changed: Monitor<Int>

        init(_ path: String, subtitles: String? = nil, isSelected: Bool = false) throws {
            let changed = Monitor(0)
            self.changed = changed
            sink = FrameSink(RasterDemand(box: PixelSize(width: 80, height: 48), pixelAspect: 1, burning: .images))
            engine = AetherEngine(sink: sink, changed: { changed.update { $0 += 1 } })
            var options = LoadOptions()
            options.audioOutput = .none
            // Untimed pictures do not stand still in a pause.
            (options.isUntimed, options.rate) = (!isSelected, isSelected ? 4 : 1)
            options.recognisesImages = false
            options.findsSubtitleFiles = false
            options.externalSubtitles = subtitles.map { [ExternalSubtitleTrack(.file($0))] } ?? []
            engine.begin(.location(.file(path)), options: options)
            let opened = try engine.waitUntilOpened()
            if isSelected, let track = opened.subtitleTracks.first { engine.selectSubtitleTrack(id: track.id) }
            try #require(reaches { $0.phase == .ended && (subtitles == nil || !$0.subtitleTracks.isEmpty) })
        }

        /// The clock moves without a word: the condition is looked at every 5 ms, too.
        func reaches(_ condition: (EngineSnapshot) -> Bool) -> Bool {
            let time = SystemTime(), deadline = time.now() + .seconds(60)
            while time.now() < deadline {
                if condition(engine.snapshot()) { return true }
                _ = changed.wait(until: time.now() + .milliseconds(5)) { _ -> Bool? in nil }
            }
            return false
        }
    }

    private func cells(_ cues: [SubtitleCue], _ video: PixelSize?) -> String {
        var snapshot = AetherUITests.film()
        snapshot.visibleCues = cues
        snapshot.videoSize = video
        var model = AetherUITests.model(snapshot, columns: 60, rows: 16)
        model.scene.bar.mode = .off
        model.scene.bar.isVisible = false
        var overlay = CellOverlay(CellSize(columns: 60, rows: 16))
        for line in ChromeView.subtitles(model) { line.draw(Theme.standard[.subtitle], into: &overlay) }
        // Rows of picture alone say nothing.
        return overlay.text.enumerated().filter { $0.element.contains { $0 != "·" } }.map { "\($0.offset)\t\($0.element)" }
            .joined(separator: "\n")
    }

    /// The screens of a track's first cues of text, one after the other.
    private func screens(_ player: Player, limit: Int = 4) throws -> String {
        let track = try #require(player.engine.snapshot().subtitleTracks.first)
        let cues = try #require(player.engine.cueListing(of: track.id)).cues
        var times: [MediaTime] = []
        for cue in cues where times.last != cue.start && times.count < limit { times.append(cue.start) }
        try #require(!times.isEmpty)
        return times.map { time in
            let start = time - (times.first ?? time)
            return "+\(Figures.decimal(start.seconds, places: 2)) s\n"
                + cells(cues.filter { $0.start <= time && $0.end > time }, player.engine.snapshot().videoSize)
        }.joined(separator: "\n") + "\n"
    }

    private static let words = """
        1
        00:00:00,500 --> 00:00:01,000
        A <b>bold</b> word, an <i>italic</i> one
        and a second line

        2
        00:00:01,000 --> 00:00:01,500
        {\\an8}At the top: 東京, שלום, สวัสดี

        """

    private func muxed(_ codec: String, in container: String) throws -> String {
        let folder = try TemporaryFolder()
        try Self.words.write(toFile: folder.path("a.srt"), atomically: true, encoding: .utf8)
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=2", "-c:v", "libx264"], ext: "mp4")
        let path = NSTemporaryDirectory() + "aether-format-\(UUID().uuidString).\(container)"
        let made = try Fixtures.run(
            "ffmpeg",
            ["-v", "error", "-i", clip, "-i", folder.path("a.srt"), "-map", "0", "-map", "1", "-c", "copy", "-c:s", codec, path])
        try #require(made.status == 0, "\(String(decoding: made.errors, as: UTF8.self))")
        return path
    }

    @Test(arguments: [("subrip", "mkv"), ("ass", "mkv"), ("mov_text", "mp4"), ("webvtt", "mkv"), ("ttml", "mp4")])
    func textInsideAFilm(_ codec: String, _ container: String) throws {
        let path = try muxed(codec, in: container)
        defer { unlink(path) }
        let player = try Player(path)
        expectGolden(text: try screens(player), "format-\(codec)")
        player.engine.shutDown()
    }

    @Test(arguments: ["vtt", "ssa", "sub", "smi", "ttml"]) func textBesideAFilm(_ ext: String) throws {
        let folder = try TemporaryFolder()
        let texts = [
            "vtt": "WEBVTT\n\n00:01.000 --> 00:02.000 line:0 align:start\n<c.yellow>Yellow</c> left, <v Anna>Anna</v>\n",
            "ssa":
                "[Script Info]\nPlayResX: 640\nPlayResY: 480\n[V4 Styles]\nFormat: Name, Fontname, Fontsize, PrimaryColour, Bold, Alignment\n"
                + "Style: Default,Arial,20,65535,-1,6\n[Events]\nFormat: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
                + "Dialogue: Marked=0,0:00:01.00,0:00:02.00,Default,,0,0,0,,bold at the top\\Nin {\\i1}yellow\n",
            "sub": "{1}{1}25\n{25}{50}MicroDVD|{y:i}in italics\n{60}{80}and again\n",
            "smi":
                "<SAMI><BODY><SYNC Start=1000><P Class=EN>SAMI <i>text</i><br>of two lines<SYNC Start=2000><P Class=EN>&nbsp;</BODY></SAMI>",
            "ttml":
                "<tt xmlns=\"http://www.w3.org/ns/ttml\" xmlns:tts=\"http://www.w3.org/ns/ttml#styling\"><head><layout>"
                + "<region xml:id=\"t\" tts:origin=\"10% 5%\" tts:extent=\"80% 20%\" tts:displayAlign=\"before\"/></layout></head>"
                + "<body><div><p begin=\"1s\" end=\"2s\" region=\"t\" tts:color=\"lime\">Timed <span tts:fontStyle=\"italic\">text</span>"
                + "</p></div></body></tt>",
        ]
        try (texts[ext] ?? "").write(toFile: folder.path("a.\(ext)"), atomically: true, encoding: .utf8)
        let player = try Player(
            try Fixtures.clip(["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=4", "-c:v", "libx264"], ext: "mkv"),
            subtitles: folder.path("a.\(ext)"))
        expectGolden(text: try screens(player), "format-file-\(ext)")
        player.engine.shutDown()
    }

    @Test(
        .enabled(if: corpus != nil, "the shared corpus is not here"),
        arguments: [
            ("ebu-stl", "astisub/example-in.stl"), ("scc", "ttconv/scc/pop-on.scc"),
        ])
    func textOfBroadcasters(_ name: String, _ file: String) throws {
        let path = try #require(Self.corpus).appendingPathComponent(file).path
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=4", "-c:v", "libx264"], ext: "mkv")
        let player = try Player(clip, subtitles: path)
        expectGolden(text: try screens(player), "format-\(name)")
        player.engine.shutDown()
    }

    @Test(.enabled(if: corpus != nil, "the shared corpus is not here")) func captionsBesideThePicture() throws {
        let player = try Player(try #require(Self.corpus).appendingPathComponent("muxjs/segments/sintel-captions.ts").path)
        expectGolden(text: try screens(player), "format-eia_608")
        player.engine.shutDown()
    }

    @Test func digitalCaptions() {
        var decoder = DTVCCDecoder()
        // Window 0, two rows at the bottom; window 1, one at the top.
        let codes: [UInt8] =
            [0x98, 0x38, 70, 105, 0x71, 31, 0x11] + Array("It is".utf8) + [0x0D] + Array("digital.".utf8)
            + [0x99, 0x38, 5, 20, 0x00, 20, 0x11] + Array("\u{7F}NARRATOR".utf8.dropFirst())
        var texts: [DTVCCDecoder.Text] = []
        for start in stride(from: 0, to: codes.count, by: 13) {
            let part = Array(codes[start..<min(codes.count, start + 13)])
            var payload = [1 << 5 | UInt8(part.count)] + part
            if payload.count % 2 == 0 { payload.append(0) }
            var bytes: [UInt8] = [0xFF, 0x40 | UInt8((payload.count + 1) / 2), payload[0]]
            for index in stride(from: 1, to: payload.count, by: 2) { bytes += [0xFE, payload[index], payload[index + 1]] }
            // A packet is complete when the next one begins.
            for screen in decoder.take(bytes + [0xFF, 0x41, 0]) { texts = screen.texts }
        }
        let cues = texts.enumerated().map {
            SubtitleCue(
                id: $0.offset, track: TrackID(.closedCaption, 701), start: .zero, end: .seconds(1), body: $0.element.body,
                placement: $0.element.placement)
        }
        expectGolden(text: cells(cues, PixelSize(width: 640, height: 480)) + "\n", "format-cea_708")
    }

    @Test func teletext() throws {
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=5", "-c:v", "libx264", "-bf", "0"], ext: "ts")
        let bytes = TeletextStream.insert(
            [
                .init(at: 1, [(20, 7, "A line of teletext"), (22, 3, "and one in yellow")]),
                .init(at: 2, [(22, 6, "Somebody in cyan")]),
                .init(at: 3), .init(at: 3.5, [(2, 7, "At the top")]), .init(at: 4.5),
            ], into: [UInt8](try Data(contentsOf: URL(fileURLWithPath: clip))))
        let folder = try TemporaryFolder()
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path("a.ts")))
        let player = try Player(folder.path("a.ts"))
        #expect(player.engine.snapshot().subtitleTracks.map(\.codec) == ["dvb_teletext"])
        expectGolden(text: try screens(player), "format-dvb_teletext")
        player.engine.shutDown()
    }

    // MARK: - Pictures in cells

    /// Light and dark as signs: what half-blocks of 80x24 cells have of the lower part of a picture.
    private func signs(_ image: RasterImage) -> String {
        let ramp = Array(" .:-=+*#%@")
        func light(_ pixel: UInt32) -> Int {
            let red = Int(pixel & 255), green = Int(pixel >> 8 & 255), blue = Int(pixel >> 16 & 255)
            return red * 54 + green * 183 + blue * 19
        }
        return (0..<image.height / 2).map { row in
            var line = ""
            for column in 0..<image.width {
                let sum = light(image[column, row * 2]) + light(image[column, row * 2 + 1])
                line.append(ramp[min(9, sum * 10 / 131_072)])
            }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    @Test(
        .enabled(if: corpus != nil, "the shared corpus is not here"),
        arguments: [
            ("hdmv_pgs_subtitle", "androidx/mkv/sample_with_pgs_subtitles.mkv"),
            ("dvd_subtitle", "androidx/mkv/sample_with_vobsub.mkv"),
            ("dvb_subtitle", "subtitleedit/libse/Files/sample_TS_dvbsub_at_video_start.ts"),
        ])
    func picturesInCells(_ codec: String, _ file: String) throws {
        let player = try Player(try #require(Self.corpus).appendingPathComponent(file).path, isSelected: true)
        let opened = player.engine.snapshot()
        let track = try #require(opened.subtitleTracks.first)
        #expect(track.codec == codec && track.isBitmapSubtitle)
        let cue = try #require(player.engine.cueListing(of: track.id)?.cues.first)
        func shown(_ choice: TrackID?) throws -> RasterImage {
            player.engine.send(.selectSubtitleTrack(choice))
            let before = player.engine.snapshot().epoch
            player.engine.send(.pause)
            // The next picture of five a second.
            player.engine.seek(to: cue.start + .milliseconds(250))
            let sink = player.sink
            try #require(
                player.reaches {
                    $0.epoch > before && $0.seekTarget == nil && $0.activeSubtitleTrack == choice
                        && sink.picture?.epoch == $0.epoch
                })
            return try #require(sink.picture).image
        }
        let (bare, image) = (try shown(nil), try shown(track.id))
        // Only what the subtitle covers: the film's own pixels are another test's.
        var difference = image
        for index in image.pixels.indices where image.pixels[index] == bare.pixels[index] {
            difference.pixels[index] = 0xFF00_0000
        }
        #expect(
            difference != RasterImage(width: image.width, height: image.height),
            "\(cue.start.seconds) to \(cue.end.seconds), picture of \(player.sink.picture?.pts.seconds ?? -1)")
        expectGolden(text: signs(difference) + "\n", "format-\(codec)")
        player.engine.shutDown()
    }
}
