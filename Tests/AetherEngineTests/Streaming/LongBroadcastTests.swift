import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// Broadcasts that are played for long, by DASH, HLS and low-latency HLS, with faults of their servers and without. Both clocks are virtual: ten minutes
/// pass in a second or two, and an hour each with AETHER_LONG in the environment.
@Suite(.serialized) struct LongBroadcastTests {
    private static let length = ProcessInfo.processInfo.environment["AETHER_LONG"] == nil ? 599.0 : 3599

    /// Faults of servers and of the ways to them, for one segment in seven, each to the first answers alone.
    private static let faults = [
        "fail=503:1", "drop=700,drops=1", "empties=1", "fail=404:1", "close", "chunked", "pages=1", "fail=500:2",
    ]

    private static func broadcast(_ document: String, isFaulty: Bool) throws -> ClockedBroadcast {
        var options = ClockedBroadcast.Options()
        (options.document, options.length) = (document, length + 200)
        // DASH names its segments by a rule: there each is cut at the first attempt.
        if isFaulty, document == "/m.mpd" { options.prefix = "/~drop=700,drops=1,only=segment" }
        if isFaulty { options.fault = { $0 % 7 == 0 ? "/~" + faults[$0 / 7 % faults.count] : "" } }
        return try ClockedBroadcast(options)
    }

    /// Steps between frames, and between packets of audio, that are none of theirs.
    private func gaps(_ times: [MediaTime], _ step: Double) -> [String] {
        zip(times, times.dropFirst()).filter { abs(($1 - $0).seconds - step) > 0.0015 }.map { "\($0.seconds) and \($1.seconds)" }
    }

    @Test(arguments: [
        ("/m.mpd", false), (ClockedBroadcast.hls, false), (ClockedBroadcast.lowLatency, false), (ClockedBroadcast.hls, true),
        (ClockedBroadcast.lowLatency, true), ("/m.mpd", true),
    ])
    func everyFrameIsReadOnceAndInItsTime(_ document: String, _ isFaulty: Bool) throws {
        let broadcast = try Self.broadcast(document, isFaulty: isFaulty), origin = try broadcast.origin()
        // Servers that are asked again are waited for in true time.
        let length = isFaulty ? Self.length / 3 : Self.length, read = try broadcast.read(origin, for: length)
        #expect(gaps(read.video, ClockedBroadcast.seconds / Double(ClockedBroadcast.frames)) == [])
        #expect(gaps(read.audio, 0.128) == [])
        #expect(Double(read.video.count) * 0.064 >= length - 1, "\(read.video.count)")
        guard !isFaulty else { return }
        let media = origin.requests.map(\.target).filter { $0.hasSuffix(".mp4") }, count = Set(media).count
        let missing = origin.requests.filter { $0.status >= 400 }.map(\.target)
        #expect(missing == [] && media.count <= count + 2, "\(media.count) of \(count)")
        // Of each segment a list of each track is asked for, and no more.
        #expect(
            Double(origin.requests.count) <= (document == "/m.mpd" ? 1.2 : 2.2) * Double(count),
            "\(origin.requests.count) of \(count)")
    }
}
