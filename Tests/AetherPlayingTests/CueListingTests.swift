import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

@Suite struct ReadExtentTests {
    private func spans(_ extent: ReadExtent) -> [[Double]] {
        extent.spans.map { [$0.lowerBound.seconds, $0.upperBound.seconds] }
    }

    /// The steps of reading: numbers are packets, nil is a jump.
    static let table: [(steps: [Double?], spans: [[Double]])] = [
        ([], []), ([1, 2, 3], [[1, 3]]), ([3, 1, 2], [[1, 3]]), ([1, 5, nil, 10, 12], [[1, 5], [10, 12]]),
        ([10, 12, nil, 1, 5], [[1, 5], [10, 12]]),
        ([1, 5, nil, 3, 8], [[1, 8]]), ([1, 5, nil, 10, 12, nil, 4, 11], [[1, 12]]), ([1, nil, nil, 1], [[1, 1]]),
        ([1, 5, nil, 10, 12, nil, 6, 7], [[1, 5], [6, 7], [10, 12]]),
    ]

    @Test(arguments: table.indices) func partsAreJoinedWhereTheyMeet(_ index: Int) {
        var extent = ReadExtent()
        for step in Self.table[index].steps {
            if let step { extent.advance(to: .seconds(step)) } else { extent.interrupt() }
        }
        #expect(spans(extent) == Self.table[index].spans)
    }

    @Test func thousandsOfJumpsAreBounded() {
        var extent = ReadExtent()
        for number in 0..<2000 {
            extent.advance(to: .seconds(Double(number) * 10))
            extent.advance(to: .seconds(Double(number) * 10 + 1 + Double(number % 7)))
            extent.interrupt()
        }
        #expect(extent.spans.count == ReadExtent.limit)
        #expect(zip(extent.spans, extent.spans.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
    }
}

@Suite(.serialized) struct CueListingTests {
    /// A film with an ASS track inside and a text beside it.
    private func film(in folder: TemporaryFolder) throws -> String {
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=8", "-c:v", "libx264", "-g", "10"], ext: "mkv")
        let script = "1\n00:00:01,000 --> 00:00:02,000\nfirst\n\n2\n00:00:03,000 --> 00:00:06,500\n<b>second</b>\n\n"
        try script.write(toFile: folder.path("film.srt"), atomically: true, encoding: .utf8)
        let path = folder.path("film.mkv")
        let made = try Fixtures.run(
            "ffmpeg",
            [
                "-v", "error", "-i", clip, "-i", folder.path("film.srt"), "-map", "0", "-map", "1", "-c", "copy", "-c:s", "ass",
                path,
            ])
        try #require(made.status == 0)
        return path
    }

    @Test func aHostGetsWhatIsKnownAndBuildsAScriptOfIt() async throws {
        let folder = try TemporaryFolder()
        let screening = try await Screening.of(try film(in: folder)) {
            $0.isUntimed = true
            $0.audioOutput = .none
            $0.preserveASSMarkup = true
        }
        #expect(await screening.reaches(.ended))
        let inside = try #require(screening.snapshot.subtitleTracks.first { $0.id.origin == .container })
        let listing = try #require(screening.engine.cueListing(of: inside.id))
        #expect(listing.cues.map(\.lines) == [["first"], ["second"]] && listing.cues.allSatisfy { $0.markup != nil })
        let span = try #require(listing.spans?.first)
        #expect(listing.spans?.count == 1 && span.lowerBound <= .zero && span.upperBound >= .seconds(7.5))
        let beside = try #require(screening.snapshot.subtitleTracks.first { $0.id.origin == .external })
        let other = try #require(screening.engine.cueListing(of: beside.id))
        #expect(other.cues.count == 2 && other.spans == nil && other.cues.allSatisfy { $0.markup == nil })
        #expect(screening.engine.cueListing(of: TrackID(.external, 99))?.cues.isEmpty == true)
        // The script has the film's own styles, and is read again as what it was.
        var builder = ASSScriptBuilder(header: inside.assHeader)
        for cue in listing.cues { builder.add(cue) }
        try builder.script.write(toFile: folder.path("built.ass"), atomically: true, encoding: .utf8)
        let again = try SubtitleFile(
            location: .file(folder.path("built.ass")), formatHint: nil, frameRate: nil, interrupt: Interrupt()
        ).read()
        #expect(again.first?.subtitles.map(\.markup) == listing.cues.map(\.markup) && inside.assHeader != nil)
        await screening.engine.stop()
    }

