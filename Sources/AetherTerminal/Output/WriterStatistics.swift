public import AetherCore

/// The writer's measurements since its start.
public struct WriterStatistics: Sendable, Equatable {
    /// Bytes that the terminal's queue took.
    public internal(set) var bytesWritten: Int64 = 0
    /// Frames that went out whole.
    public internal(set) var framesWritten: Int64 = 0
    /// Frames given up in the middle.
    public internal(set) var framesAbandoned: Int64 = 0
    /// Time during which a frame was waiting for the terminal.
    public internal(set) var timeBlocked = TimeSpan.zero
    /// From the submission of the last whole frame to its last byte, or to the first that was held back; nil before the first.
    public internal(set) var lastFrameTime: TimeSpan?
    /// Bytes a second that a terminal takes when it is the bottleneck; nil as long as it never was.
    public internal(set) var drainRate: Double?

    /// Takes in a frame that had to wait: bytes that went out after the first refusal, and how long that took. A quarter of the
    /// new value: the mean follows a change within four frames, and one delayed wake-up does not throw it off.
    mutating func observeDrain(bytes: Int, over span: TimeSpan) {
        guard bytes > 0, span.nanoseconds > 0 else { return }
        let rate = Double(bytes) / span.seconds
        drainRate = drainRate.map { $0 + (rate - $0) / 4 } ?? rate
    }
}
