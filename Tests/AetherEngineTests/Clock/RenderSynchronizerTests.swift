import AetherCore
import Testing

@testable import AetherEngine

@Suite struct RenderSynchronizerTests {
    private func host(_ seconds: Double) -> HostTime { HostTime(nanoseconds: 0) + .seconds(seconds) }
    private func line(_ media: Double, _ at: Double, _ rate: Double = 1) -> ClockAnchor {
        ClockAnchor(media: .seconds(media), host: host(at), rate: rate)
    }

    @Test func hasNoTimeBeforeTheEpochLanded() {
        let clock = RenderSynchronizer()
        #expect(clock.time(at: host(1)) == nil)
        clock.anchor(line(10, 1), epoch: Epoch(1))
        #expect(clock.time(at: host(3)) == .seconds(12))
        clock.anchor(nil, epoch: Epoch(2))
        #expect(clock.time(at: host(3)) == nil)
        #expect(clock.anchor(epoch: Epoch(1)) == nil)
    }

    @Test func aWordOfAnOlderEpochIsIgnored() {
        let clock = RenderSynchronizer()
        clock.anchor(nil, epoch: Epoch(5))
        clock.anchor(line(10, 1), epoch: Epoch(4))
        #expect(clock.time(at: host(1)) == nil)
        clock.anchor(line(20, 1), epoch: Epoch(5))
        clock.anchor(line(10, 1), epoch: Epoch(4))
        #expect(clock.time(at: host(1)) == .seconds(20))
        #expect(clock.anchor(epoch: Epoch(5)) == line(20, 1))
        #expect(clock.anchor(epoch: Epoch(4)) == nil)
        #expect(clock.anchor(epoch: Epoch(6)) == nil)
    }

    @Test func sleepersAreWokenForDiscontinuitiesOnly() {
        let calls = Counter()
        let clock = RenderSynchronizer { calls.add() }
        /// The next line, and whether a sleeper must look again.
        let table: [(next: ClockAnchor?, epoch: UInt64, wakes: Bool)] = [
            (nil, 1, true), (nil, 1, false), (line(0, 0), 1, true),
            // A slewed slope and a sub-millisecond move are no news.
            (line(1, 1, 1.01), 1, false), (line(2.0105, 2, 0.99), 1, false),
            (line(3.02, 3, 1), 1, true), (line(4.02, 4, 0), 1, true), (line(4.02, 9, 0), 1, false), (line(4.02, 9, 1), 1, true),
            (line(5.02, 10, 2), 1, true), (line(7.02, 11, 2), 1, false), (line(0, 0), 0, false), (line(9.02, 12, 2), 2, true),
            (nil, 2, true),
        ]
        for (number, row) in table.enumerated() {
            let before = calls.current
            clock.anchor(row.next, epoch: Epoch(row.epoch))
            #expect((calls.current > before) == row.wakes, "row \(number)")
        }
    }

    @Test func aBentLineAnswersBothWays() {
        var line = line(10, 100, 2)
        line.bend = ClockAnchor.Bend(host: host(103), rate: 0.5)
        let table: [(host: Double, media: Double)] = [(99, 8), (100, 10), (102, 14), (103, 16), (105, 17), (113, 21)]
        for row in table {
            #expect(line.time(at: host(row.host)) == .seconds(row.media))
            #expect(line.host(of: .seconds(row.media)) == host(row.host))
        }
    }

    /// A sleeper hears of a speed that is to come once, and of its coming no more.
    @Test func sleepersAreWokenForABendOnce() {
        let calls = Counter()
        let clock = RenderSynchronizer { calls.add() }
        clock.anchor(line(0, 0), epoch: Epoch(1))
        func bent(_ media: Double, _ at: Double) -> ClockAnchor {
            var line = line(media, at)
            line.bend = ClockAnchor.Bend(host: host(3.0002), rate: 2)
            return line
        }
        let table: [(next: ClockAnchor, wakes: Bool)] = [
            (bent(1, 1), true), (bent(2, 2), false), (bent(2.9, 2.9), false), (line(3.1998, 3.1, 2), false),
            (line(4, 3.5, 2), false), (line(4.5, 4), true),
        ]
        for (number, row) in table.enumerated() {
            let before = calls.current
            clock.anchor(row.next, epoch: Epoch(1))
            #expect((calls.current > before) == row.wakes, "row \(number)")
        }
    }

    @Test func aLineAnswersBothWays() {
        let double = line(10, 100, 2)
        #expect(double.time(at: host(101)) == .seconds(12))
        #expect(double.time(at: host(99)) == .seconds(8))
        #expect(double.host(of: .seconds(14)) == host(102))
        #expect(double.host(of: .seconds(6)) == host(98))
        #expect(line(10, 100, 0).host(of: .seconds(10)) == nil)
        #expect(line(10, 100, 0).time(at: host(500)) == .seconds(10))
    }
}

@Suite struct AudioTimelineTests {
    @Test func countsSamplesFromTheAnchorWhateverTheContainerSays() {
        var timeline = AudioTimeline(sampleRate: 44100)
        #expect(timeline.media(atFrame: 0) == nil)
        timeline.begin(frame: 0, media: .seconds(10), rate: 1)
        #expect(timeline.media(atFrame: 44100 * 3600) == .seconds(3610))
        #expect(timeline.media(atFrame: 1) == .seconds(10 + 1 / 44100))
        // A device with latency of its own begins before the first frame.
        #expect(timeline.media(atFrame: -4410) == .seconds(9.9))
    }

    @Test func eachSegmentHoldsFromItsFirstFrame() {
        var timeline = AudioTimeline(sampleRate: 48000)
        timeline.begin(frame: 0, media: .zero, rate: 1)
        timeline.begin(frame: 48000, media: .seconds(1), rate: 2)
        timeline.begin(frame: 96000, media: .seconds(100), rate: 0.5)
        let table: [(frame: Int, media: Double, rate: Double)] = [
            (0, 0, 1), (47999, 47999.0 / 48000, 1), (48000, 1, 2), (72000, 2, 2), (96000, 100, 0.5), (144_000, 100.5, 0.5),
        ]
        for row in table {
            #expect(timeline.media(atFrame: row.frame) == .seconds(row.media))
            #expect(timeline.rate(at: Double(row.frame)) == row.rate)
        }
    }

    @Test func aSegmentReplacesWhatWasToComeAfterIt() {
        var timeline = AudioTimeline(sampleRate: 48000)
        timeline.begin(frame: 0, media: .zero, rate: 1)
        timeline.begin(frame: 48000, media: .seconds(50), rate: 1)
        timeline.begin(frame: 24000, media: .seconds(7), rate: 1)
        #expect(timeline.media(atFrame: 48000) == .seconds(7.5))
        timeline.begin(frame: 24000, media: .seconds(8), rate: 1)
        #expect(timeline.media(atFrame: 24000) == .seconds(8))
    }

    @Test func manySegmentsCostNoMemoryAndTheNewestStayTrue() {
        var timeline = AudioTimeline(sampleRate: 1000)
        for second in 0..<10_000 { timeline.begin(frame: second * 1000, media: .seconds(Double(second * 3)), rate: 1) }
        #expect(timeline.media(atFrame: 9_999_500) == .seconds(29997.5))
        #expect(timeline.media(atFrame: 9_990_000) == .seconds(29970))
    }
}
