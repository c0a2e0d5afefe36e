import AetherTestSupport
import Synchronization
import Testing

@testable import AetherCore

/// Threads that take turns, in the order of a seed.
@Suite struct ThreadTurnsTests {
    /// Three threads put their numbers into a list, each as often as it likes; the fourth wakes when there are enough.
    private func course(_ seed: UInt64) -> (list: [Int], turns: Int, time: HostTime) {
        let turns = ThreadTurns(seed: seed, time: ManualTime())
        let list = Monitor<[Int]>([])
        turns.run {
            let threads = (0..<3).map { number in
                WorkerThread(name: "turns") {
                    for step in 0..<20 {
                        list.update { $0.append(number) }
                        ThreadTurns.rest(until: turns.time.now() + .milliseconds(Double((number + step) % 3)))
                        _ = list.wait(until: turns.time.now() + .milliseconds(1)) { $0.count % 2 == 0 ? true : nil }
                    }
                }
            }
            let waiter = WorkerThread(name: "turns") { _ = list.wait { $0.count >= 30 ? true : nil } }
            for thread in threads + [waiter] { thread.join() }
        }
        return (list.read { $0 }, turns.turnCount, turns.time.now())
    }

    @Test(arguments: [1, 2, 3] as [UInt64]) func theSameSeedIsTheSameCourse(_ seed: UInt64) {
        let first = course(seed)
        for _ in 0..<5 { #expect(course(seed) == first) }
        #expect(first.list.count == 60 && first.turns > 60)
    }

    @Test func anotherSeedIsAnotherCourse() {
        #expect(Set((0..<10).map { course($0).list }).count > 5)
    }

    /// An hour is over at once.
    @Test func whereAllWaitTheClockMovesOn() {
        let turns = ThreadTurns(seed: 1, time: ManualTime())
        let value = Monitor(0)
        let isThere = turns.run {
            let thread = WorkerThread(name: "turns") {
                ThreadTurns.rest(until: turns.time.now() + .seconds(3600))
                value.update { $0 = 1 }
            }
            defer { thread.join() }
            return value.wait(until: turns.time.now() + .seconds(3599)) { $0 == 1 ? true : nil } == nil
                && value.wait { $0 == 1 ? true : nil } == true
        }
        #expect(isThere && turns.time.now() == HostTime(nanoseconds: 3_600_000_000_000))
    }

    @Test func whoTakesNoTurnsIsLeftAlone() {
        ThreadTurns.rest(until: HostTime(nanoseconds: .max))
        #expect(TurnSeat.current == nil)
    }
}
