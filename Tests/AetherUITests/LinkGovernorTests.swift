import AetherCore
import AetherRender
import AetherTerminal
import Testing

@testable import AetherUI

/// The governor against a simulated link: a FIFO that takes everything, drains at a rate and answers half a round trip later.
struct LinkGovernorTests {
    private struct Run {
        /// For each frame shown: how long after it was due the terminal had read it.
        var delays: [TimeSpan] = []
        /// When how many bytes were handed over.
        var sent: [(at: HostTime, bytes: Int)] = []
        var governor: LinkGovernor
    }

    /// Plays for so long at 24 frames a second, with an encoder that fills its budget and would like `appetite` bytes a frame.
    private func play(
        rate: Double, roundTrip: TimeSpan, appetite: Int, seconds: Double, maximumRate: Int? = nil
    ) -> Run {
        var run = Run(governor: LinkGovernor(.cells, maximumRate: maximumRate))
        var meter = LinkMeter(asks: true, roundTrip: roundTrip)
        var answers: [HostTime] = []
        var free = HostTime(nanoseconds: 0)
        let interval = TimeSpan.seconds(1 / 24.0)
        var latestDue: HostTime?
        var due = HostTime(nanoseconds: 0)
        var now = due
        let end = now + .seconds(seconds)
        while now < end {
            while let first = answers.first, first <= now { meter.answered(at: answers.removeFirst()); _ = first }
            while due <= now {
                if run.governor.takes(due: due, at: now) { latestDue = due }
                due = due + interval
            }
            var next = due
            if let shown = latestDue, case .draw = run.governor.permit(meter, at: now) {
                latestDue = nil
                let budget = run.governor.budget(meter, at: now) ?? .max
                let bytes = min(budget, appetite)
                meter.submitted(bytes, question: true, at: now)
                let begin = max(free, now + roundTrip.scaled(by: 0.5))
                free = begin + .seconds(Double(bytes) / rate)
                answers.append(free + roundTrip.scaled(by: 0.5))
                run.delays.append(free - shown)
                run.sent.append((now, bytes))
                var statistics = EncodeStats()
                statistics.byteCount = bytes
                // The rest of what it wanted is seen as error.
                statistics.squaredError = bytes < appetite ? (appetite - bytes) : 0
                _ = run.governor.sent(statistics, pixels: 14_400, cost: .milliseconds(1), at: now)
            } else if latestDue != nil, case .wait(let until?) = run.governor.permit(meter, at: now) {
                next = min(next, until)
            }
            if let first = answers.first { next = min(next, first) }
            now = max(now + .milliseconds(0.1), next)
        }
        return run
    }

    @Test(arguments: [100_000.0, 250_000, 1_000_000, 4_000_000, 50_000_000], [0.0, 40, 200])
    func theFrameIsNeverLaterThanAFrameAndItsDrainTime(_ rate: Double, _ roundTrip: Double) {
        let run = play(rate: rate, roundTrip: .milliseconds(roundTrip), appetite: 300_000, seconds: 20)
        // The first second is spent learning.
        let settled = run.delays.dropFirst(24)
        #expect(settled.count > 24 * 6)
        let worst = settled.max() ?? .zero
        // Half a round trip is the link's; one frame under way, one frame's own time, and a little of what was learnt wrong.
        let bound = TimeSpan.milliseconds(roundTrip / 2 + 2.3 * 1000 / 24)
        #expect(worst <= bound, "\(worst.milliseconds) ms at \(rate) B/s, round trip \(roundTrip)")
        let bytes = run.sent.filter { $0.at > HostTime(nanoseconds: 5_000_000_000) }.reduce(0) { $0 + $1.bytes }
        let wanted = min(rate, 24 * 300_000) * 15
        #expect(Double(bytes) > wanted * 0.6, "\(Double(bytes) / wanted) of the link is used")
    }

    @Test(arguments: [100_000, 500_000, 2_000_000])
    func theCeilingHoldsOverAnyTwoSecondsAndIsUsed(_ ceiling: Int) {
        let run = play(rate: 80e6, roundTrip: .milliseconds(1), appetite: 300_000, seconds: 20, maximumRate: ceiling)
        var worst = 0, least = Int.max
        for (start, first) in run.sent.enumerated() where first.at < HostTime(nanoseconds: 17_000_000_000) {
            var sum = 0
            for later in run.sent[start...] where later.at - first.at <= .seconds(2) { sum += later.bytes }
            worst = max(worst, sum)
            if start > 24 { least = min(least, sum) }
        }
        #expect(Double(worst) <= 2.2 * Double(ceiling), "\(worst) bytes in two seconds")
        #expect(Double(least) >= 1.8 * Double(ceiling), "\(least) bytes in two seconds")
    }

