import AetherCore
import AetherTestSupport
import Testing

/// Wishes for blocking work. The workers wait for gates that the tests open, so that no order is left to the scheduler.
@Suite(.timeLimit(.minutes(30)))
struct RequestsTests {
    /// A gate for the workers: it counts the work that has begun, and lets parts of it go on.
    private final class Gate: Sendable {
        private struct State {
            var begun: [Int] = []
            var open: Set<Int> = []
        }
        private let state = Monitor(State())

        /// Notes the wish and blocks until it may end.
        func pass(_ wish: Int) {
            state.update { $0.begun.append(wish) }
            _ = state.wait { $0.open.contains(wish) ? true : nil }
        }
        func open(_ wishes: Int...) { state.update { $0.open.formUnion(wishes) } }
        func waitUntilBegun(_ wish: Int) { _ = state.wait { $0.begun.contains(wish) ? true : nil } }
        var begun: [Int] { state.read { $0.begun } }
    }

    private let gate = Gate()
    private var farAway: HostTime { SystemTime().now() + .seconds(60) }

    private func requests(
        _ order: Requests<Int, Int>.Order = .newest, threads: Int = 1, staysReady: Bool = false,
        wake: @escaping @Sendable () -> Void = {}
    ) -> Requests<Int, Int> {
        Requests(name: "test", order: order, threads: threads, staysReady: staysReady, wake: wake) { [gate] in
            { wish, _ in
                gate.pass(wish)
                return wish * 10
            }
        }
    }

    @Test func theAnswerIsTakenOnceAndWakesOnce() {
        let wakes = Counter()
        let requests = requests(wake: { wakes.add() })
        #expect(requests.take() == nil)
        gate.open(1)
        #expect(requests.ask(1) == 1)
        #expect(requests.answer(until: farAway) == 10)
        #expect(requests.take() == nil)
        #expect(requests.close(until: farAway))
        #expect(wakes.current == 1)
    }

    @Test func theNewestWishTakesThePlaceOfTheOneThatWaits() {
        let requests = requests()
        requests.ask(1)
        gate.waitUntilBegun(1)
        for wish in 2...5 { requests.ask(wish) }
        gate.open(1, 2, 3, 4, 5)
        #expect(requests.answer(until: farAway) == 50)
        #expect(requests.close(until: farAway))
        #expect(gate.begun == [1, 5])
    }

    @Test func theAnswerToAnOlderWishIsDropped() {
        let requests = requests(threads: 2)
        requests.ask(1)
        gate.waitUntilBegun(1)
        requests.ask(2)
        gate.open(2)
        #expect(requests.answer(until: farAway) == 20)
        gate.open(1)
        #expect(requests.close(until: farAway))
        #expect(requests.take() == nil)
    }

    @Test func anAnswerThatNobodyTookGoesWithTheNextWish() {
        let requests = requests()
        gate.open(1)
        requests.ask(1)
        requests.ask(2)
        gate.open(2)
        #expect(requests.answer(until: farAway) == 20)
        #expect(requests.close(until: farAway))
        #expect(requests.take() == nil)
    }

    @Test func aWishThatHangsHoldsUpNoOtherWhileAThreadIsFree() {
        let requests = requests(threads: 3)
        for wish in 1...2 {
            requests.ask(wish)
            gate.waitUntilBegun(wish)
        }
        gate.open(3)
        requests.ask(3)
        #expect(requests.answer(until: farAway) == 30)
        gate.open(1, 2)
        #expect(requests.close(until: farAway))
    }

