import AetherCore
import Glibc

/// poll(2) against deadlines of the host clock.
enum Poll {
    static let readable = Int16(POLLIN)
    static let writable = Int16(POLLOUT)

    /// Milliseconds for poll(2) until a deadline, rounded up so that no caller wakes just before it and spins; -1 for none.
    static func timeout(until deadline: HostTime?, now: HostTime) -> Int32 {
        guard let deadline else { return -1 }
        let left = (deadline - now).nanoseconds
        guard left > 0 else { return 0 }
        return Int32(clamping: left / 1_000_000 + (left % 1_000_000 == 0 ? 0 : 1))
    }

    /// Blocks until one descriptor is ready or the deadline has passed (false). By the given clock: the system's own may have gone on.
    static func wait(descriptor: Int32, events: Int16, until deadline: HostTime, time: any TimeSource) -> Bool {
        var one = pollfd(fd: descriptor, events: events, revents: 0)
        while true {
            let now = time.now()
            let ready = poll(&one, 1, timeout(until: deadline, now: now))
            if ready > 0 { return true }
            if ready < 0 && errno != EINTR || now >= deadline { return false }
        }
    }
}
