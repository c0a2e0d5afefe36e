import AetherCore
import Testing

@testable import AetherEngine

/// The distance from the end of a broadcast, in virtual time: an edge that moves in steps by the origin's clock, and a clock of playing.
@Suite struct LatencyControlTests {
    /// A broadcast that is played for so many seconds.
    private struct Run {
        var control = LatencyControl()
        var position = 0.0, edge = 0.0, now = 0.0
        /// Seconds of media that the origin makes in a second.
        var origin = 1.0
        let step: Double
        var rates: Set<Double> = []
        var nearest = Double.infinity, furthest = -Double.infinity

        init(behind: Double, step: Double, origin: Double = 1) {
            (self.step, self.origin) = (step, origin)
            position = -behind
        }

        mutating func play(_ seconds: Double) {
            let end = now + seconds
            while now < end {
                let pause = step / origin
                now += pause
                position += pause * control.rate
                edge += step
                control.note(
                    behind: .seconds(edge - position), step: .seconds(step), now: HostTime(nanoseconds: Int64(now * 1e9)))
                rates.insert(control.rate)
                nearest = min(nearest, edge - position)
                furthest = max(furthest, edge - position)
            }
        }

        var behind: Double { edge - position }
    }

    @Test func whatIsRightIsLeftAlone() {
        var run = Run(behind: 0.25, step: 0.5)
        run.play(3600)
        #expect(run.rates == [1])
    }

    @Test(arguments: [(2.0, 1.01...1.05), (-1.0, 0.95...0.99)])
    func anErrorIsMadeGoodAndNotMore(_ behind: Double, _ allowed: ClosedRange<Double>) {
        var run = Run(behind: behind, step: 0.5)
        run.play(120)
        #expect(run.rates.allSatisfy { $0 == 1 || allowed.contains($0) } && run.rates.count > 1, "\(run.rates)")
        #expect(abs(run.behind - 0.25) < 0.5 && run.control.rate == 1, "\(run.behind)")
    }

    @Test(arguments: [(0.999, 0.5), (1.001, 0.5), (0.999, 6), (1.001, 6)])
    func aDriftingOriginIsFollowedForADay(_ origin: Double, _ step: Double) {
        var run = Run(behind: step / 2, step: step, origin: origin)
        run.play(86_400)
        // Uncontrolled it would be 86 s by then. Three steps, or parts, are held back.
        #expect(run.nearest > -step && run.furthest < 2 * step + 1, "\(run.nearest) \(run.furthest)")
        #expect(run.rates.allSatisfy { LatencyControl.rates.contains($0) })
    }

    @Test func whoeverIsFarBehindWantsToBe() {
        var run = Run(behind: 30, step: 2)
        run.play(600)
        #expect(run.rates == [1])
    }

    @Test func stallsLetItKeepFurtherBackAndThatIsForgotten() {
        var control = LatencyControl()
        for _ in 0..<12 { control.stalled() }
        #expect(control.allowance == .seconds(4))
        var now = 0.0
        for _ in 0..<4000 {
            now += 0.5
            control.note(behind: .seconds(0.25), step: .seconds(0.5), now: HostTime(nanoseconds: Int64(now * 1e9)))
        }
        #expect(control.allowance == .zero)
    }

    @Test func theBroadcastersRatesBound() {
        var control = LatencyControl()
        control.note(behind: .seconds(3), step: .seconds(1), now: HostTime(nanoseconds: 0), rates: 0.98...1.02)
        #expect(control.rate == 1.02)
    }

    @Test func theMachineKeepsTheDistanceOnlyWhilePlayingAtThePersonsOwnRate() {
        var play = Play.landed()
        func window(_ edge: Double) -> SourceWindow {
            SourceWindow(seekable: .zero ... .seconds(edge), liveEdge: .seconds(edge), step: .seconds(0.5))
        }
        func say(_ edge: Double, _ position: Double) -> [PlaybackEffect] {
            play.handle(.window(window(edge), position: .seconds(position), now: HostTime(nanoseconds: Int64(edge * 1e9))))
        }
        #expect(say(20, 18).isEmpty, "the first edge is no step")
        #expect(say(20.5, 18.5).contains(.keepDistance(rate: 1.05)))
        #expect(play.machine.rate == 1.05)
        #expect(play.say(.set(.rate(2)), at: 19).contains(.keepDistance(rate: 1)))
        #expect(say(21, 18.5).isEmpty)
        _ = play.say(.set(.rate(1)), at: 19)
        #expect(say(21.5, 19.5).contains(.keepDistance(rate: 1.05)))
        #expect(play.handle(.starved(play.machine.epoch)).contains(.keepDistance(rate: 1)))
    }
}
