import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// Broadcasts by DASH whose server's clock is another one than the player's. Both run on one virtual clock, ten minutes each.
@Suite struct BroadcastClockTests {
    private static let length = 599.0

    /// Every frame and packet is there once, from some segments behind the edge to the edge of the end; nil where that is so.
    private func flaw(_ read: (video: [MediaTime], audio: [MediaTime])) -> String? {
        let step = ClockedBroadcast.seconds / Double(ClockedBroadcast.frames)
        for (name, times, step) in [("video", read.video, step), ("audio", read.audio, 0.128)] {
            for (one, next) in zip(times, times.dropFirst()) where abs((next - one).seconds - step) > 0.0015 {
                return "\(name): \(one) and \(next)"
            }
        }
        guard let first = read.video.first?.seconds, let last = read.video.last?.seconds else { return "nothing" }
        let edge = ClockedBroadcast.begin + Self.length
        guard ClockedBroadcast.begin - first < 5 * ClockedBroadcast.seconds, edge - last < 2 * ClockedBroadcast.seconds + 1 else {
            return "from \(first) to \(last)"
        }
        return 2 * read.audio.count < read.video.count - 64 ? "\(read.audio.count) packets of audio" : nil
    }

    private static let head = "<UTCTiming schemeIdUri=\"urn:mpeg:dash:utc:http-head:2014\" value=\"head\"/>"
    private static let direct = "<UTCTiming schemeIdUri=\"urn:mpeg:dash:utc:direct:2014\" value=\"2024-01-01T00:16:40.7Z\"/>"

    @Test(arguments: [(0.0, "iso"), (-20, "iso"), (30, "iso"), (-20, "head"), (30, "direct"), (-20, "header"), (30, "header")])
    func allOfItIsReadAndNothingBeforeItsTime(_ lead: Double, _ clock: String) throws {
        var options = ClockedBroadcast.Options(lead: lead)
        switch clock {
        case "head": (options.clock, options.prefix) = (Self.head, ClockedBroadcast.header)
        case "direct": options.clock = Self.direct
        case "header": (options.clock, options.prefix) = (nil, ClockedBroadcast.header)
        default: break
        }
        let broadcast = try ClockedBroadcast(options), origin = try broadcast.origin()
        let read = try broadcast.read(origin, for: Self.length)
        let flaw = flaw(read)
        #expect(flaw == nil)
        let requests = origin.requests, media = Set(requests.map(\.target).filter { $0.hasSuffix(".mp4") })
        let early = requests.filter { $0.status >= 400 }.map(\.target)
        #expect(early.isEmpty)
        let (asked, count) = (requests.count, media.count)
        #expect(count >= 580 && Double(asked) <= 1.2 * Double(count))
    }

    /// The server's clock is set back by eight seconds: what is not there makes it be asked for at once, and not only after ten minutes.
    @Test func aClockThatIsSetIsLearntAnew() throws {
        let broadcast = try ClockedBroadcast(ClockedBroadcast.Options(correction: -8)), origin = try broadcast.origin()
        let read = try broadcast.read(origin, for: Self.length)
        let steps = zip(read.video, read.video.dropFirst()).map { ($1 - $0).seconds }
        let missing = steps.count { abs($0 - 0.064) > 0.0015 }, count = read.video.count
        #expect(missing == 0 && count > 9000, "\(missing) of \(count)")
        let early = origin.requests.filter { $0.status >= 400 }
        #expect(early.count < 10, "\(early.map(\.target))")
    }

    /// The server keeps a minute. What a pause of three minutes would lose is fetched before it has gone, once.
    @Test func aPauseBeyondTheServersWindowCostsNothing() throws {
        var options = TimeShiftOptions()
        options.byteLimit = 64 << 20
        let kept = KeptSegments(RingMemory(), options: options, by: .caller)
        let broadcast = try ClockedBroadcast(ClockedBroadcast.Options()), origin = try broadcast.origin()
        let read = try broadcast.read(origin, for: Self.length, pause: 180, kept: kept)
        let flaw = flaw(read)
        #expect(flaw == nil)
        let media = origin.requests.map(\.target).filter { $0.hasSuffix(".mp4") }, count = Set(media).count
        #expect(count >= 580 && media.count <= count + 6, "\(media.count) of \(count)")
        #expect(origin.requests.allSatisfy { $0.status < 400 })
    }

    /// An encoder that needs a second more than the manifest says: the segment is asked for again, and no frame is lost.
    @Test func aSegmentThatComesLateIsWaitedFor() throws {
        let broadcast = try ClockedBroadcast(ClockedBroadcast.Options(delay: 0.9)), origin = try broadcast.origin()
        let read = try broadcast.read(origin, for: Self.length)
        let flaw = flaw(read)
        #expect(flaw == nil)
    }
}
