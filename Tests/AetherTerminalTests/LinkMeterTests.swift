import AetherCore
import AetherTerminal
import Testing

struct LinkMeterTests {
    /// A link that holds whatever it is given, drains at a rate, and is half a round trip long each way.
    private struct Link {
        let rate: Double, roundTrip: TimeSpan
        var free = HostTime(nanoseconds: 0)

        /// When the answer to a question behind so many bytes is back.
        mutating func send(_ bytes: Int, at now: HostTime) -> HostTime {
            let begin = max(free, now + roundTrip.scaled(by: 0.5))
            free = begin + .seconds(Double(bytes) / rate)
            return free + roundTrip.scaled(by: 0.5)
        }
    }

    /// Sends a frame every 40 ms, whatever the link; returns the meter after `count` frames with all answers that came by then.
    private func run(_ link: Link, frame bytes: Int, count: Int) -> LinkMeter {
        var link = link
        var meter = LinkMeter(asks: true, roundTrip: link.roundTrip + .milliseconds(1))
        var answers: [HostTime] = []
        for index in 0..<count {
            let now = HostTime(nanoseconds: Int64(index) * 40_000_000)
            while let first = answers.first, first <= now {
                meter.answered(at: answers.removeFirst())
                _ = first
            }
            meter.submitted(bytes, question: true, at: now)
            answers.append(link.send(bytes, at: now))
        }
        return meter
    }

    @Test(arguments: [100_000.0, 250_000, 1_000_000, 4_000_000], [0.0, 30, 200])
    func learnsTheRateOfAFullLink(_ rate: Double, _ roundTrip: Double) throws {
        let link = Link(rate: rate, roundTrip: .milliseconds(roundTrip))
        // Three times what fits into a frame's time: the link is never empty.
        let meter = run(link, frame: max(8192, Int(rate * 0.12)), count: 80)
        let learnt = try #require(meter.drainRate)
        #expect(abs(learnt / rate - 1) < 0.1, "\(learnt) for \(rate)")
    }

    @Test(arguments: [250_000.0, 1_000_000, 4_000_000], [0.0, 30, 200])
    func learnsTheRateOfALinkThatIsMostlyIdle(_ rate: Double, _ roundTrip: Double) throws {
        let link = Link(rate: rate, roundTrip: .milliseconds(roundTrip))
        let meter = run(link, frame: Int(rate * 0.02), count: 80)
        let learnt = try #require(meter.drainRate)
        // The round trip is known to a millisecond, the bytes take twenty.
        #expect(learnt > rate * 0.85 && learnt < rate * 1.25, "\(learnt) for \(rate)")
    }

    @Test func countsWhatIsUnderWay() {
        var meter = LinkMeter(asks: true)
        meter.submitted(1000, question: true, at: HostTime(nanoseconds: 0))
        meter.submitted(500, question: true, at: HostTime(nanoseconds: 10))
        #expect(meter.bytesInFlight == 1500)
        meter.answered(at: HostTime(nanoseconds: 20))
        #expect(meter.bytesInFlight == 500)
        meter.answered(at: HostTime(nanoseconds: 30))
        #expect(meter.bytesInFlight == 0)
        // One that nobody asked for.
        meter.answered(at: HostTime(nanoseconds: 40))
        #expect(meter.bytesInFlight == 0 && meter.questionsOpen == 0)
    }

    @Test func aTerminalThatFallsSilentIsWaitedForTwiceAndThenAskedNoMore() throws {
        var meter = LinkMeter(asks: true)
        var now = HostTime(nanoseconds: 0)
        for round in 1...2 {
            meter.submitted(1000, question: true, at: now)
            let expiry = try #require(meter.nextExpiry)
            let early = meter.expire(at: expiry)
            #expect(!early && meter.asks)
            now = expiry + .milliseconds(1)
            let late = meter.expire(at: now)
            #expect(late && meter.bytesInFlight == 0 && meter.asks == (round < 2))
        }
        meter.submitted(1000, question: true, at: now)
        #expect(meter.questionsOpen == 0)
    }

    @Test func answersToQuestionsThatWereGivenUpDoNotCountForLaterOnes() {
        var meter = LinkMeter(asks: true)
        let start = HostTime(nanoseconds: 0)
        meter.submitted(1000, question: true, at: start)
        meter.submitted(1000, question: true, at: start)
        meter.forgetQuestions(unsent: 1, at: start + .milliseconds(5))
        meter.submitted(9000, question: true, at: start + .milliseconds(6))
        meter.answered(at: start + .milliseconds(7))  // of the first
        #expect(meter.questionsOpen == 1)
        meter.answered(at: start + .milliseconds(46))
        #expect(meter.questionsOpen == 0)
        #expect(meter.drainRate == nil || (meter.drainRate ?? 0) > 200_000)
    }

    @Test func refusedWritesCountOnlyWhereNothingIsAsked() {
        var deaf = LinkMeter(asks: false), asking = LinkMeter(asks: true)
        deaf.refused(bytes: 100_000, over: .milliseconds(100))
        asking.refused(bytes: 100_000, over: .milliseconds(100))
        #expect(deaf.drainRate == 1_000_000)
        #expect(asking.drainRate == nil)
    }

    /// A terminal that reads an update when it ends answers behind the pause; one that reads at once, before. The pause is no sign of a
    /// slow link, but an answer that comes much later than it is.
    @Test(arguments: [(2.0, 10_000_000.0), (11.0, 10_000_000.0), (40.0, 6_000_000.0)])
    func aPauseBeforeTheEndOfAFrameIsNotTheLinksTime(_ answer: Double, _ atMost: Double) throws {
        var meter = LinkMeter(asks: true, roundTrip: .zero)
        func at(_ milliseconds: Double) -> HostTime { HostTime(nanoseconds: 0) + .milliseconds(milliseconds) }
        meter.submitted(20_000, question: true, at: at(0))
        meter.answered(at: at(2))
        for index in 1..<6 {
            let began = Double(index) * 100
            meter.submitted(20_000, question: true, at: at(began))
            if answer < 10 { meter.answered(at: at(began + answer)) }
            meter.released(at: at(began + 10))
            if answer >= 10 { meter.answered(at: at(began + answer)) }
        }
        let rate = try #require(meter.drainRate)
        #expect(abs(rate - 10_000_000) < 1 || rate < atMost)
        #expect((answer > 20) == (rate < 6_000_000))
    }
}
