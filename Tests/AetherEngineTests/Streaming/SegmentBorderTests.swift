import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// The borders of segments that are not where the playlist says: no frame is lost there, and nothing is complained of.
@Suite struct SegmentBorderTests {
    private static let head = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n"

    /// The frames lie as close as in the clip, from the first to the last.
    private func isEven(_ reading: StreamReading, _ count: Int) -> Bool {
        let times = reading.video.sorted()
        return times.count == count
            && zip(times, times.dropFirst()).allSatisfy { abs(($1 - $0).seconds - 0.04) < 0.0015 }
    }

    /// A clip three times, with lengths that are rounded: each time begins where the one before has ended.
    @Test(arguments: ["0.8", "0.97", "1.0", "1.04", "1.3"]) func lengthsThatAreRoundedCostNoFrame(_ length: String) throws {
        let film = try SegmentedVideo(.muxedLadder)
        let clip = (0..<4).map { "#EXTINF:\(length),\ns0_\($0).ts\n" }.joined()
        let text = Self.head + [clip, clip, clip].joined(separator: "#EXT-X-DISCONTINUITY\n") + "#EXT-X-ENDLIST\n"
        try film.write("thrice.m3u8", text)
        let reading = try StreamReading(.file(film.path("thrice.m3u8")))
        #expect(isEven(reading, 300), "\(reading.video.count)")
        #expect(reading.damage == 0)
    }

    /// The same with audio in a rendition of its own, which takes its places from the video.
    @Test(arguments: ["0.9", "1.1"]) func audioOfItsOwnFollowsTheVideo(_ length: String) throws {
        let film = try SegmentedVideo(.fragments)
        for track in 0...1 {
            let clip = (0..<4).map { "#EXTINF:\(length),\ns\(track)_\($0).m4s\n" }.joined()
            let text =
                Self.head + "#EXT-X-MAP:URI=\"i\(track).mp4\"\n" + clip + "#EXT-X-DISCONTINUITY\n" + clip + "#EXT-X-ENDLIST\n"
            try film.write("l\(track).m3u8", text)
        }
        let reading = try StreamReading(.file(film.path("master.m3u8")))
        #expect(isEven(reading, 200), "\(reading.video.count)")
        // Both times the clip has as many packets.
        let times = reading.audio.compactMap(\.time), count = times.count / 2
        try #require(count > 180)
        #expect(abs((times[count] - times[0]).seconds - 4) < 0.0015, "\(times[count] - times[0])")
    }

    /// A segment that nobody has leaves its time empty: what is behind it stays in its place.
    @Test func whatIsMissingAtABorderIsNotClosedUp() throws {
        let film = try SegmentedVideo(.muxedLadder)
        let clip = (0..<3).map { "#EXTINF:1.0,\ns0_\($0).ts\n" }.joined()
        let text = Self.head + clip + "#EXT-X-GAP\n#EXTINF:1.0,\nnone.ts\n#EXT-X-DISCONTINUITY\n" + clip + "#EXT-X-ENDLIST\n"
        try film.write("hole.m3u8", text)
        let times = try StreamReading(.file(film.path("hole.m3u8"))).video.sorted()
        #expect(times.count == 150 && abs((times[75] - times[0]).seconds - 4) < 0.03, "\(times.count)")
    }

    /// The clip cut into files of which each was written by itself.
    private func files(_ format: String, _ options: [String] = []) throws -> SegmentedVideo {
        let film = try SegmentedVideo(.parts)
        let made = try Fixtures.run(
            "ffmpeg",
            [
                "-v", "error", "-nostdin", "-y", "-i", film.path("all.ts"), "-map", "0", "-c", "copy", "-f",
                "segment", "-segment_time", "1",
                "-segment_format", format,
            ] + options + [film.path("f%d.bin")])
        try #require(made.status == 0, "\(String(decoding: made.errors, as: UTF8.self))")
        let text = Self.head + (0..<4).map { "#EXTINF:1.0,\nf\($0).bin\n" }.joined() + "#EXT-X-ENDLIST\n"
        try film.write("files.m3u8", text)
        return film
    }

