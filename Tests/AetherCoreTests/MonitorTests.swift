import AetherCore
import Synchronization
import Testing

/// Waiting under contention: nothing is lost, nothing comes twice, nobody is forgotten. Work is counted; no test waits for a time.
@Suite struct MonitorTests {
    private static func threads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) -> [WorkerThread] {
        (0..<count).map { number in WorkerThread(name: "test-\(number)") { body(number) } }
    }

    @Test func changesFromManyThreadsAreAllKept() {
        let total = Monitor(0)
        let threads = Self.threads(8) { _ in for _ in 0..<5_000 { total.update { $0 += 1 } } }
        for thread in threads { thread.join() }
        #expect(total.read { $0 } == 40_000)
    }

    /// Four threads hand 4 × 2,500 numbers to three others through a queue with room for two: each arrives once, and a thread's in order.
    @Test func aBoundedQueueLosesAndDoublesNothing() {
        struct Queue {
            var waiting: [(from: Int, number: Int)] = []
            var taken: [[Int]] = [[], [], [], []]
            var longest = 0
            var isClosed = false
        }
        let queue = Monitor(Queue())
        let takers = Self.threads(3) { _ in
            while true {
                let isOver = queue.wait { queue -> Bool? in
                    if queue.waiting.isEmpty { return queue.isClosed ? true : nil }
                    let (from, number) = queue.waiting.removeFirst()
                    queue.taken[from].append(number)
                    return false
                }
                if isOver == true { return }
            }
        }
        let givers = Self.threads(4) { from in
            for number in 0..<2_500 {
                _ = queue.wait { queue -> Bool? in
                    guard queue.waiting.count < 2 else { return nil }
                    queue.waiting.append((from, number))
                    queue.longest = max(queue.longest, queue.waiting.count)
                    return true
                }
            }
        }
        for thread in givers { thread.join() }
        queue.update { $0.isClosed = true }
        for thread in takers { thread.join() }
        queue.read { queue in
            #expect(queue.taken.allSatisfy { $0.elementsEqual(0..<2_500) })
            #expect(queue.longest <= 2)
        }
    }

    /// Sixteen threads that each wait for their own turn, with one change for each: a wake-up that reached only one would hang.
    @Test func everyWaiterIsWokenByAChange() {
        let turn = Monitor(0), order = Mutex<[Int]>([])
        let threads = Self.threads(16) { number in
            _ = turn.wait { turn -> Bool? in
                guard turn == 15 - number else { return nil }
                order.withLock { $0.append(number) }
                // A change made by a waiting thread wakes the others, too.
                turn += 1
                return true
            }
        }
        for thread in threads { thread.join() }
        #expect(order.withLock { $0 } == (0..<16).reversed())
    }

    @Test func aDeadlineThatHasPassedStillLooksOnce() {
        let state = Monitor(3)
        for deadline in [HostTime(nanoseconds: .min), HostTime(nanoseconds: -1), HostTime(nanoseconds: 0), SystemTime().now()] {
            let looks = Counter()
            let none: Bool? = state.wait(until: deadline) { _ in
                looks.add()
                return nil
            }
            #expect(none == nil && looks.current >= 1)
            #expect(state.wait(until: deadline) { $0 == 3 ? "there" : nil } == "there")
        }
        // Never before its time.
        let until = SystemTime().now() + .milliseconds(3)
        let none: Bool? = state.wait(until: until) { _ in nil }
        #expect(none == nil && SystemTime().now() >= until)
    }

    /// A change that comes while one waits with a deadline far off ends the wait.
    @Test func aChangeComesBeforeTheDeadline() {
        let state = Monitor(0), began = Monitor(false)
        let waiter = WorkerThread(name: "test-wait") {
            let found: Int? = state.wait(until: SystemTime().now() + .seconds(3600)) { value in
                began.update { $0 = true }
                return value > 0 ? value : nil
            }
            state.update { $0 = (found ?? -100) + 1 }
        }
        _ = began.wait { $0 ? true : nil }
        state.update { $0 = 41 }
        waiter.join()
        #expect(state.read { $0 } == 42)
    }

    @Test func aBodyThatThrowsLeavesTheLockFree() {
        struct Refusal: Error {}
        let state = Monitor(0)
        #expect(throws: Refusal.self) {
            try state.update { value in
                value = 1
                throw Refusal()
            }
        }
        #expect(throws: Refusal.self) { try state.wait { _ -> Bool? in throw Refusal() } }
        #expect(throws: Refusal.self) { try state.read { _ in throw Refusal() } }
        #expect(state.read { $0 } == 1)
    }

    @Test func aThreadIsJoinedByAllWhoAsk() {
        let gate = Monitor(false), ended = Counter()
        let worker = WorkerThread(name: "a name that is longer than the system's fifteen") {
            _ = gate.wait { $0 ? true : nil }
            ended.add()
        }
        let joiners = Self.threads(4) { _ in
            worker.join()
            #expect(ended.current == 1)
        }
        gate.update { $0 = true }
        for joiner in joiners { joiner.join() }
        worker.join()
        #expect(ended.current == 1)
    }

    /// Waiters name the parts of the value that they look at; a change of others leaves them asleep.
    @Test func aChangeWakesOnlyThoseWhoLookAtItsParts() {
        struct Value {
            var numbers = [0, 0, 0]
            var changes: MonitorParts = []
            mutating func raise(_ part: Int) {
                numbers[part] += 1
                changes.insert(MonitorParts(rawValue: 1 << UInt32(part)))
            }
        }
        let value = Monitor(Value()) { value in
            defer { value.changes = [] }
            return value.changes
        }
        let asleep = Monitor(0)
        let threads = Self.threads(3) { part in
            var isFirst = true
            _ = value.wait(for: MonitorParts(rawValue: 1 << UInt32(part))) { value -> Bool? in
                // Under the lock, which is given away by falling asleep.
                if isFirst { asleep.update { $0 += 1 } }
                isFirst = false
                return value.numbers[part] >= 3 ? true : nil
            }
        }
        _ = asleep.wait { $0 == 3 ? true : nil }
        // Taken after the last of them: all are in the list of those who wait.
        #expect(value.read { $0.numbers } == [0, 0, 0] && value.waiting == 3)
        value.update { _ in }
        #expect(value.wakeUps == 0, "nothing was touched")
        value.update { $0.raise(1) }
        #expect(value.wakeUps == 1)
        value.update {
            $0.raise(0)
            $0.raise(2)
        }
        #expect(value.wakeUps == 3)
        for part in [0, 1, 2, 0, 1, 2] { value.update { $0.raise(part) } }
        for thread in threads { thread.join() }
        #expect(value.waiting == 0)
    }
}