    /// A far buffer takes everything while the link stalls; what is put there meanwhile would be seen late for as long.
    @Test(arguments: [0.0, 40, 200]) func aLinkThatStallsIsNotFilled(_ roundTrip: Double) {
        let trip = TimeSpan.milliseconds(roundTrip), interval = TimeSpan.seconds(1 / 24.0)
        var governor = LinkGovernor(.cells)
        var meter = LinkMeter(asks: true, roundTrip: trip)
        var now = HostTime(nanoseconds: 0)
        var due = 0
        func draw() -> Bool {
            _ = governor.takes(due: now, at: now)
            guard case .draw = governor.permit(meter, at: now) else { return false }
            meter.submitted(min(governor.budget(meter, at: now) ?? .max, 30_000), question: true, at: now)
            return true
        }
        // Two seconds in which each frame takes 30 ms and the round trip, then silence.
        for _ in 0..<48 {
            if draw() { meter.answered(at: now + trip + .milliseconds(30)) }
            now = now + interval
        }
        for _ in 0..<72 {
            if draw() { due += 1 }
            now = now + interval
        }
        #expect(Double(due) <= roundTrip / (1000 / 24.0) + 3.01, "\(due) frames went into a link that stood still for 3 s")
        #expect(due >= 1)
    }

    @Test func aFastLinkIsNotLimited() {
        let run = play(rate: 400e6, roundTrip: .milliseconds(0.2), appetite: 250_000, seconds: 5)
        #expect(run.sent.dropFirst(3).allSatisfy { $0.bytes == 250_000 })
        #expect(run.governor.ladder.rung == DetailLadder.Rung(scale: 1, stride: 1))
    }
}

struct DetailLadderTests {
    private func at(_ milliseconds: Int) -> HostTime { HostTime(nanoseconds: Int64(milliseconds) * 1_000_000) }

    @Test func oneBadFrameChangesNothing() {
        var ladder = DetailLadder(.pixels)
        for frame in 0..<100 {
            let changed = ladder.note(frame % 10 == 0 ? .strained : .fitting, at: at(frame * 40))
            #expect(!changed)
        }
    }

    @Test func stepsDownUnderStrainInTheStatedOrderAndUpInReverse() {
        var ladder = DetailLadder(.pixels)
        var way: [DetailLadder.Rung] = [ladder.rung]
        var now = 0
        while now < 20_000 {
            if ladder.note(.strained, at: at(now)) { way.append(ladder.rung) }
            now += 40
        }
        #expect(way.map(\.scale) == [1, 0.75, 0.5, 0.375, 0.25, 0.25, 0.25])
        #expect(way.map(\.stride) == [1, 1, 1, 1, 1, 2, 3])
        var back: [DetailLadder.Rung] = [ladder.rung]
        while now < 200_000 {
            if ladder.note(.easy, at: at(now)) { back.append(ladder.rung) }
            now += 40
        }
        #expect(back == way.reversed())
    }

    @Test func cellsStandInForPixelsBeforeFramesAreLeftOut() {
        var ladder = DetailLadder(.pixelsThenCells)
        var way = [ladder.rung]
        for frame in 0..<500 where ladder.note(.strained, at: at(frame * 40)) { way.append(ladder.rung) }
        #expect(way.map(\.isCells) == [false, false, true, true, true])
        #expect(way.map(\.scale) == [1, 0.75, 1, 1, 1])
        #expect(way.map(\.stride) == [1, 1, 1, 2, 3])
    }

    /// Frames are left out on a slow link, but the one that stands at last is not: a paused film sends no other.
    @Test func aFrameThatNoneFollowsIsDrawnAfterAll() throws {
        var governor = LinkGovernor(.cells)
        var frame = 0
        while governor.ladder.rung.stride == 1, frame < 400 {
            if governor.takes(due: at(frame * 42), at: at(frame * 42)) {
                #expect(governor.standsAt == nil)
                // Encoding takes as long as a frame stays.
                _ = governor.sent(EncodeStats(), pixels: 1000, cost: .milliseconds(42), at: at(frame * 42))
            }
            frame += 1
        }
        try #require(governor.ladder.rung.stride == 2)
        while governor.takes(due: at(frame * 42), at: at(frame * 42)) { frame += 1 }
        let standing = try #require(governor.standsAt)
        // Later than the next one would come, and soon enough for an eye.
        #expect(standing > at((frame + 1) * 42) && standing < at((frame + 3) * 42))
        var later = governor
        #expect(later.takes(due: at((frame + 1) * 42), at: at((frame + 1) * 42)) && later.standsAt == nil)
        governor.settle()
        #expect(governor.standsAt == nil)
    }

