public import AetherCore
import Synchronization

/// A flag that breaks blocking reads of the demuxers it was given to, so that seeking and quitting never wait for a source.
/// Any thread may raise and clear it; neither blocks.
public final class Interrupt: Sendable {
    private let raised = Atomic(false)
    /// The readers to unblock. Changed and walked under the lock, so that a raise cannot miss a reader that is just attached.
    private let readers = Mutex<[any IOReader]>([])
    /// The bodies that are told when it is raised and cleared, by number. Called under the lock.
    private let watchers = Mutex<(next: Int, bodies: [Int: @Sendable (_ isRaised: Bool) -> Void])>((0, [:]))
    /// For threads that wait for nothing but it.
    private let signal = Monitor(false)

    /// A flag that is down.
    public init() {}

    /// Makes running and later operations of the demuxers fail with `.interrupted`.
    public func raise() {
        readers.withLock { readers in
            raised.store(true, ordering: .sequentiallyConsistent)
            for reader in readers { reader.cancel() }
        }
        signal.update { $0 = true }
        watchers.withLock { for body in $0.bodies.values { body(true) } }
    }

    /// Lets operations run again.
    public func clear() {
        readers.withLock { readers in
            raised.store(false, ordering: .sequentiallyConsistent)
            for reader in readers { reader.resume() }
        }
        signal.update { $0 = false }
        watchers.withLock { for body in $0.bodies.values { body(false) } }
    }

    /// Has a body told of each raise and each clearing from now on, on the thread that does it; it must not block, nor ask this flag to be told
    /// or not. Returns the number to end that with.
    public func watch(_ body: @escaping @Sendable (_ isRaised: Bool) -> Void) -> Int {
        watchers.withLock { watchers in
            watchers.next += 1
            watchers.bodies[watchers.next] = body
            return watchers.next
        }
    }

    /// The body of a number is not told any more.
    public func unwatch(_ number: Int) { watchers.withLock { _ = $0.bodies.removeValue(forKey: number) } }

    /// Blocks until the flag is up or a moment has come. Returns whether it is up.
    public func wait(until moment: HostTime) -> Bool { signal.wait(until: moment) { $0 ? true : nil } ?? isRaised }

    /// Whether the flag is up.
    public var isRaised: Bool { raised.load(ordering: .sequentiallyConsistent) }

    /// From now on a raise also cancels this reader. The caller detaches it before it lets go of it.
    public func attach(_ reader: any IOReader) {
        readers.withLock { readers in
            readers.append(reader)
            if raised.load(ordering: .sequentiallyConsistent) { reader.cancel() }
        }
    }

    /// The reader is not touched any more.
    public func detach(_ reader: any IOReader) {
        readers.withLock { $0.removeAll { $0 === reader } }
    }
}
