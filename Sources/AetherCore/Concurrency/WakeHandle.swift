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

    /// Makes the descriptor quiet again. Call before looking at what one was woken for.
    public func drain() { _ = clinux_eventfd_drain(descriptor) }
}
