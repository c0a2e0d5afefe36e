import Glibc

/// A value behind a mutex that can be waited on: the one home of waiting, and the one `@unchecked Sendable` of the
/// project. (`Synchronization.Mutex` cannot be waited on.)
///
/// Every change wakes the waiters, who look again at the condition they wait for, so no writer has to know whom to wake. Where the value
/// says which of its parts a change touched (`MonitorParts`), only the threads that wait for one of them are woken.
/// Bodies run under the lock: they must be short and must not call C that can block.
public final class Monitor<State>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let waiters: MonitorWaiters
    private let takeChanges: (inout State) -> MonitorParts
    /// By its address: the lock sees to it that one thread is at it, so that it need not be counted once more who is.
    private let state: UnsafeMutablePointer<State>

    /// A monitor over an initial value. `changes`: takes out of the value which of its parts were touched since it was last asked; without
    /// it a change touches all.
    public convenience init(_ initial: sending State, changes: @escaping @Sendable (inout State) -> MonitorParts = { _ in .all })
    {
        self.init(initial, takesTurns: true, changes: changes)
    }

    /// `takesTurns`: threads that take turns (`ThreadTurns`) wait here as such. False for what the turns themselves are made of.
    init(_ initial: sending State, takesTurns: Bool, changes: @escaping @Sendable (inout State) -> MonitorParts) {
        waiters = MonitorWaiters(takesTurns: takesTurns)
        state = .allocate(capacity: 1)
        state.initialize(to: initial)
        takeChanges = changes
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// How often a waiting thread was woken by a change. For measuring.
    public var wakeUps: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return waiters.wakeUps
    }

    /// How many threads wait now. For measuring.
    public var waiting: Int {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return waiters.count
    }

    /// Reads without waking a waiter.
    public func read<Result>(_ body: (borrowing State) throws -> sending Result) rethrows -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(state.pointee)
    }

    /// Changes the value and wakes every waiter that looks at what changed.
    public func update<Result>(_ body: (inout State) throws -> sending Result) rethrows -> sending Result {
        pthread_mutex_lock(mutex)
        defer {
            wake()
            pthread_mutex_unlock(mutex)
        }
        return try body(&state.pointee)
    }

    /// Blocks the calling thread until `body` returns a value, or the deadline has passed (then nil). The body is run at
    /// once and after every change of the parts that it looks at; what it does to the state when it returns a value is kept and wakes the
    /// others.
    public func wait<Result>(
        for parts: MonitorParts = .all, until deadline: HostTime? = nil, _ body: (inout State) throws -> sending Result?
    ) rethrows -> sending Result? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = try body(&state.pointee) {
                wake()
                return result
            }
            guard sleep(for: parts, until: deadline) else {
                guard let result = try body(&state.pointee) else { return nil }
                wake()
                return result
            }
        }
    }

    // MARK: - Under the lock

    private func wake() {
        let changes = takeChanges(&state.pointee)
        waiters.wake(changes)
    }

    /// Gives the lock away until a change of the parts, or the deadline; returns false once that has passed.
    private func sleep(for parts: MonitorParts, until deadline: HostTime?) -> Bool {
        waiters.sleep(under: mutex, for: parts, until: deadline)
    }
}

/// The threads that wait at a monitor. Used under its lock alone. Not generic: an array of a type that belongs to the monitor of a certain value
/// would have its metadata looked up by the runtime at each change, which costs more than the lock.
private final class MonitorWaiters {
    /// A waiting thread: its own condition variable, and the parts of the value that its condition looks at.
    private struct Waiter {
        let bell: UnsafeMutablePointer<pthread_cond_t>
        /// In place of the bell, where the thread takes turns.
        let seat: TurnSeat?
        let parts: MonitorParts
    }
    private let takesTurns: Bool
    private var waiters: [Waiter] = []
    /// Condition variables that no thread waits for.
    private var spareBells: [UnsafeMutablePointer<pthread_cond_t>] = []
    private(set) var wakeUps = 0

    init(takesTurns: Bool) { self.takesTurns = takesTurns }

    var count: Int { waiters.count }

    deinit {
        for bell in spareBells {
            pthread_cond_destroy(bell)
            bell.deallocate()
        }
    }

    /// Wakes those who look at one of the parts.
    func wake(_ changes: MonitorParts) {
        guard !waiters.isEmpty, !changes.isEmpty else { return }
        waiters.removeAll { waiter in
            guard !waiter.parts.isDisjoint(with: changes) else { return false }
            if let seat = waiter.seat { seat.happened() } else { pthread_cond_signal(waiter.bell) }
            wakeUps &+= 1
            return true
        }
    }

    /// Gives the lock away until a change of the parts, or the deadline; returns false once that has passed.
    func sleep(under mutex: UnsafeMutablePointer<pthread_mutex_t>, for parts: MonitorParts, until deadline: HostTime?) -> Bool {
        let bell = spareBells.popLast() ?? Self.makeBell(), seat = takesTurns ? TurnSeat.current : nil
        waiters.append(Waiter(bell: bell, seat: seat, parts: parts))
        defer {
            // A waiter that was woken is out of the list already.
            waiters.removeAll { $0.bell == bell }
            spareBells.append(bell)
        }
        if let seat {
            pthread_mutex_unlock(mutex)
            defer { pthread_mutex_lock(mutex) }
            return seat.wait(until: deadline)
        }
        guard let deadline else {
            pthread_cond_wait(bell, mutex)
            return true
        }
        var ts = timespec()
        ts.tv_sec = Int(deadline.nanoseconds / 1_000_000_000)
        ts.tv_nsec = Int(deadline.nanoseconds % 1_000_000_000)
        // 0 is a wake-up; ETIMEDOUT and anything else (a deadline before boot) is a deadline that has passed.
        return pthread_cond_timedwait(bell, mutex, &ts) == 0
    }

    private static func makeBell() -> UnsafeMutablePointer<pthread_cond_t> {
        let bell = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // Deadlines are host times; the realtime clock may be set back under us.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(bell, &attributes)
        pthread_condattr_destroy(&attributes)
        return bell
    }
}
