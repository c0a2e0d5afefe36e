import AetherCore
import Testing

@testable import AetherSources

/// One server's failures and its readers, in virtual time.
@Suite struct OriginLadderTests {
    @Test func serversWithoutPartsAreRememberedForAWhile() throws {
        var honour = RangeHonour()
        func origin(_ number: Int) throws -> WebOrigin { try #require(WebAddress("http://h\(number)/")).origin }
        func at(_ seconds: Double) -> HostTime { HostTime(nanoseconds: 0) + .seconds(seconds) }
        #expect(try !honour.isMissing(origin(0), now: at(0)))
        honour.note(false, of: try origin(0), now: at(0))
        #expect(try honour.isMissing(origin(0), now: at(299)) && !honour.isMissing(origin(1), now: at(0)))
        #expect(try !honour.isMissing(origin(0), now: at(300)))
        // One that has parts of some files has them until it was not heard of for as long.
        honour.note(true, of: try origin(0), now: at(400))
        honour.note(false, of: try origin(0), now: at(500))
        #expect(try !honour.isMissing(origin(0), now: at(500)))
        honour.note(false, of: try origin(0), now: at(700))
        #expect(try honour.isMissing(origin(0), now: at(700)))
        // A bounded number of them.
        for number in 1...RangeHonour.limit { honour.note(false, of: try origin(number), now: at(701)) }
        #expect(try !honour.isMissing(origin(0), now: at(701)) && honour.isMissing(origin(RangeHonour.limit), now: at(701)))
    }

    private let start = HostTime(nanoseconds: 0)
    private func at(_ seconds: Double) -> HostTime { start + .seconds(seconds) }
    private let trouble = NetworkFault(.status(503))

    private func milliseconds(_ time: HostTime?) -> Int64? { time.map { ($0 - start).nanoseconds / 1_000_000 } }

    @Test func requestsThatOneOutageHitsAreOneFailure() {
        var ladder = OriginLadder()
        let absent = NetworkFault(.unreachable)
        let first = ladder.next(after: absent, of: 1, asked: at(0), .reading, now: at(1), jitter: 0.5)
        let second = ladder.next(after: absent, of: 2, asked: at(0.5), .reading, now: at(1.1), jitter: 0.5)
        #expect(milliseconds(first) == 1500 && milliseconds(second) == 1500)
        // A request that is made after that and fails is the next rung, for both.
        let third = ladder.next(after: absent, of: 2, asked: at(1.5), .reading, now: at(1.6), jitter: 0.5)
        #expect(milliseconds(third) == 2600)
        let fourth = ladder.next(after: absent, of: 1, asked: at(1.5), .reading, now: at(1.7), jitter: 0.5)
        #expect(milliseconds(fourth) == 2600)
    }

    @Test func bytesOfOneReaderEndThePauseOfAll() {
        var ladder = OriginLadder()
        for second in 0..<3 {
            _ = ladder.next(after: trouble, of: 1, asked: at(Double(second)), .reading, now: at(Double(second)), jitter: 0.5)
        }
        ladder.progress(of: 2)
        // The other one's patience is its own: a server that gives one file and not another is not asked for ever.
        #expect(ladder.attempts(of: 1) == 3)
        #expect(ladder.next(after: trouble, of: 1, asked: at(5), .reading, now: at(5), jitter: 0.5) == nil)
        #expect(ladder.attempts(of: 1) == 0)
    }

    @Test func theServersWishHoldsForAllItsReaders() throws {
        var ladder = OriginLadder()
        let busy = NetworkFault(.status(429), retryAfter: .seconds(7))
        #expect(milliseconds(ladder.next(after: busy, of: 1, asked: at(0), .opening, now: at(0), jitter: 0.5)) == 7000)
        #expect(try ladder.start(.opening, now: at(1)) == at(7))
        #expect(try ladder.start(.opening, now: at(8)) == at(8))
        // Longer than a person waits for a first frame: said at once.
        let closed = NetworkFault(.status(503), retryAfter: .seconds(600))
        #expect(ladder.next(after: closed, of: 1, asked: at(8), .opening, now: at(8), jitter: 0.5) == nil)
        #expect(throws: closed) { try ladder.start(.opening, now: at(9)) }
        #expect(try ladder.start(.opening, now: at(609)) == at(609))
    }

    @Test func whoComesAfterTheOthersHaveGivenUpHasSeenNoFailure() {
        var ladder = OriginLadder()
        var now = at(0)
        while let next = ladder.next(after: trouble, of: 1, asked: now, .reading, now: now, jitter: 0.5) { now = next }
        let fresh = ladder.next(after: trouble, of: 2, asked: now, .reading, now: now, jitter: 0.5)
        #expect(fresh == now + .seconds(0.5))
    }

    @Test func afterASleepNothingHasFailed() throws {
        var ladder = OriginLadder()
        _ = ladder.next(
            after: NetworkFault(.status(429), retryAfter: .seconds(100)), of: 1, asked: at(0), .reading, now: at(0), jitter: 0)
        ladder.wake()
        #expect(ladder.attempts(of: 1) == 0)
        #expect(try ladder.start(.reading, now: at(1)) == at(1))
    }

    @Test(arguments: [
        (NetworkFault.Kind.status(503), RetryLadder.Patience.reading, 3), (.status(503), .opening, 2),
        (.unreachable, .reading, 18),
        (.status(404), .reading, 0), (.brokeOff, .reading, 3),
    ])
    func theNumberOfAttemptsIsKnownBeforehand(_ kind: NetworkFault.Kind, _ patience: RetryLadder.Patience, _ count: Int) {
        #expect(RetryLadder.limit(after: NetworkFault(kind), patience) == count)
    }

    @Test func aSleepIsALeadOfTheBootClock() {
        var watch = SleepWatch()
        let slept = [(1000, 900), (1010, 910), (1020.5, 920), (5000, 930), (5010, 940)].map {
            watch.note(boot: .seconds($0), monotonic: .seconds($1))
        }
        #expect(slept == [false, false, false, true, false])
    }
}
