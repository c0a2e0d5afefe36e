import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// Subtitles that are pictures, of Blu-ray discs, DVDs and broadcasts, made here: what is shown, when and where, down to the pixels.
@Suite(.serialized) struct ImageSubtitleTests {
    enum Kind: String, CaseIterable, Sendable {
        case pgs = "hdmv_pgs_subtitle"
        case dvd = "dvd_subtitle"
        case dvb = "dvb_subtitle"

        /// A transport stream begins at 1.4 s.
        var start: Double { self == .dvb ? 1.4 : 0 }
        /// ffmpeg's encoder of DVB wants to know the end of what PGS ends with the next screen: only what begins first is asked for.
        var boxes: [PGSStream.Box] { self == .dvb ? [ImageSubtitleTests.boxes[0]] : ImageSubtitleTests.boxes }
    }

    private static let boxes = [
        PGSStream.Box(x: 40, y: 140, width: 100, height: 20, start: 1, end: 3),
        PGSStream.Box(x: 60, y: 100, width: 80, height: 30, start: 4, end: 6),
    ]

    /// Eight seconds of blue with the boxes over them.
    private func film(_ kind: Kind, in folder: TemporaryFolder) throws -> String {
        try Data(PGSStream(width: 320, height: 180, kind.boxes).bytes).write(to: URL(filePath: folder.path("a.sup")))
        let blue = try Fixtures.clip(
            ["-f", "lavfi", "-i", "color=blue:s=320x180:r=10:d=8", "-c:v", "libx264", "-preset", "ultrafast", "-g", "10"],
            ext: "mkv")
        func make(_ arguments: [String], _ name: String) throws -> String {
            let made = try Fixtures.run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + arguments + [folder.path(name)])
            try #require(made.status == 0, "\(String(decoding: made.errors, as: UTF8.self))")
            return folder.path(name)
        }
        let both = ["-i", blue, "-i", folder.path("a.sup"), "-map", "0", "-map", "1", "-c:v", "copy", "-c:s"]
        switch kind {
        case .pgs: return try make(both + ["copy"], "pgs.mkv")
        case .dvd: return try make(both + ["dvdsub"], "dvd.mkv")
        case .dvb: return try make(both + ["dvbsub"], "dvb.ts")
        }
    }

    private func isGreen(_ pixel: UInt32) -> Bool {
        let (red, green, blue) = (pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255)
        return green > 200 && red < 160 && blue < 160
    }

    @Test(arguments: Kind.allCases) func eachBoxStandsInItsPlaceAndTime(_ kind: Kind) async throws {
        let folder = try TemporaryFolder()
        let screening = try await Screening.of(film(kind, in: folder)) {
            $0.isUntimed = true
            $0.audioOutput = .none
        }
        let track = try #require(screening.snapshot.subtitleTracks.first)
        #expect(track.isBitmapSubtitle && track.codec == kind.rawValue)
        screening.engine.selectSubtitleTrack(id: track.id)
        #expect(await screening.reaches(.ended))
        let store = try #require(screening.engine.session).cues
        #expect(await screening.eventually { _ in store.cues(track: track.id).count >= kind.boxes.count })
        let cues = store.cues(track: track.id)
        #expect(cues.count == kind.boxes.count)
        let extractor = try #require(screening.engine.makeFrameExtractor())
        for (cue, box) in zip(cues, kind.boxes) {
            #expect((cue.start - .seconds(kind.start + box.start)).magnitude < .milliseconds(60), "\(cue.start.seconds)")
            if kind == .pgs { #expect((cue.end - .seconds(box.end)).magnitude < .milliseconds(60), "\(cue.end.seconds)") }
            guard case .image(let image) = cue.body else {
                Issue.record("no picture")
                continue
            }
            #expect(image.canvasSize == PixelSize(width: 320, height: 180) || kind == .dvb)
            #expect(abs(image.x - box.x) <= 2 && abs(image.y - box.y) <= 2, "\(image.x), \(image.y)")
            #expect(abs(image.width - box.width) <= 4 && abs(image.height - box.height) <= 4)
            let place = MediaTime.seconds(kind.start + (box.start + box.end) / 2)
            let still = try #require(await extractor.snapshot(at: place))
            let burnt = screening.engine.withSubtitles(still)
            #expect(isGreen(burnt[box.x + box.width / 2, box.y + box.height / 2]))
            #expect(!isGreen(still.image[box.x + box.width / 2, box.y + box.height / 2]))
            #expect(burnt[300, 10] == still.image[300, 10] && !isGreen(burnt[300, 10]))
        }
        let before = try #require(await extractor.snapshot(at: .seconds(kind.start + 0.5)))
        #expect(screening.engine.withSubtitles(before) == before.image)
        await extractor.shutdown()
        await screening.engine.stop()
    }
}
