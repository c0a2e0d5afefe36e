import AetherCore
import AetherFormats
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Synchronization
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

@Suite(.serialized) struct SubtitlePlayingTests {
    private static let corpus = Fixtures.shared?.appendingPathComponent("corpus")
    private static let script = """
        1
        00:00:01,000 --> 00:00:02,000
        first

        2
        00:00:03,000 --> 00:00:06,500
        <b>second</b>

        """

    /// A copy of a film in a folder of its own, with subtitles inside and beside it.
    private func film(in folder: TemporaryFolder) throws -> String {
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=8", "-c:v", "libx264", "-g", "10"], ext: "mkv")
        try Self.script.write(toFile: folder.path("film.en.srt"), atomically: true, encoding: .utf8)
        try Self.script.replacingOccurrences(of: "first", with: "erster").write(
            toFile: folder.path("film.de.srt"), atomically: true, encoding: .isoLatin1)
        let path = folder.path("film.mkv")
        let made = try Fixtures.run(
            "ffmpeg",
            [
                "-v", "error", "-i", clip, "-i", folder.path("film.en.srt"), "-map", "0", "-map", "1", "-c", "copy", "-c:s",
                "ass", path,
            ])
        try #require(made.status == 0)
        return path
    }

    /// The packets in memory were read already when the page is chosen: the file is read once more.
    @Test func anotherPageOfTeletextIsShownFromTheStart() async throws {
        let folder = try TemporaryFolder(), path = folder.path("page.ts")
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=5", "-c:v", "libx264", "-bf", "0"], ext: "ts")
        let bytes = TeletextStream.insert(
            [.init(at: 1, [(20, 7, "First")]), .init(at: 2, [(20, 7, "Second")]), .init(at: 4, [(20, 7, "Third")])],
            into: [UInt8](try Data(contentsOf: URL(filePath: clip))))
        try Data(bytes).write(to: URL(filePath: path))
        let screening = try await Screening.of(path) {
            $0.isUntimed = true
            $0.audioOutput = .none
            $0.surveysSubtitles = true
        }
        let store = try #require(screening.engine.session).cues
        let track = try #require(screening.snapshot.subtitleTracks.first { $0.codec == "dvb_teletext" })
        func shows(_ lines: [String]) async -> Bool {
            await screening.eventually { _ in store.isSurveyed && store.cues(track: track.id).flatMap(\.lines) == lines }
        }
        #expect(await screening.reaches(.ended))
        #expect(await shows(["First", "Second", "Third"]), "\(store.cues(track: track.id).flatMap(\.lines))")
        screening.engine.setTeletextPage(150)
        #expect(await shows([]), "of a page that is not sent")
        screening.engine.setTeletextPage(888)
        #expect(await shows(["First", "Second", "Third"]), "\(store.cues(track: track.id).flatMap(\.lines))")
        await screening.engine.stop()
    }

    @Test func filesBesideAVideoBecomeTracksAndTheLanguageChooses() async throws {
        let folder = try TemporaryFolder()
        let screening = try await Screening.of(try film(in: folder)) {
            $0.isUntimed = true
            $0.audioOutput = .none
            $0.subtitleLanguages = ["de"]
        }
        #expect(await screening.eventually { $0.snapshot.subtitleTracks.count == 3 })
        let german = try #require(screening.snapshot.subtitleTracks.first { $0.language == "de" })
        #expect(german.id.origin == .external && german.codec == "subrip")
        #expect(await screening.eventually { $0.snapshot.activeSubtitleTrack == german.id })
        #expect(await screening.reaches(.ended))
        let store = try #require(screening.engine.session).cues
        for track in screening.snapshot.subtitleTracks {
            #expect(store.cues(track: track.id).map(\.lines) == [[track.language == "de" ? "erster" : "first"], ["second"]])
        }
        await screening.engine.stop()
    }

