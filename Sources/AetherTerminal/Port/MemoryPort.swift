import AetherCore
import Synchronization

/// A terminal that only remembers what was written. It can take a limited number of bytes a call and in sum, like a slow one.
public final class MemoryPort: TerminalPort {
    private struct State {
        var written: [UInt8] = []
        var bytesPerCall: Int
        var credit: Int
        var size: TerminalSize
    }

    private let state: Mutex<State>

    /// A port that takes `bytesPerCall` bytes at most in one call, and `credit` bytes until `allow` gives more.
    public init(
        size: TerminalSize = TerminalSize(columns: 80, rows: 24), bytesPerCall: Int = .max, credit: Int = .max
    ) {
        state = Mutex(State(bytesPerCall: bytesPerCall, credit: credit, size: size))
    }

    /// Always -1: there is nothing to poll.
    public var descriptor: Int32 { -1 }

    /// Keeps as many bytes as the limits of this port allow; nil where that is none.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(TerminalError) -> Int? {
        // The pointer must not cross into the lock's closure as non-Sendable state: the bytes are copied first.
        let copy = [UInt8](bytes)
        return state.withLock { state -> Int? in
            let count = min(copy.count, state.bytesPerCall, state.credit)
            guard count > 0 else { return copy.isEmpty ? 0 : nil }
            state.written += copy[..<count]
            state.credit -= count
            return count
        }
    }

    /// The size that the port was made with, or was given last.
    public func size() -> TerminalSize { state.withLock { $0.size } }

    /// The bytes that were taken so far.
    public var written: [UInt8] { state.withLock { $0.written } }

    /// Lets that many more bytes through.
    public func allow(_ byteCount: Int) {
        state.withLock { state in
            let (sum, overflow) = state.credit.addingReportingOverflow(byteCount)
            state.credit = overflow ? .max : sum
        }
    }

    /// Changes what `size` answers.
    public func resize(to size: TerminalSize) { state.withLock { $0.size = size } }
}