    @Test(arguments: [(60_000, false), (400_000, true)])
    func pixelsComeBackOnlyWhereHalfOfWhatTheyWantFits(budget: Int, comeBack: Bool) {
        var governor = LinkGovernor(.pixelsThenCells)
        var meter = LinkMeter(asks: true, roundTrip: .zero)
        func learn(_ bytesPerFrame: Int, _ now: HostTime) {
            meter.submitted(bytesPerFrame, question: true, at: now)
            meter.answered(at: now + .milliseconds(40))
        }
        var statistics = EncodeStats()
        // Pixels do not get through.
        for frame in 0..<60 {
            let now = at(frame * 42)
            _ = governor.takes(due: now, at: now)
            learn(30_000, now)
            governor.weigh(fullBytes: 450_000, meter, at: now)
            statistics.byteCount = governor.budget(meter, at: now) ?? 0
            statistics.squaredError = 1000 * 3 * 200
            _ = governor.sent(statistics, pixels: 1000, cost: .milliseconds(2), at: now)
            if governor.ladder.rung.isCells { break }
        }
        #expect(governor.ladder.rung.isCells)
        statistics.squaredError = 0
        for frame in 60..<160 {
            let now = at(frame * 42)
            _ = governor.takes(due: now, at: now)
            learn(budget, now)
            governor.weigh(fullBytes: 160_000, meter, at: now)
            statistics.byteCount = min(50_000, governor.budget(meter, at: now) ?? 0)
            _ = governor.sent(statistics, pixels: 1000, cost: .milliseconds(2), at: now)
        }
        #expect(governor.ladder.rung.isCells != comeBack)
    }

    @Test func aRungThatDidNotHoldIsTriedLessAndLessOften() {
        var ladder = DetailLadder(.pixels)
        var changes: [Int] = []
        // The full raster never holds: strained there, easy one below.
        for step in 0..<3000 {
            let now = step * 40
            if ladder.note(ladder.position == 0 ? .strained : .easy, at: at(now)) { changes.append(now) }
        }
        #expect(ladder.position <= 1)
        // In 120 s: 2 s, 4 s, 8 s, 16 s, 32 s, 60 s of patience, not sixty times 2 s.
        #expect(changes.count < 16, "\(changes)")
        #expect(changes.count > 6, "\(changes)")
    }

    @Test func cellsKeepTheirRaster() {
        var ladder = DetailLadder(.cells)
        for frame in 0..<500 { _ = ladder.note(.strained, at: at(frame * 40)) }
        #expect(ladder.rung == DetailLadder.Rung(scale: 1, stride: 3))
    }

    @Test func aLinkIsAmpleAfterHalfASecondAndUntilItTakesHalf() {
        func meter(_ rate: Double) -> LinkMeter {
            var meter = LinkMeter(asks: true, roundTrip: .milliseconds(0))
            meter.submitted(1_000_000, question: true, at: HostTime(nanoseconds: 0))
            meter.answered(at: HostTime(nanoseconds: 0) + .seconds(1_000_000 / rate))
            return meter
        }
        var governor = LinkGovernor(.cells)
        var seen: [Bool] = []
        // 150 KB in a quarter of 42 ms are 14.3 MB/s, in half of it half of that.
        for (second, rate) in [
            (0.0, 20e6), (0.4, 20e6), (0.5, 20e6), (1.1, 10e6), (1.2, 5e6), (1.3, 20e6), (1.7, 20e6), (1.8, 20e6),
        ] {
            governor.weigh(fullBytes: 150_000, meter(rate), at: HostTime(nanoseconds: 0) + .seconds(second))
            seen.append(governor.isAmple)
        }
        #expect(seen == [false, false, true, true, false, false, false, true])

        var held = LinkGovernor(.cells, maximumRate: 100_000_000)
        for second in [0.0, 1, 2] {
            held.weigh(fullBytes: 150_000, meter(1e9), at: HostTime(nanoseconds: 0) + .seconds(second))
        }
        #expect(!held.isAmple, "a ceiling was asked for")
    }
}
