import Synchronization

/// One slot between two threads: a newer letter replaces an unread one. Never blocks.
public final class Mailbox<Letter: Sendable>: Sendable {
    private let slot = Mutex<Letter?>(nil)
    private let wakeHandle: WakeHandle?

    /// An empty box; `wake` is signalled at each posting.
    public init(wake: WakeHandle? = nil) { wakeHandle = wake }

    /// Puts a letter in and returns the unread one it replaced, if any.
    @discardableResult
    public func post(_ letter: Letter) -> Letter? {
        let replaced = slot.withLock { slot -> Letter? in
            defer { slot = letter }
            return slot
        }
        wakeHandle?.wake()
        return replaced
    }

    /// Takes the letter out, if there is one.
    public func take() -> Letter? {
        slot.withLock { slot -> Letter? in
            defer { slot = nil }
            return slot
        }
    }
}
