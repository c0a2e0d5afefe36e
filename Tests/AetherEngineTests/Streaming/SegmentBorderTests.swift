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
}
