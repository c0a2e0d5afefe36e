import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

@Suite(.serialized) struct ScrubPreviewsTests {
    /// Collects the results of previews.
    private final class Viewer: Sendable {
        struct Seen: Sendable {
            var previews: [ScrubPreview] = []
            var ready: [MediaTime] = []
        }
        let seen = Monitor(Seen())

        func previews(of engine: AetherEngine, _ path: String, cache: String? = nil) -> ScrubPreviews {
            ScrubPreviews(
                of: engine, .file(path), cacheDirectory: cache, fillUrgency: .ordinary,
                deliver: { [seen] preview in seen.update { $0.previews.append(preview) } },
                noteReady: { [seen] times in seen.update { $0.ready = times } })
        }

        /// The first answer that is final; nil after a minute.
        func answer() -> ScrubPreview? {
            seen.wait(until: SystemTime().now() + .seconds(60)) { $0.previews.first { $0.isFinal } }
        }

        func ready(_ count: Int) -> [MediaTime]? {
            seen.wait(until: SystemTime().now() + .seconds(60)) { $0.ready.count >= count ? $0.ready : nil }
        }
    }

    private func paused(_ path: String) async throws -> Screening {
        let screening = Screening()
        try await screening.engine.load(
            .location(.file(path)), options: Screening.options { ($0.autoplay, $0.audioOutput) = (false, .none) })
        return screening
    }

    @Test func showsTheKeyFrameOfThePlace() async throws {
        let path = try NumberedVideo.clip("mkv"), screening = try await paused(path), viewer = Viewer()
        let previews = viewer.previews(of: screening.engine, path)
        previews.show(.seconds(5.5))
        let answer = try #require(viewer.answer())
        #expect(answer.still.time == .seconds(4) && answer.point == .seconds(5.5))
        #expect(NumberedVideo.number(of: answer.still.image) == 100)
        previews.shutDown()
        await screening.engine.stop()
    }

    @Test func aStripIsFilledKeptAndThereTheSecondTime() async throws {
        let folder = try TemporaryFolder()
        // Thirty seconds, a key frame each second: six places.
        let path = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=30", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25",
                "-threads", "1",
            ],
            ext: "mkv")
        let screening = try await paused(path), first = Viewer()
        var previews = first.previews(of: screening.engine, path, cache: folder.path("cache"))
        previews.allowFilling(true)
        #expect(first.ready(6)?.map { $0.seconds.rounded(.down) } == [2, 7, 12, 17, 22, 27])
        previews.shutDown()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("cache")).count == 1)

        let second = Viewer()
        previews = second.previews(of: screening.engine, path, cache: folder.path("cache"))
        previews.show(.seconds(13))
        #expect(second.ready(6) != nil)
        _ = second.answer()
        let early = second.seen.read { $0.previews.first }
        #expect(early?.isFinal == false && early?.still.time == .seconds(12))
        previews.shutDown()
        await screening.engine.stop()
    }

    @Test func sheetsBesideTheVideoNeedNoDecoding() async throws {
        let folder = try TemporaryFolder(), path = folder.path("film.mkv")
        try FileManager.default.copyItem(atPath: try NumberedVideo.clip("mkv"), toPath: path)
        var sheet = RasterImage(width: 64, height: 18)
        for x in 0..<64 { for y in 0..<18 { sheet[x, y] = x < 32 ? RasterImage.rgb(250, 0, 0) : RasterImage.rgb(0, 0, 250) } }
        try Data(try JPEGImage.bytes(sheet)).write(to: URL(filePath: folder.path("film.jpg")))
        try Data(
            "WEBVTT\n\n00:00.000 --> 00:04.000\nfilm.jpg#xywh=0,0,32,18\n\n00:04.000 --> 00:08.000\nfilm.jpg#xywh=32,0,32,18\n"
                .utf8
        ).write(to: URL(filePath: folder.path("film.vtt")))
        let screening = try await paused(path), viewer = Viewer()
        let previews = viewer.previews(of: screening.engine, path)
        previews.show(.seconds(5))
        let answer = try #require(viewer.answer())
        #expect(answer.still.image.size == PixelSize(width: 32, height: 18) && answer.still.time == .seconds(4))
        let pixel = answer.still.image[16, 9]
        #expect(pixel & 255 < 40 && pixel >> 16 & 255 > 200)
        // It holds no subtitles either.
        #expect(screening.engine.snapshot().subtitleTracks.isEmpty)
        previews.shutDown()
        await screening.engine.stop()
    }

    @Test func aStillHasTheSubtitlesInItThatAreSelected() async throws {
        let folder = try TemporaryFolder(), path = folder.path("film.mkv")
        try FileManager.default.copyItem(atPath: try NumberedVideo.clip("mkv"), toPath: path)
        try Data("1\n00:00:01,000 --> 00:00:06,000\nWords\n".utf8).write(to: URL(filePath: folder.path("film.srt")))
        let screening = try await paused(path)
        #expect(await screening.eventually { !$0.snapshot.subtitleTracks.isEmpty })
        let track = try #require(screening.snapshot.subtitleTracks.first)
        let extractor = try #require(screening.engine.makeFrameExtractor())
        let inside = try #require(await extractor.snapshot(at: .seconds(3))),
            outside = try #require(await extractor.snapshot(at: .seconds(7)))
        screening.engine.selectSubtitleTrack(id: track.id)
        #expect(await screening.eventually { $0.snapshot.activeSubtitleTrack == track.id })
        #expect(screening.engine.withSubtitles(outside) == outside.image)
        #expect(screening.engine.withSubtitles(inside) != inside.image)
        screening.engine.clearSubtitle()
        #expect(await screening.eventually { $0.snapshot.activeSubtitleTrack == nil })
        #expect(screening.engine.withSubtitles(inside) == inside.image)
        await extractor.shutdown()
        await screening.engine.stop()
    }
}
