public import AetherCore

/// A recording as far as it is.
public struct RecordingProgress: Sendable, Equatable {
    /// The end of a recording.
    public enum Outcome: Sendable, Equatable {
        /// The recording was told to end, the source has ended, or the requested part is complete.
        case complete
        /// The recording could not go on, for the reason in one sentence. The part that was written before is kept.
        case failed(String)
    }
    /// The file; of several parts, the latest one.
    public var path: String
    /// Media time that was recorded.
    public var span = TimeSpan.zero
    /// Bytes of all parts.
    public var byteCount: Int64 = 0
    /// The outcome; nil while the recording goes on.
    public var outcome: Outcome?
    /// Whether a file cannot be written as fast as the packets come, so that some are missing.
    public var hasHoles = false

    /// A recording of which nothing is there yet.
    public init(path: String) { self.path = path }

    /// Whether the recording still goes on.
    public var isRunning: Bool { outcome == nil }
}
