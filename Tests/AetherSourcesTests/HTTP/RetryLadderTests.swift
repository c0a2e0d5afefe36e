import AetherCore
import Testing

@testable import AetherSources

/// When a request is made again, in virtual time.
@Suite struct RetryLadderTests {
    /// The pauses until it gives up, in milliseconds, with `took` between a request and its failure.
    private func pauses(
        _ fault: NetworkFault, _ patience: RetryLadder.Patience, took: TimeSpan = .zero, jitter: Double = 0.5
    ) -> [Int64] {
        var ladder = RetryLadder(), now = HostTime(nanoseconds: 0), pauses: [Int64] = []
        while pauses.count < 1000, let next = ladder.next(after: fault, patience, now: now, jitter: jitter) {
            pauses.append((next - now).nanoseconds / 1_000_000)
            now = next + took
        }
        return pauses
    }

    @Test(arguments: [400, 401, 403, 404, 410, 416])
    func aRefusalIsFinal(_ status: Int) {
        #expect(pauses(NetworkFault(.status(status)), .reading) == [])
        #expect(pauses(NetworkFault(.status(status)), .opening) == [])
    }

    @Test(arguments: [
        NetworkFault.Kind.certificate, .changed, .redirection, .privateAddress, .webPage, .invalidAddress,
    ])
    func whatAskingAgainDoesNotChangeIsFinal(_ kind: NetworkFault.Kind) { #expect(pauses(NetworkFault(kind), .reading) == []) }

    /// The rest of another answer, or a server's slip.
    @Test func whatMakesNoSenseIsAskedForOnceMore() {
        for patience in [RetryLadder.Patience.opening, .reading, .named] {
            #expect(pauses(NetworkFault(.badAnswer), patience) == [500])
        }
    }

    @Test func aSilenceOfAServerThatWasThereIsAConnectionThatDied() {
        #expect(pauses(NetworkFault(.timedOut), .opening, took: .seconds(8)) == [])
        #expect(pauses(NetworkFault(.timedOut), .named, took: .seconds(8)) == [500, 1000])
        for kind in [NetworkFault.Kind.refused, .noSuchHost] { #expect(pauses(NetworkFault(kind), .named) == []) }
    }

    @Test(arguments: [408, 425, 429, 500, 503])
    func aServersTroubleIsAskedAboutAgain(_ status: Int) {
        #expect(pauses(NetworkFault(.status(status)), .opening) == [500, 1000])
        #expect(pauses(NetworkFault(.status(status)), .reading) == [500, 1000, 2000])
    }

    @Test func aBreakIsMendedAtOnceAndThenWithPauses() {
        #expect(pauses(NetworkFault(.brokeOff), .reading) == [0, 1000, 2000])
    }

    @Test func nobodyThereIsSaidAtOnceWhenOpeningAndOutlastedWhilePlaying() {
        for kind in [NetworkFault.Kind.refused, .noSuchHost, .unreachable] {
            #expect(pauses(NetworkFault(kind), .opening) == [])
            let pauses = pauses(NetworkFault(kind), .reading)
            #expect(pauses.prefix(6) == [500, 1000, 2000, 4000, 8000, 8000])
            // A link that is away for a minute is waited for; one for three is not.
            #expect((60_000...120_000).contains(pauses.reduce(0, +)), "\(pauses)")
        }
    }

    @Test(arguments: [NetworkFault.Kind.hungUp, .handshake, .proxy, .status(502), .status(504)])
    func aForwarderWithoutAServerIsOutlastedWhilePlaying(_ kind: NetworkFault.Kind) {
        #expect(pauses(NetworkFault(kind), .opening) == [500, 1000])
        let pauses = pauses(NetworkFault(kind), .reading)
        #expect((60_000...120_000).contains(pauses.reduce(0, +)), "\(pauses)")
    }

    @Test func theTimeThatRequestsTakeCounts() {
        #expect(pauses(NetworkFault(.timedOut), .reading, took: .seconds(15)).count == 6)
    }

    @Test func theServersOwnWishIsKeptWithinPatience() {
        #expect(pauses(NetworkFault(.status(429), retryAfter: .seconds(5)), .opening) == [5000, 5000])
        #expect(pauses(NetworkFault(.status(503), retryAfter: .seconds(600)), .reading) == [])
    }

    @Test func bytesForgiveAndChanceSpreads() {
        var ladder = RetryLadder()
        let start = HostTime(nanoseconds: 0), fault = NetworkFault(.status(503))
        let first = ladder.next(after: fault, .reading, now: start, jitter: 0.5)
        ladder.progress()
        #expect(ladder.next(after: fault, .reading, now: start, jitter: 0.5) == first)
        #expect(pauses(fault, .opening, jitter: 0) == [375, 750])
        #expect(pauses(fault, .opening, jitter: 1) == [625, 1250])
    }
}
