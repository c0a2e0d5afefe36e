import CLinux
import Glibc

/// An eventfd: lets any thread wake one that sits in poll(2).
public final class WakeHandle: Sendable {
    /// The descriptor to poll for POLLIN. Owned by the handle.
    public let descriptor: Int32

    /// A new handle. Traps when the process is out of descriptors: it is made at start only.
    public init() {
        descriptor = clinux_eventfd()
        precondition(descriptor >= 0, "cannot create an eventfd: \(String(cString: strerror(-descriptor)))")
    }

    deinit { close(descriptor) }

    /// Makes the descriptor readable. Any thread; never blocks.
    public func wake() { _ = clinux_eventfd_signal(descriptor) }

    /// Blocks until it is woken (true) or a time (false, also where a signal came in between).
    public func wait(until deadline: HostTime, now: () -> HostTime) -> Bool {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, Int32(clamping: max(0, (deadline - now()).nanoseconds / 1_000_000 + 1))) > 0
    }

    /// Makes the descriptor quiet again. Call before looking at what one was woken for.
    public func drain() { _ = clinux_eventfd_drain(descriptor) }
}