    @Test func subtitlesAddedWhilePlayingAreShown() async throws {
        let folder = try TemporaryFolder()
        let path = try film(in: folder)
        let screening = try await Screening.of(path) {
            $0.findsSubtitleFiles = false
            $0.autoplay = false
        }
        #expect(screening.snapshot.subtitleTracks.count == 1)
        screening.engine.send(.addSubtitles(ExternalSubtitleTrack(.file(folder.path("film.de.srt")))))
        #expect(await screening.eventually { $0.snapshot.activeSubtitleTrack == TrackID(.external, 1) })
        screening.engine.send(.seek(to: .seconds(1.5), .exact))
        #expect(await screening.eventually { $0.snapshot.visibleCues.flatMap(\.lines) == ["erster"] })
        // Nothing there: one sentence, and what was shown stays.
        screening.engine.send(.addSubtitles(ExternalSubtitleTrack(.file(folder.path("missing.srt")))))
        #expect(await screening.eventually { $0.snapshot.notice?.text.contains("missing.srt") == true })
        #expect(screening.snapshot.activeSubtitleTrack == TrackID(.external, 1) && screening.snapshot.isSubtitleActive)
        #expect(await screening.eventually { !$0.snapshot.isLoadingSubtitles })
        screening.engine.removeExternalSubtitleTrack(id: TrackID(.external, 1))
        #expect(
            await screening.eventually { screening in
                let now = screening.snapshot
                return now.subtitleTracks.count == 1 && !now.isSubtitleActive && now.visibleCues.isEmpty
            })
        let kept = try #require(screening.engine.session).loadedSubtitles.withLock { $0.map(\.location.displayName) }
        #expect(kept == ["missing.srt"])
        await screening.engine.stop()
    }

    @Test(.enabled(if: corpus != nil, "the shared corpus is not here")) func captionsBesideImagesBecomeATrack() async throws {
        let path = try #require(Self.corpus).appendingPathComponent("muxjs/segments/sintel-captions.ts").path
        let screening = try await Screening.of(path) {
            $0.isUntimed = true
            $0.audioOutput = .none
        }
        #expect(await screening.reaches(.ended))
        #expect(screening.snapshot.subtitleTracks.map(\.id) == [TrackID(.closedCaption, 1)])
        let cues = try #require(screening.engine.session).cues.cues(track: TrackID(.closedCaption, 1))
        // The clip starts at 10 s; ffmpeg's own reading of it has captions at 1 … 4 s and 5 … 8.9 s of it.
        #expect(cues.first?.lines.first?.hasPrefix("ASUKA") == true)
        let first = try #require(cues.first)
        #expect((first.end - first.start - .seconds(3)).magnitude < .seconds(0.2))
        #expect(cues.count >= 2)
        await screening.engine.stop()
    }

    @Test(
        .enabled(if: corpus != nil, "the shared corpus is not here"),
        arguments: ["androidx/mkv/sample_with_pgs_subtitles.mkv", "subtitleedit/libse/Files/sample_TS_dvbsub_at_video_start.ts"])
    func aTrackOfImagesShowsThePresentOneWhenItIsChosen(_ file: String) async throws {
        let path = try #require(Self.corpus).appendingPathComponent(file).path
        let screening = try await Screening.of(path) {
            $0.isUntimed = true
            $0.audioOutput = .none
        }
        let track = try #require(screening.snapshot.subtitleTracks.first)
        #expect(track.isBitmapSubtitle)
        screening.engine.send(.selectSubtitleTrack(nil))
        #expect(await screening.reaches(.ended))
        let store = try #require(screening.engine.session).cues
        #expect(screening.snapshot.activeSubtitleTrack == nil)
        screening.engine.send(.selectSubtitleTrack(track.id))
        #expect(await screening.eventually { _ in !store.cues(track: track.id).isEmpty })
        for cue in store.cues(track: track.id) {
            guard case .image(let image) = cue.body else {
                Issue.record("no picture")
                continue
            }
            #expect(image.image.pixels.contains { $0 >> 24 != 0 })
            #expect(image.x + image.width <= image.canvasSize.width && image.y + image.height <= image.canvasSize.height)
        }
        await screening.engine.stop()
    }

    /// They are said; the film plays to its end as if there were none.
    @Test func subtitlesOfAStreamThatAreGoneAreNoBreak() async throws {
        let film = try SegmentedVideo(.muxedLadder)
        let master = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="none.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=96x64,CODECS="avc1.42c00b,mp4a.40.2",SUBTITLES="s"
            l0.m3u8

            """
        try Data(master.utf8).write(to: URL(filePath: film.path("texts.m3u8")))
        let screening = try await Screening.of(film.path("texts.m3u8"))
        let track = try #require(screening.snapshot.subtitleTracks.first?.id)
        screening.engine.send(.selectSubtitleTrack(track))
        screening.engine.play()
        #expect(await screening.reaches(.ended))
        let notices = screening.snapshot.notices.map(\.text)
        #expect(notices.count == 1 && notices.allSatisfy { $0.hasPrefix("subtitles: ") }, "\(notices)")
        await screening.engine.stop()
    }
}
