import AetherCore
import Testing

@testable import AetherEngine

@Suite struct FramePacerTests {
    private static let start = HostTime(nanoseconds: 0) + .seconds(1000)
    private let clock = ClockAnchor(media: .zero, host: start, rate: 1)

    private func decide(
        _ pacer: inout FramePacer, _ pts: MediaTime, end: MediaTime, at now: HostTime, clock: ClockAnchor?,
        lead: TimeSpan = .zero, epoch: UInt64 = 1, isNewest: Bool = false, untimed: Bool = false
    ) -> FramePacer.Decision {
        pacer.decide(
            pts: pts, end: end, epoch: Epoch(epoch), isNewest: isNewest, clock: clock, lead: lead, now: now, untimed: untimed)
    }

    /// Plays frames on a machine where showing one takes `cost`; returns when each was shown, by its number.
    private func play(
        _ frames: [(pts: MediaTime, end: MediaTime)], clock: ClockAnchor? = nil, cost: TimeSpan = .zero, lead: TimeSpan = .zero
    ) -> [(frame: Int, at: HostTime, due: HostTime)] {
        var pacer = FramePacer()
        var now = Self.start
        var shown: [(frame: Int, at: HostTime, due: HostTime)] = []
        for (number, frame) in frames.enumerated() {
            deciding: while true {
                switch decide(&pacer, frame.pts, end: frame.end, at: now, clock: clock ?? self.clock, lead: lead) {
                case .show(let due):
                    shown.append((number, now, due))
                    now = now + cost
                    pacer.finished(at: now)
                    break deciding
                case .wait(let until):
                    #expect(until > now)
                    now = until
                case .drop: break deciding
                case .hold:
                    Issue.record("a running clock holds nothing")
                    break deciding
                }
            }
        }
        return shown
    }

    /// 23.976 frames a second as Matroska stores them: rounded to 1 ms.
    private func film(_ count: Int) -> [(pts: MediaTime, end: MediaTime)] {
        func time(_ number: Int) -> MediaTime { .milliseconds((Double(number) * 1001 / 24).rounded()) }
        return (0..<count).map { (time($0), time($0) + .milliseconds(42)) }
    }

