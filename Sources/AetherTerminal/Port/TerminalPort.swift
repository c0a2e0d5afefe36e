/// The edge to a terminal's output: a tty, or memory in tests.
public protocol TerminalPort: Sendable {
    /// The descriptor to poll for POLLOUT after `write` returned nil; -1 when there is nothing to poll.
    var descriptor: Int32 { get }

    /// Hands over as many of the bytes as are taken at once, and returns how many; nil when none was (the terminal is slow).
    /// Never blocks. Called by one thread at a time.
    func write(_ bytes: UnsafeRawBufferPointer) throws(TerminalError) -> Int?

    /// The present size by the kernel. Never blocks, never fails: what is not known counts as 80×24.
    func size() -> TerminalSize
}

extension TerminalPort {
    /// Writes an array's bytes from an index on.
    func write(_ bytes: [UInt8], from start: Int = 0) throws(TerminalError) -> Int? {
        guard start < bytes.count else { return 0 }
        // withUnsafeBytes rethrows untyped: the error is carried out as a value.
        let outcome = bytes.withUnsafeBytes { buffer -> Result<Int?, TerminalError> in
            do throws(TerminalError) {
                return .success(try write(UnsafeRawBufferPointer(rebasing: buffer[start...])))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}
