import AetherCore
import Testing

@testable import AetherEngine

@Suite struct AudioLagTests {
    private let start = HostTime(nanoseconds: 5_000_000_000)

    /// The clock as it is published every 20 ms (every 50 at worst) and predicted in between.
    @Test(arguments: [(0.3, 1.0, 20.0), (-0.3, 1, 20), (0.1, 4, 50), (-0.9, 0.25, 50), (0.001, 1, 20)])
    func theClockGlidesToANewDelayWithoutAStep(_ seconds: Double, _ rate: Double, _ interval: Double) {
        var delay = AudioLag()
        delay.advance(to: start, isRunning: true)
        delay.set(.seconds(seconds), at: start)
        var line: ClockAnchor?
        var now = start
        var reached: TimeSpan?
        while now - start < .seconds(12) {
            delay.advance(to: now, isRunning: true)
            let heard = ClockAnchor(media: .zero + (now - start).scaled(by: rate), host: now, rate: rate)
            let next = delay.clock(heard)
            if let line { #expect((line.time(at: now) - next.media).magnitude < .milliseconds(5)) }
            #expect(next.rate > 0)
            line = next
            if reached == nil, delay.current == delay.target { reached = now - start }
            now = min(now + .milliseconds(interval), delay.settlesAt ?? .init(nanoseconds: .max))
        }
        let wanted = abs(seconds) * 10
        #expect(abs((reached?.seconds ?? 99) - wanted) < 0.1)
        #expect(delay.current == .seconds(seconds) && delay.slope == 0)
    }

    @Test func standsWhileTheClockStandsAndBeginsAnEpochThere() {
        var delay = AudioLag(.seconds(1))
        delay.set(.seconds(2), at: start)
        delay.advance(to: start, isRunning: false)
        delay.advance(to: start + .seconds(9), isRunning: false)
        #expect(delay.current == .seconds(1))
        let standing = delay.clock(ClockAnchor(media: .seconds(4), host: start, rate: 0))
        #expect(standing.rate == 0 && standing.media == .seconds(5))
        delay.settle()
        #expect(delay.current == .seconds(2))
    }

    /// The clock that is told to stand has glided up to then: it does not go back by that.
    @Test func glidesUpToTheMomentAtWhichTheClockStands() {
        var delay = AudioLag()
        delay.advance(to: start, isRunning: true)
        delay.set(.seconds(-1), at: start)
        delay.advance(to: start + .seconds(1), isRunning: false)
        #expect(delay.current == .milliseconds(-100))
        delay.advance(to: start + .seconds(9), isRunning: true)
        #expect(delay.current == .milliseconds(-100))
    }

    /// The thread that publishes the clock sleeps for 400 ms, and a new delay was asked for meanwhile: the glide begins when it wakes.
    @Test func glidesFromTheMomentAtWhichItWasAskedFor() {
        var delay = AudioLag()
        delay.advance(to: start, isRunning: true)
        let late = start + .milliseconds(400)
        delay.set(.seconds(-1), at: late)
        delay.advance(to: late, isRunning: true)
        #expect(delay.current == .zero && delay.slope < 0)
    }

    /// It sleeps past the moment at which the target is reached: the clock has glided on, and glides back.
    @Test func aGlideThatWentTooFarDoesNotStepBack() {
        var delay = AudioLag()
        delay.advance(to: start, isRunning: true)
        delay.set(.milliseconds(10), at: start)
        let line = delay.clock(ClockAnchor(media: .zero, host: start, rate: 1)), late = start + .milliseconds(400)
        delay.advance(to: late, isRunning: true)
        let next = delay.clock(ClockAnchor(media: .milliseconds(400), host: late, rate: 1))
        #expect(next.media == line.time(at: late) && next.rate < 1)
        delay.advance(to: late + .milliseconds(300), isRunning: true)
        #expect(delay.current == delay.target && delay.slope == 0)
    }

    @Test(arguments: [(30.0, 10.0), (-30, -10), (.infinity, 10), (-0.25, -0.25)])
    func isBounded(_ asked: Double, _ got: Double) {
        var delay = AudioLag()
        delay.set(.seconds(asked), at: start)
        #expect(delay.target == .seconds(got) && AudioLag(.seconds(asked)).current == .seconds(got))
    }
}