    @Test func videoInMillisecondStampsIsShownWholeAndOnTheDot() {
        let shown = play(film(1000))
        #expect(shown.map(\.frame) == Array(0..<1000))
        for frame in shown { #expect(frame.at == Self.start + (film(1000)[frame.frame].pts - .zero)) }
    }

    @Test func unevenFramesAreShownEachAtItsTime() {
        var frames: [(pts: MediaTime, end: MediaTime)] = []
        var at = MediaTime.zero
        for length in [40.0, 8, 500, 16, 2, 100, 33, 1, 1000] {
            frames.append((at, at + .milliseconds(length)))
            at = at + .milliseconds(length)
        }
        let shown = play(frames)
        #expect(shown.map(\.frame) == Array(0..<9))
        for frame in shown { #expect(frame.at == Self.start + (frames[frame.frame].pts - .zero)) }
    }

    @Test func theSurfaceGetsEachFrameEarlierByItsLeadAndHearsWhenItIsDue() {
        let shown = play(film(20), lead: .milliseconds(12)).dropFirst()
        for frame in shown {
            #expect(frame.due == Self.start + (film(20)[frame.frame].pts - .zero))
            #expect(frame.at == frame.due - .milliseconds(12))
        }
    }

    @Test(arguments: [60.0, 90])
    func aSlowMachineDropsFramesButNeverStandsLong(cost: Double) {
        let shown = play(film(500), cost: .milliseconds(cost))
        #expect(shown.count > 20 && shown.count < 500)
        for (earlier, later) in zip(shown, shown.dropFirst()) {
            #expect(later.at - earlier.at <= max(.milliseconds(cost), FramePacer.longestStandstill) + .milliseconds(1))
        }
    }

    /// A surface that takes longer for a frame than one may stand: video is as late as one frame takes, and not later with each.
    @Test(arguments: [110.0, 250, 700])
    func aSlowSurfaceDoesNotFallBehind(cost: Double) {
        let shown = play(film(2000), cost: .milliseconds(cost)).dropFirst()
        #expect(shown.count > 50)
        for frame in shown { #expect(frame.at - frame.due <= .milliseconds(42 + 1)) }
    }

    @Test func atDoubleSpeedFramesComeTwiceAsFast() {
        let shown = play(film(100), clock: ClockAnchor(media: .zero, host: Self.start, rate: 2))
        #expect(shown.count == 100)
        #expect(shown[99].at == Self.start + (film(100)[99].pts - .zero).scaled(by: 0.5))
    }

    @Test func theFirstFrameOfAnEpochIsNeverDroppedNorHeld() {
        var pacer = FramePacer()
        let late = Self.start + .seconds(500)
        #expect(decide(&pacer, .zero, end: .milliseconds(40), at: late, clock: clock) == .show(due: late))
        #expect(decide(&pacer, .milliseconds(40), end: .milliseconds(80), at: late, clock: clock) == .drop)
        #expect(decide(&pacer, .zero, end: .milliseconds(40), at: late, clock: clock, epoch: 2) == .show(due: late))
        #expect(decide(&pacer, .seconds(9), end: .seconds(10), at: late, clock: nil, epoch: 3) == .show(due: late))
        #expect(decide(&pacer, .seconds(10), end: .seconds(11), at: late, clock: nil, epoch: 3) == .hold)
    }

    @Test func aStandingClockShowsOnlyWhatShouldBeOnScreen() {
        var pacer = FramePacer()
        let standing = ClockAnchor(media: .seconds(10), host: Self.start, rate: 0)
        let now = Self.start + .seconds(60)
        _ = decide(&pacer, .seconds(9), end: .seconds(9.5), at: now, clock: standing)
        #expect(decide(&pacer, .seconds(9.5), end: .seconds(10), at: now, clock: standing) == .show(due: now))
        #expect(decide(&pacer, .seconds(10), end: .seconds(10.5), at: now, clock: standing) == .show(due: now))
        #expect(decide(&pacer, .seconds(10.5), end: .seconds(11), at: now, clock: standing) == .hold)
    }

    @Test func aFrameIsLateOnlyWhenItsEndHasPassed() {
        let table: [(now: Double, decision: FramePacer.Decision)] = [
            (1.039, .wait(until: Self.start + .seconds(1.04))), (1.04, .show(due: Self.start + .seconds(1.04))),
            (1.079, .show(due: Self.start + .seconds(1.04))), (1.08, .show(due: Self.start + .seconds(1.04))), (1.081, .drop),
            // Nothing was shown for 100 ms.
            (1.1, .show(due: Self.start + .seconds(1.04))),
        ]
        for row in table {
            var pacer = FramePacer()
            _ = decide(&pacer, .seconds(1), end: .seconds(1.04), at: Self.start + .seconds(1), clock: clock)
            let now = Self.start + .seconds(row.now)
            #expect(decide(&pacer, .seconds(1.04), end: .seconds(1.08), at: now, clock: clock) == row.decision, "at \(row.now)")
        }
    }

    /// It may be the last one of the film, at which it stands.
    @Test func whatNothingWaitsBehindIsNeverDropped() {
        var pacer = FramePacer()
        let late = Self.start + .seconds(500)
        _ = decide(&pacer, .zero, end: .milliseconds(40), at: late, clock: clock)
        #expect(
            decide(&pacer, .milliseconds(40), end: .milliseconds(80), at: late, clock: clock, isNewest: true)
                == .show(due: Self.start + .milliseconds(40)))
        #expect(
            decide(&pacer, .seconds(600), end: .seconds(601), at: late, clock: clock, isNewest: true)
                == .wait(until: Self.start + .seconds(600)))
    }

    @Test func withoutTimingEveryFrameIsShownAtOnce() {
        var pacer = FramePacer()
        for frame in 0..<10 {
            let pts = MediaTime.seconds(Double(frame) * 100)
            #expect(decide(&pacer, pts, end: pts, at: Self.start, clock: nil, untimed: true) == .show(due: Self.start))
        }
    }
}

extension MediaTime {
    /// A point at the given milliseconds.
    static func milliseconds(_ value: Double) -> MediaTime { .zero + .milliseconds(value) }
}
