import AetherCore
import AetherTestSupport
import Testing

@testable import AetherMedia

/// The cost of a decoder on some packets, on clocks that move as they are told.
@Suite struct DecodeSpendingTests {
    /// A real decoder, whose packets each take 10 ms of CPU, the first one 100, and twice that on the clock.
    private struct TimedDecoder: VideoDecoding, ~Copyable {
        var decoder: VideoDecoder
        let processor: ManualTime, clock: ManualTime
        var count = 0

        mutating func send(_ packet: Packet?) throws(MediaError) -> SendResult {
            let cost = TimeSpan.milliseconds(packet == nil ? 0 : count == 0 ? 100 : 10)
            count += 1
            processor.advance(by: cost)
            clock.advance(by: cost.scaled(by: 2))
            return try decoder.send(packet)
        }
        mutating func receive() throws(MediaError) -> DecodedFrame? { try decoder.receive() }
        mutating func flush() { decoder.flush() }
        mutating func apply(_ effort: DecodeEffort) { decoder.apply(effort) }
        func needsReopening(for effort: DecodeEffort) -> Bool { false }
    }

    private func spending(_ count: Int, least: Int = 1, limit: TimeSpan = .seconds(9)) throws -> DecodeSpending {
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=96x54:r=10:d=1", "-threads", "1", "-c:v", "libx264", "-bf", "2"], ext: "mkv")
        var demuxer = try Demuxer(try reading(path), options: OpenOptions(), interrupt: Interrupt())
        let stream = try #require(demuxer.info.decodable(.video).first)
        demuxer.select([stream.index])
        let packets = try DecodedSource.allPackets(&demuxer).prefix(count)
        let processor = ManualTime(), clock = ManualTime()
        var decoder = TimedDecoder(
            decoder: try VideoDecoder(stream.parameters, threadCount: 1), processor: processor, clock: clock)
        return try DecodeSpending.measured(&decoder, on: packets, least: least, limit: limit, time: clock) {
            processor.now() - HostTime(nanoseconds: 0)
        }
    }

    /// The first packet, at which a decoder gets its memory, is not counted; what is reordered comes out.
    @Test func aFramesCostIsTheMeanOfAllButTheFirst() throws {
        let spending = try spending(9)
        #expect(spending.frames == 9 && spending.packets == 9)
        #expect(spending.processor == .milliseconds(10) && spending.clock == .milliseconds(20))
        #expect(spending.pictures.count == 9 && spending.pictures[0].size == PixelSize(width: 96, height: 54))
    }

    @Test func aTrialEndsAtItsLimit() throws {
        let spending = try spending(9, limit: .milliseconds(230))
        #expect(spending.frames == 3 && spending.packets == 3)
        let more = try self.spending(9, least: 5, limit: .milliseconds(230))
        #expect(more.frames == 5 && more.packets == 5)
    }

    @Test func framesThatDifferAreTold() throws {
        let pictures = try spending(9).pictures
        let early = try #require(pictures.first), late = try #require(pictures.last)
        #expect(early.difference(from: early) == 0)
        #expect(try #require(early.difference(from: late)) > 0)
        #expect(early.difference(from: FramePrint(size: PixelSize(width: 54, height: 96), level: 0)) == nil)
    }
}
