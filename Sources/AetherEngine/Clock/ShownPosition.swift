import AetherCore

/// The position that is shown for a time of the clock. Pure.
enum ShownPosition {
    /// Streams end some samples apart: so far beyond the declared end the position stays there.
    private static let tolerance = TimeSpan.milliseconds(500)

    /// A file that goes on for longer than that is longer than it says, and is followed up to `end`, behind which nothing comes any more; nil
    /// while that is unknown. A clock without audio runs on where the last frames are late.
    static func of(_ time: MediaTime, from start: MediaTime, duration: TimeSpan?, end: MediaTime?) -> MediaTime {
        guard let duration else { return max(start, time) }
        let declared = start + duration
        let isLonger = time - declared > tolerance && (end.map { $0 - declared > tolerance } ?? true)
        return max(start, min(time, isLonger ? max(declared, end ?? time) : declared))
    }
}
