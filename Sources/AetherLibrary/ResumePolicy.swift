public import AetherCore

/// The resume position of a file that was left before its end. Pure.
public struct ResumePolicy: Sendable, Equatable {
    /// Shorter files begin again. 5 min: longer than nearly every song, shorter than any episode.
    public var shortest = TimeSpan.seconds(300)
    /// Before that nothing was really watched, after it are the credits.
    public var part = 0.05...0.95

    /// The usual one.
    public init() {}

    /// The resume position, from the start of the file; nil: at the start. A file of unknown length, such as a recording in progress, was
    /// left in its middle when more than `shortest` of it had played.
    public func position(left: TimeSpan, of duration: TimeSpan?, isFinished: Bool) -> TimeSpan? {
        guard !isFinished else { return nil }
        guard let duration else { return left > shortest ? left : nil }
        guard duration > shortest else { return nil }
        let fraction = left.seconds / duration.seconds
        return fraction > part.lowerBound && fraction < part.upperBound ? left : nil
    }

    /// Whether a person who leaves the file there has seen it all.
    public func isFinished(left: TimeSpan, of duration: TimeSpan?) -> Bool {
        guard let duration, duration > .zero else { return false }
        return left.seconds / duration.seconds >= part.upperBound
    }
}
