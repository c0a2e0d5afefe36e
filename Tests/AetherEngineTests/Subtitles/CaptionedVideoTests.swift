import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// Closed captions beside pictures, made here.
@Suite(.serialized) struct CaptionedVideoTests {
    /// A folder with `a.ts`, six seconds with two captions.
    private func captioned() throws -> TemporaryFolder {
        let plain = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc=s=160x96:r=30:d=6", "-c:v", "mpeg2video", "-bf", "0", "-g", "15", "-q:v", "4", "-f",
                "mpeg2video",
            ], ext: "m2v")
        let film = CaptionedVideo(
            [UInt8](try Data(contentsOf: URL(filePath: plain))),
            [.init(at: 30, "FIRST WORDS"), .init(at: 105, "SECOND ONES"), .init(at: 150, nil)])
        let folder = try TemporaryFolder()
        try Data(film.bytes).write(to: URL(filePath: folder.path("a.m2v")))
        let made = try Fixtures.run(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-fflags", "+genpts", "-framerate", "30", "-f", "mpegvideo", "-i",
                folder.path("a.m2v"), "-c", "copy", folder.path("a.ts"),
            ])
        try #require(made.status == 0, "\(String(decoding: made.errors, as: UTF8.self))")
        return folder
    }

    @Test func aManifestNamesCaptionsBeforeTheirWordsCome() async throws {
        let folder = try captioned()
        let list = """
            #EXTM3U
            #EXT-X-TARGETDURATION:7
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXTINF:6.0,
            a.ts
            #EXT-X-ENDLIST

            """
        let master = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="Words",LANGUAGE="en",INSTREAM-ID="CC1",DEFAULT=YES,AUTOSELECT=YES
            #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="Mots",LANGUAGE="fr",INSTREAM-ID="SERVICE2"
            #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="other",NAME="Else",INSTREAM-ID="SERVICE3"
            #EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=160x96,CLOSED-CAPTIONS="cc"
            list.m3u8

            """
        try Data(list.utf8).write(to: URL(filePath: folder.path("list.m3u8")))
        try Data(master.utf8).write(to: URL(filePath: folder.path("master.m3u8")))
        let screening = try await Screening.of(folder.path("master.m3u8")) {
            $0.isUntimed = true
            $0.audioOutput = .none
        }
        let stated = screening.snapshot.subtitleTracks
        #expect(stated.map(\.id) == [TrackID(.closedCaption, 1), TrackID(.closedCaption, 702)])
        #expect(stated.map(\.name) == ["Words", "Mots"] && stated.map(\.language) == ["en", "fr"])
        #expect(screening.snapshot.activeSubtitleTrack == nil, "nobody has asked for captions")
        #expect(await screening.reaches(.ended))
        #expect(screening.snapshot.subtitleTracks == stated)
        let cues = try #require(screening.engine.session).cues.cues(track: TrackID(.closedCaption, 1))
        #expect(cues.map { $0.lines.joined() } == ["FIRST WORDS", "SECOND ONES"])
        await screening.engine.stop()
    }

    @Test func captionsBesideFramesAreATrackWithTheirWordsAndTimes() async throws {
        let folder = try captioned()
        let screening = try await Screening.of(folder.path("a.ts")) {
            $0.isUntimed = true
            $0.audioOutput = .none
        }
        #expect(await screening.reaches(.ended))
        let start = screening.snapshot.startTime
        #expect(screening.snapshot.subtitleTracks.map(\.id) == [TrackID(.closedCaption, 1)])
        let cues = try #require(screening.engine.session).cues.cues(track: TrackID(.closedCaption, 1))
        #expect(cues.map { $0.lines.joined() } == ["FIRST WORDS", "SECOND ONES"])
        for (cue, times) in zip(cues, [(1.0, 3.5), (3.5, 5.0)]) {
            #expect((cue.start - start - .seconds(times.0)).magnitude < .milliseconds(70), "\(cue.start.seconds)")
            #expect((cue.end - start - .seconds(times.1)).magnitude < .milliseconds(70), "\(cue.end.seconds)")
        }
        await screening.engine.stop()
    }
}