    /// Each file of MPEG-TS counts its packets from 0: nothing is lost there.
    @Test func packetsThatAreCountedAnewAreNoDamage() throws {
        let film = try files("mpegts")
        let reading = try StreamReading(.file(film.path("files.m3u8")))
        #expect(reading.hasEveryFrame() && reading.damage == 0, "\(reading.video.count) \(reading.damage)")
        // What has really lost its end is damaged.
        let whole = try Data(contentsOf: URL(filePath: film.path("f1.bin")))
        try whole.prefix(whole.count / 4 / 188 * 188).write(to: URL(filePath: film.path("f1.bin")))
        #expect(try StreamReading(.file(film.path("files.m3u8"))).damage > 0)
    }

    /// No player of HLS needs to know these, but each file is whole.
    @Test func filesOfMatroskaFollowOneAnother() throws {
        let film = try files("matroska")
        let reading = try StreamReading(.file(film.path("files.m3u8")))
        #expect(reading.hasEveryFrame(), "\(reading.video.count)")
    }

    // MARK: - Subtitles

    private func cues(_ path: String) throws -> (cues: [DecodedSubtitle], start: MediaTime) {
        let source = try StreamReading.open(.file(path)), streams = source.description.info.streams
        source.select(Set(streams.filter { $0.kind != .audio }.map(\.id)))
        var found: [DecodedSubtitle] = [], video: [MediaTime] = []
        while true {
            do throws(MediaError) {
                switch try source.read(run: Epoch()) {
                case .cues(let cues, _, _): found += cues
                case .packet(let packet): if let time = packet.pts { video.append(time) }
                default: continue
                }
            } catch {
                guard error.code == .endOfMedia, let start = video.min() else { throw error }
                return (found, start)
            }
        }
    }

    private func film(_ textHead: String, _ videoHead: String, local: Int, clock: (Int64) -> Int64) throws -> SegmentedVideo {
        let film = try SegmentedVideo(.muxedLadder)
        let demuxer = try Demuxer(
            MediaInput(.location(.file(film.path("s0_0.ts"))), interrupt: Interrupt()), interrupt: Interrupt())
        let first = try #require(demuxer.info.streams.first { $0.kind == .video }?.startTime)
        var texts = Self.head + textHead, list = Self.head + videoHead
        for number in 0..<4 {
            let hour = local < 10 ? "0\(local)" : "\(local)"
            let text = """
                WEBVTT
                X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:\(clock(TimeBase(1, 90_000).ticks(at: first)))

                \(hour):00:0\(number).250 --> \(hour):00:0\(number).750
                line \(number)

                """
            try film.write("t\(number).vtt", text)
            texts += "#EXTINF:1,\nt\(number).vtt\n"
            list += "#EXTINF:1,\ns0_\(number).ts\n"
        }
        let master = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="text.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.42c00b,mp4a.40.2",SUBTITLES="s"
            video.m3u8

            """
        try film.write("text.m3u8", texts + "#EXT-X-ENDLIST\n")
        try film.write("video.m3u8", list + "#EXT-X-ENDLIST\n")
        try film.write("s.m3u8", master)
        return film
    }

    private func stand(_ film: SegmentedVideo) throws -> Bool {
        let (cues, start) = try cues(film.path("s.m3u8"))
        return cues.count == 4 && cues.indices.allSatisfy { abs((cues[$0].start - start).seconds - Double($0) - 0.25) < 0.002 }
    }

    /// The list of the video counts its discontinuities, that of the subtitles does not.
    @Test func subtitlesWhoseListCountsOtherwiseStandAtTheirTimes() throws {
        #expect(try stand(try film("", "#EXT-X-DISCONTINUITY-SEQUENCE:5\n", local: 1) { $0 - 3600 * 90_000 + 1 << 33 }))
    }

    /// Behind 14 hours of which nothing is left: the moment that the clock names is further away than half a turn of it.
    @Test func subtitlesOfALongBroadcastStandAtTheirTimes() throws {
        let past = String(repeating: "#EXT-X-GAP\n#EXTINF:3600,\nnone\n", count: 14)
        #expect(try stand(try film(past, past, local: 14) { ($0 - 14 * 3600 * 90_000) & (1 << 33 - 1) }))
    }
}
