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

    /// Writes other decoding times into fragments: each is what it was, plus some ticks.
    private func rewrite(_ film: SegmentedVideo, track: Int = 0, _ change: (_ segment: Int, _ ticks: UInt64) -> UInt64) throws {
        for number in 0..<4 {
            let url = URL(filePath: film.path("s\(track)_\(number).m4s"))
            var bytes = [UInt8](try Data(contentsOf: url))
            for place in bytes.indices.dropLast(16) where bytes[place..<place + 4].elementsEqual("tfdt".utf8) {
                let count = bytes[place + 4] == 1 ? 8 : 4, range = place + 8..<place + 8 + count
                let ticks = change(number, bytes[range].reduce(0) { $0 << 8 | UInt64($1) })
                bytes.replaceSubrange(range, with: (0..<count).map { UInt8(truncatingIfNeeded: ticks >> (8 * (count - 1 - $0))) })
            }
            try Data(bytes).write(to: url)
        }
    }

    private func listed(_ track: Int, _ lengths: [String]) -> String {
        let text = lengths.enumerated().map { "#EXTINF:\($1),\ns\(track)_\($0).m4s\n" }.joined()
        return Self.head + "#EXT-X-MAP:URI=\"i\(track).mp4\"\n" + text + "#EXT-X-ENDLIST\n"
    }

    /// Fragments whose clock begins anew in each segment, and no mark says so; a list may be rounded.
    @Test(arguments: ["0.9", "1.0", "1.2"]) func fragmentsWhoseClockBeginsAnewLoseNoFrame(_ length: String) throws {
        let film = try SegmentedVideo(.fragments)
        try rewrite(film) { _, _ in 0 }
        try film.write("anew.m3u8", listed(0, Array(repeating: length, count: 4)))
        let reading = try StreamReading(.file(film.path("anew.m3u8")))
        #expect(isEven(reading, 100), "\(reading.video.count)")
        #expect(reading.damage == 0)
    }

    /// The same of a film whose audio has a rendition of its own: both go on together.
    @Test func audioWhoseClockBeginsAnewStaysBesideItsVideo() throws {
        let film = try SegmentedVideo(.fragments)
        let plain = try StreamReading(.file(film.path("master.m3u8")))
        for (track, rate) in [UInt64(12_800), 48_000].enumerated() {
            try rewrite(film, track: track) { segment, ticks in segment < 2 ? ticks : ticks - min(ticks, 19 * rate / 10) }
        }
        let reading = try StreamReading(.file(film.path("master.m3u8")))
        #expect(isEven(reading, 100), "\(reading.video.count)")
        let times = reading.audio.compactMap(\.time), wanted = plain.audio.compactMap(\.time)
        try #require(times.count == wanted.count && times.count > 180)
        #expect(zip(times, wanted).allSatisfy { abs(($0 - $1).seconds) < 0.06 })
    }

    /// A clock that leaps without a mark: a complete list has no hole there. Where it is off by less than a segment, it may be meant.
    @Test(arguments: [(50.0, 4.0), (2, 4), (0.4, 4.4)]) func aLeapOfTheClockIsNoHole(_ leap: Double, _ length: Double) throws {
        let film = try SegmentedVideo(.fragments)
        // ffmpeg counts video of 25 frames a second in 1/12800 s.
        try rewrite(film) { segment, ticks in segment < 2 ? ticks : ticks + UInt64(leap * 12_800) }
        try film.write("leap.m3u8", listed(0, Array(repeating: "1.0", count: 4)))
        let times = try StreamReading(.file(film.path("leap.m3u8"))).video.sorted()
        try #require(times.count == 100)
        #expect(abs((times[99] - times[0]).seconds + 0.04 - length) < 0.003, "\(times[99] - times[0])")
    }

    /// MPEG-TS whose clock begins anew a minute before, or leaps, in the middle, without a mark.
    @Test(arguments: [("100", "10"), ("10", "100")]) func aTransportStreamsClockMayBeAnother(_ first: String, _ second: String)
        throws
    {
        let film = try SegmentedVideo(.parts)
        for (number, offset) in [first, second].enumerated() {
            let made = try Fixtures.run(
                "ffmpeg",
                [
                    "-v", "error", "-nostdin", "-y", "-i", film.path("all.ts"), "-map", "0", "-c", "copy", "-output_ts_offset",
                    offset,
                    "-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod", "-hls_segment_filename",
                    film.path("t\(number)_%d.ts"), film.path("t\(number).m3u8"),
                ])
            try #require(made.status == 0, "\(String(decoding: made.errors, as: UTF8.self))")
        }
        let text = (0..<4).map { "#EXTINF:1.0,\nt\($0 / 2)_\($0).ts\n" }.joined()
        try film.write("two.m3u8", Self.head + text + "#EXT-X-ENDLIST\n")
        let reading = try StreamReading(.file(film.path("two.m3u8")))
        #expect(isEven(reading, 100) && reading.isAudioWhole && reading.damage == 0, "\(reading.video.count)")
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