    @Test func whereEachCountsAllAreAnsweredInOrder() {
        let requests = requests(.each(limit: 100), staysReady: true)
        for wish in 1...100 { #expect(requests.ask(wish) == wish) }
        for wish in 1...100 { gate.open(wish) }
        for wish in 1...100 { #expect(requests.answer(until: farAway) == wish * 10) }
        #expect(requests.close(until: farAway))
    }

    @Test func theBoundCountsWhatWaitsAndWhatIsAtWork() {
        let requests = requests(.each(limit: 2))
        #expect(requests.ask(1) == 1)
        gate.waitUntilBegun(1)
        #expect(requests.ask(2) == 2)
        #expect(requests.ask(3) == nil)
        gate.open(1)
        #expect(requests.answer(until: farAway) == 10)
        #expect(requests.ask(4) == 3)
        gate.open(2, 4)
        #expect(requests.answer(until: farAway) == 20)
        #expect(requests.answer(until: farAway) == 40)
        #expect(requests.close(until: farAway))
        #expect(requests.ask(5) == nil)
    }

    @Test func closingWaitsForWhatWasAskedForAndGivesUpAtItsDeadline() {
        let requests = requests(.each(limit: 8), staysReady: true)
        requests.ask(1)
        requests.ask(2)
        gate.waitUntilBegun(1)
        #expect(!requests.close(until: SystemTime().now()))
        gate.open(1, 2)
        #expect(requests.close(until: farAway))
        #expect(gate.begun == [1, 2])
    }

    @Test func whatIsAtWorkIsBrokenOffOnceByWhoeverDropsIt() {
        let interruptions = Counter(), gate = gate
        let requests = Requests<Int, Int>(name: "test", threads: 2) {
            { wish, turn in
                turn.onDrop { interruptions.add() }
                gate.pass(wish)
                return turn.isWanted ? wish : -wish
            }
        }
        requests.ask(1)
        gate.waitUntilBegun(1)
        requests.ask(2)
        #expect(interruptions.current == 1)
        gate.waitUntilBegun(2)
        #expect(requests.drop().isEmpty)
        #expect(interruptions.current == 2)
        gate.open(1, 2)
        #expect(requests.close(until: farAway))
        #expect(requests.take() == nil && interruptions.current == 2)
    }

    @Test func answersThatAreDroppedAreGivenBack() {
        let requests = requests(.each(limit: 8))
        gate.open(1, 2)
        requests.ask(1)
        requests.ask(2)
        #expect(requests.close(until: farAway))
        #expect(requests.drop() == [10, 20])
        #expect(requests.take() == nil)
    }

    @Test func aTurnThatWasDroppedBeforeIsInterruptedAtOnce() {
        let interruptions = Counter(), gate = gate
        let requests = Requests<Int, Int>(name: "test") {
            { wish, turn in
                gate.pass(wish)
                turn.onDrop { interruptions.add() }
                return turn.isWanted ? wish : nil
            }
        }
        requests.ask(1)
        gate.waitUntilBegun(1)
        requests.drop()
        gate.open(1)
        #expect(requests.close(until: farAway))
        #expect(interruptions.current == 1 && requests.take() == nil)
    }

    /// A worker is made on its thread, once, and lasts as long as the thread stays.
    @Test func aThreadThatStaysKeepsItsWorker() {
        let made = Counter()
        let requests = Requests<Int, Int>(name: "test", order: .each(limit: 4), staysReady: true) {
            made.add()
            var sum = 0
            return { wish, _ in
                sum += wish
                return sum
            }
        }
        for (wish, sum) in [(1, 1), (2, 3), (3, 6)] {
            requests.ask(wish)
            #expect(requests.answer(until: farAway) == sum)
        }
        #expect(requests.close(until: farAway) && made.current == 1)
    }

    /// Many threads ask; what is answered last is the newest wish that was accepted.
    @Test func underContentionTheLastAnswerIsTheNewestWish() {
        let requests = Requests<Int, Int>(name: "test", threads: 4) { { _, turn in turn.number } }
        let askers = (0..<4).map { _ in
            WorkerThread(name: "asker") { for _ in 0..<500 { requests.ask(0) } }
        }
        for asker in askers { asker.join() }
        var last: Int?
        while last != 2000, let answer = requests.answer(until: farAway) { last = answer }
        #expect(last == 2000)
        #expect(requests.close(until: farAway))
    }
}