    @Test func withoutAWishThereIsNoMarkup() async throws {
        let folder = try TemporaryFolder()
        let screening = try await Screening.of(try film(in: folder)) {
            $0.findsSubtitleFiles = false
            $0.autoplay = false
        }
        let track = try #require(screening.snapshot.subtitleTracks.first)
        screening.engine.send(.selectSubtitleTrack(track.id))
        screening.engine.send(.seek(to: .seconds(1.5), .exact))
        #expect(await screening.eventually { $0.snapshot.visibleCues.flatMap(\.lines) == ["first"] })
        #expect(screening.snapshot.visibleCues.allSatisfy { $0.markup == nil })
        #expect(screening.engine.cueListing(of: track.id)?.cues.allSatisfy { $0.markup == nil } == true)
        #expect(screening.engine.fontAttachments.isEmpty)
        await screening.engine.stop()
        #expect(screening.engine.cueListing(of: track.id) == nil)
    }

    /// Ten minutes of which playing reads some seconds: the others come from the survey.
    private func longVideo(in folder: TemporaryFolder, _ ending: String, _ codec: String) throws -> String {
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "color=gray:size=64x48:rate=5:duration=600", "-c:v", "libx264", "-g", "25"], ext: "mkv")
        let times = (0..<60).map { number in
            let (minute, second) = (number / 6, number % 6 * 10)
            return String(format: "00:%02d:%02d,000 --> 00:%02d:%02d,000\nline \(number)\n\n", minute, second, minute, second + 2)
        }
        let script = times.enumerated().map { "\($0 + 1)\n" + $1 }.joined()
        try script.write(toFile: folder.path("lines.srt"), atomically: true, encoding: .utf8)
        let path = folder.path("long." + ending)
        let made = try Fixtures.run(
            "ffmpeg",
            [
                "-v", "error", "-i", clip, "-i", folder.path("lines.srt"), "-map", "0", "-map", "1", "-c", "copy", "-c:s", codec,
                path,
            ])
        try #require(made.status == 0)
        return path
    }

    @Test(arguments: [("mkv", "subrip"), ("mp4", "mov_text"), ("mkv", "webvtt")])
    func theWholeFileIsKnownWhileItStandsAtItsStart(_ ending: String, _ codec: String) async throws {
        let folder = try TemporaryFolder()
        let path = try longVideo(in: folder, ending, codec)
        let screening = try await Screening.of(path) {
            $0.autoplay = false
            $0.findsSubtitleFiles = false
            $0.surveysSubtitles = true
        }
        let track = try #require(screening.snapshot.subtitleTracks.first?.id)
        #expect(await screening.eventually { $0.engine.cueListing(of: track).map { $0.spans == nil } ?? false })
        let listing = try #require(screening.engine.cueListing(of: track))
        #expect(listing.cues.map(\.lines) == (0..<60).map { ["line \($0)"] })
        #expect(Set(listing.cues.map(\.id)).count == 60)
        // Cues that playing reads again are known.
        #expect(await screening.say(.seek(to: .seconds(300.5), .exact)))
        #expect(screening.engine.cueListing(of: track)?.cues.count == 60)
        await screening.engine.stop()
    }

    @Test func withoutAWishForItNothingIsReadTwice() async throws {
        let folder = try TemporaryFolder()
        let path = try longVideo(in: folder, "mkv", "subrip")
        let screening = try await Screening.of(path) {
            $0.autoplay = false
            $0.findsSubtitleFiles = false
        }
        let track = try #require(screening.snapshot.subtitleTracks.first?.id)
        #expect(await screening.say(.seek(to: .seconds(100), .exact)))
        #expect(screening.engine.cueListing(of: track)?.spans != nil)
        await screening.engine.stop()
    }

    /// Words beside a song are lyrics, beside a film subtitles.
    @Test func wordsBesideASongAreNoSubtitles() async throws {
        let folder = try TemporaryFolder()
        let song = try Fixtures.clip(["-f", "lavfi", "-i", "sine=duration=2", "-c:a", "flac"], ext: "flac")
        try FileManager.default.copyItem(atPath: song, toPath: folder.path("song.flac"))
        try "[00:01.00]la la\n".write(toFile: folder.path("song.lrc"), atomically: true, encoding: .utf8)
        try "1\n00:00:01,000 --> 00:00:02,000\nspoken\n".write(
            toFile: folder.path("song.en.srt"), atomically: true, encoding: .utf8)
        let screening = try await Screening.of(folder.path("song.flac"))
        #expect(await screening.eventually { !$0.snapshot.subtitleTracks.isEmpty })
        #expect(screening.snapshot.subtitleTracks.map(\.codec) == ["subrip"])
        await screening.engine.stop()
        let beside = try #require(SidecarSearch(beside: .file(folder.path("song.flac")))).tracks(Interrupt())
        #expect(beside.count == 2)
    }
}
