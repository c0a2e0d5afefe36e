import Synchronization

/// A `PNGStream` that a copyable renderer can hold. Copies of the renderer share it; each image takes it alone.
final class PNGWorkspace: Sendable {
    private let stream = Mutex(PNGStream())

    /// Lends the stream.
    func use<Result: Sendable>(_ body: (inout PNGStream) -> Result) -> Result {
        stream.withLock { body(&$0) }
    }
}
