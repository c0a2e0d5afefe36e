import AetherCore
import Glibc
import Synchronization
import Testing

/// The kernel's scheduling policy of a thread that was started by a thread of another urgency: children inherit it, and must not.
@Suite struct ThreadUrgencyTests {
    private static func policy(of urgency: ThreadUrgency) -> Int32 {
        let seen = Mutex<Int32>(-1)
        WorkerThread(name: "test", urgency: urgency) { seen.withLock { $0 = sched_getscheduler(0) } }.join()
        return seen.withLock { $0 }
    }

    private static func policy(of urgency: ThreadUrgency, startedBy parent: ThreadUrgency) -> Int32 {
        let seen = Mutex<Int32>(-1)
        WorkerThread(name: "test", urgency: parent) {
            let policy = policy(of: urgency)
            seen.withLock { $0 = policy }
        }.join()
        return seen.withLock { $0 }
    }

    @Test func onlyBulkThreadsYield() {
        #expect(Self.policy(of: .bulk) == 3, "SCHED_BATCH")
        #expect(Self.policy(of: .idle) == 5, "SCHED_IDLE")
        #expect(Self.policy(of: .ordinary) == SCHED_OTHER)
        #expect(Self.policy(of: .deadline) == SCHED_OTHER)
    }

    @Test(arguments: [ThreadUrgency.ordinary, .deadline])
    func aChildOfABulkThreadIsItsOwn(urgency: ThreadUrgency) {
        #expect(Self.policy(of: urgency, startedBy: .bulk) == SCHED_OTHER)
        #expect(Self.policy(of: .bulk, startedBy: urgency) == 3)
    }

    @Test func whatADecoderStartsYieldsToo() {
        let seen = Mutex<Int32>(-1)
        WorkerThread(name: "test", urgency: .bulk) {
            // As libavcodec starts its threads: it knows nothing of urgencies.
            var thread = pthread_t()
            let box = Unmanaged.passRetained(Box(seen: Mutex(-1)))
            pthread_create(
                &thread, nil,
                { context in
                    Unmanaged<Box>.fromOpaque(context!).takeUnretainedValue().seen.withLock { $0 = sched_getscheduler(0) }
                    return nil
                }, box.toOpaque())
            pthread_join(thread, nil)
            let policy = box.takeRetainedValue().seen.withLock { $0 }
            seen.withLock { $0 = policy }
        }.join()
        #expect(seen.withLock { $0 } == 3)
    }

    private final class Box: Sendable {
        let seen: Mutex<Int32>
        init(seen: consuming Mutex<Int32>) { self.seen = seen }
    }
}
