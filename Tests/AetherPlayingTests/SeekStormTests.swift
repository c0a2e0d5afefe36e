import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// Whatever was sought in a real file of each format, the list is that of a straight play once all was read.
@Suite(.serialized) struct SeekStormTests {
    private struct Line: Hashable {
        let start, end: Int64
        let body: SubtitleCue.Body
    }

    private func lines(_ screening: Screening) throws -> [TrackID: [Line]] {
        let store = try #require(screening.engine.session).cues
        var result: [TrackID: [Line]] = [:]
        for track in screening.snapshot.subtitleTracks {
            result[track.id] = store.cues(track: track.id).map {
                Line(start: $0.start.nanoseconds, end: $0.end.nanoseconds, body: $0.body)
            }
        }
        return result
    }

    private func open(_ path: String) async throws -> Screening {
        let screening = try await Screening.of(path) {
            $0.isUntimed = true
            $0.audioOutput = .none
            $0.findsSubtitleFiles = false
            // Each seek asks the source.
            $0.cacheBytes = 0
        }
        if let track = screening.snapshot.subtitleTracks.first { screening.engine.selectSubtitleTrack(id: track.id) }
        return screening
    }

    private func compare(_ path: String, seed: UInt64) async throws {
        let straight = try await open(path)
        #expect(await straight.reaches(.ended))
        let expected = try lines(straight)
        await straight.engine.stop()
        #expect(expected.values.contains { !$0.isEmpty })
        let screening = try await open(path)
        let start = screening.snapshot.startTime, length = screening.snapshot.duration?.seconds ?? 8
        var random = SeededRandom(seed: seed)
        for number in 0..<30 {
            let target = start + .seconds(Double.random(in: 0...length, using: &random))
            let command = PlayerCommand.seek(to: target, number % 3 == 0 ? .keyframe : .exact)
            if number % 4 == 3 { screening.engine.send(command) } else { #expect(await screening.say(command)) }
        }
        #expect(await screening.say(.seek(to: start, .exact)))
        screening.engine.play()
        #expect(await screening.reaches(.ended))
        let found = try lines(screening)
        for (track, lines) in expected {
            let other = found[track] ?? []
            func text(_ line: Line) -> String { "\(line.start / 1_000_000)-\(line.end / 1_000_000) \(line.body.lines)" }
            let (lost, extra) = (lines.filter { !other.contains($0) }, other.filter { !lines.contains($0) })
            #expect(lost.isEmpty && extra.isEmpty, "\(path): lost \(lost.map(text)), extra \(extra.map(text))")
        }
        #expect(found == expected, "\(path)")
        await screening.engine.stop()
    }

    @Test(arguments: [("subrip", "mkv"), ("ass", "mkv"), ("webvtt", "mkv"), ("mov_text", "mp4")])
    func ofText(_ codec: String, _ container: String) async throws {
        let folder = try TemporaryFolder()
        var script = ""
        for number in 0..<40 {
            let start = Double(number) * 0.19, end = start + (number % 5 == 0 ? 1.2 : 0.15)
            func stamp(_ seconds: Double) -> String { String(format: "00:00:%06.3f", seconds).replacing(".", with: ",") }
            script += "\(number + 1)\n\(stamp(start)) --> \(stamp(end))\nline \(number % 7)\n\n"
        }
        try script.write(toFile: folder.path("a.srt"), atomically: true, encoding: .utf8)
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=10:duration=8", "-c:v", "libx264", "-g", "10"], ext: "mkv")
        let made = try Fixtures.run(
            "ffmpeg",
            [
                "-v", "error", "-i", clip, "-i", folder.path("a.srt"), "-map", "0", "-map", "1", "-c", "copy", "-c:s", codec,
                folder.path("a.\(container)"),
            ])
        try #require(made.status == 0)
        try await compare(folder.path("a.\(container)"), seed: 5)
    }

    private static let corpus = Fixtures.shared?.appendingPathComponent("corpus")

    @Test(
        .enabled(if: corpus != nil, "the shared corpus is not here"),
        arguments: [
            "androidx/mkv/sample_with_pgs_subtitles.mkv", "androidx/mkv/sample_with_vobsub.mkv",
            "androidx/mkv/sample_with_ass_subtitles.mkv",
            "subtitleedit/libse/Files/sample_TS_dvbsub_at_video_start.ts", "muxjs/segments/sintel-captions.ts",
        ])
    func ofTheCorpus(_ file: String) async throws {
        try await compare(try #require(Self.corpus).appendingPathComponent(file).path, seed: 11)
    }
}
