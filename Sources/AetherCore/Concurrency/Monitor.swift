import Glibc

/// A value behind a mutex with a condition variable: the one home of waiting, and the one `@unchecked Sendable` of the
/// project. (`Synchronization.Mutex` cannot be waited on.)
///
/// Every change wakes the waiters, who look again at the condition they wait for, so no writer has to know whom to wake.
/// Bodies run under the lock: they must be short and must not call C that can block.
public final class Monitor<State>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var state: State

    /// A monitor over an initial value.
    public init(_ initial: sending State) {
        state = initial
        mutex = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // Deadlines are host times; the realtime clock may be set back under us.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Reads without waking a waiter.
    public func read<Result>(_ body: (borrowing State) throws -> sending Result) rethrows -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(state)
    }

    /// Changes the value and wakes every waiter.
    public func update<Result>(_ body: (inout State) throws -> sending Result) rethrows -> sending Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }
        return try body(&state)
    }

    /// Blocks the calling thread until `body` returns a value, or the deadline has passed (then nil). The body is run at
    /// once and after every change; what it does to the state when it returns a value is kept and wakes the others.
    public func wait<Result>(until deadline: HostTime? = nil, _ body: (inout State) throws -> sending Result?) rethrows
        -> sending Result?
    {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = try body(&state) {
                pthread_cond_broadcast(changed)
                return result
            }
            guard let deadline else {
                pthread_cond_wait(changed, mutex)
                continue
            }
            var ts = timespec()
            ts.tv_sec = Int(deadline.nanoseconds / 1_000_000_000)
            ts.tv_nsec = Int(deadline.nanoseconds % 1_000_000_000)
            // 0 is a wake-up; ETIMEDOUT and anything else (a deadline before boot) is a deadline that has passed.
            if pthread_cond_timedwait(changed, mutex, &ts) != 0 {
                guard let result = try body(&state) else { return nil }
                pthread_cond_broadcast(changed)
                return result
            }
        }
    }
}
