public import AetherCore

/// The position at which a source was left for another one that was loaded in its place.
public struct LeftPosition: Sendable, Equatable {
    /// The time from the source's start: the target of the last seek that was sent before the load, else the clock's; nil where the source
    /// cannot seek.
    public let position: TimeSpan?
    /// The user's intent to play.
    public let wantsToPlay: Bool
}
