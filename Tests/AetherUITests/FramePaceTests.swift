import AetherCore
import AetherTerminal
import AetherTestSupport
import Testing

@testable import AetherUI

struct FramePaceTests {
    private func at(_ milliseconds: Double) -> HostTime {
        HostTime(nanoseconds: 0) + .milliseconds(milliseconds)
    }

    @Test(
        arguments: [
            // now, urgent, newer epoch, due of a newer frame, released
            (9.0, false, false, nil, false), (10, false, false, nil, true), (11, false, false, nil, true),
            (5, true, false, nil, true), (5, false, true, nil, true),
            // The next frame has come, but its time has not: it waits in its slot. One that is overdue does not.
            (5, false, false, 20.0, false), (5, false, false, 5, true), (5, false, false, 4, true),
        ] as [(Double, Bool, Bool, Double?, Bool)])
    func theEndIsHeldUntilItIsDueOrOutOfDate(
        _ now: Double, _ isUrgent: Bool, _ isOtherEpoch: Bool, _ newer: Double?, _ released: Bool
    ) {
        let epoch = Epoch(3)
        let news = FramePace.News(isUrgent: isUrgent, epoch: isOtherEpoch ? epoch.next : epoch, due: newer.map(at))
        #expect(FramePace.releases(epoch: epoch, due: at(10), news: news, at: at(now)) == released)
    }

    @Test func aFrameIsBegunEarlierTheMoreItHasAndTheSlowerItGoes() {
        var pace = FramePace()
        #expect(pace.early(bytes: 100_000, isUpdate: true, rate: nil) == .milliseconds(0.5))
        for _ in 0..<50 { pace.took(.milliseconds(4), bytes: 100_000) }
        let full = pace.early(bytes: 100_000, isUpdate: true, rate: nil).milliseconds
        #expect(abs(full - 4.5) < 0.1)
        #expect(pace.early(bytes: 10_000, isUpdate: true, rate: nil).milliseconds < 1)
        // The terminal says that it reads slower than its queue takes.
        #expect(abs(pace.early(bytes: 100_000, isUpdate: true, rate: 12_500_000).milliseconds - 8.5) < 0.1)
        #expect(pace.early(bytes: 100_000, isUpdate: true, rate: 1000) == FramePace.longest)
        // A frame that is shown as it comes is torn for as long: nothing to spare.
        #expect(pace.early(bytes: 100_000, isUpdate: false, rate: nil).milliseconds < full)
        let before = pace
        pace.took(.milliseconds(9), bytes: 4000)
        #expect(pace == before, "small frames say nothing of bytes")
    }

    /// 500 KB of sixel take 20 ms, half of the time between two frames of a film.
    @Test(arguments: [(0.0, 12.0), (16.7, 12), (33.3, 16.65), (41.7, 20.85), (100, 21)])
    func noFrameIsBegunMuchEarlierThanHalfAFrame(_ interval: Double, _ most: Double) {
        var pace = FramePace()
        for _ in 0..<50 { pace.took(.milliseconds(20), bytes: 400_000) }
        let early = pace.early(bytes: 800_000, isUpdate: true, rate: nil, interval: .milliseconds(interval))
        #expect(abs(early.milliseconds - most) < 0.01)
    }

    /// 150 bytes name 4 MB: what counts is the terminal's time for those.
    @Test func anImageInSharedMemoryIsNamedAsEarlyAsItTakesToRead() {
        var pace = FramePace()
        #expect(pace.early(bytes: 150, isNamed: true, isUpdate: true, rate: nil) == .milliseconds(0.5))
        for index in 0..<60 { pace.read(in: .milliseconds(index % 2 == 0 ? 3 : 4)) }
        let early = pace.early(bytes: 150, isNamed: true, isUpdate: true, rate: nil).milliseconds
        #expect(abs(early - 5.5) < 0.2, "mean, three deviations, and waking up")
        #expect(pace.early(bytes: 150, isUpdate: true, rate: nil) == .milliseconds(0.5))
        #expect(pace.early(bytes: 150, isNamed: true, isUpdate: false, rate: nil) == .zero)
        // A terminal that reads it when the update ends answers the later the earlier it is named: within the bound.
        for _ in 0..<200 { pace.read(in: pace.early(bytes: 150, isNamed: true, isUpdate: true, rate: nil) + .milliseconds(3)) }
        #expect(pace.early(bytes: 150, isNamed: true, isUpdate: true, rate: nil) == FramePace.longest)
    }

    /// A terminal that reads frames of varying size at a rate that varies as well, in virtual time: without the hold a frame is
    /// complete when its bytes are through, with it when it is due.
    @Test(arguments: [0.0, 0.4]) func framesAreCompleteWhenTheyAreDueWhateverTheirSize(_ unrest: Double) throws {
        var random = SeededRandom(seed: 5)
        func pull(_ range: Int) -> Double { Double(random.below(1000)) / 1000 * Double(range) }
        let time = ManualTime(HostTime(nanoseconds: 1_000_000_000))
        let port = MemoryPort(credit: 0)
        var writer = TerminalWriter(port: port, synchronizedUpdates: true, time: time)
        var pace = FramePace()
        var off: [Double] = [], ended: [Double] = []
        for index in 0..<300 {
            let due = HostTime(nanoseconds: 1_000_000_000 + Int64(index + 1) * 41_666_667)
            let bytes = 2000 + Int(pull(140_000))
            let early = pace.early(bytes: bytes, isUpdate: true, rate: nil)
            time.advance(by: due - early - time.now())
            let perStep = 3000 * (1 + unrest * (pull(2) - 1))
            // 20 steps a millisecond, each of which takes 1500 bytes or so: 30 MB/s.
            port.allow(Int(perStep))
            var progress = try writer.submit([UInt8](repeating: 0x78, count: bytes), due: due)
            while progress != .idle {
                time.advance(by: .milliseconds(0.1))
                port.allow(Int(perStep))
                progress = try writer.pump()
            }
            let span = try #require(writer.statistics.lastFrameTime)
            pace.took(span, bytes: bytes)
            guard index >= 30 else { continue }
            off.append(abs((time.now() - due).milliseconds))
            ended.append((span - early).milliseconds)
        }
        off.sort()
        #expect(off[off.count * 95 / 100] <= 0.15, "\(off.suffix(20))")
        // The bytes themselves end at all times, by more than a millisecond.
        #expect((ended.max() ?? 0) - (ended.min() ?? 0) > 1)
        #expect(writer.statistics.framesWritten == 300)
    }
}
