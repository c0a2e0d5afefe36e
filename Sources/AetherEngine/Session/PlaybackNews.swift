public import AetherCore

/// A turn in the playing of one source. The engine keeps them in the order in which they happened, so that a rare reader misses none
/// (`AetherEngine.takeNews`).
public struct PlaybackNews: Sendable, Equatable {
    /// The kinds of news.
    public enum Turn: Sendable, Equatable {
        /// The source plays for the first time.
        case began
        /// The source was played to its end. With an error, reading broke off before the end, so that a part of the source is missing.
        case ended(MediaError?)
        /// The source cannot be played. `midway`: a part of it was seen or heard before.
        case failed(MediaError, midway: Bool)
    }

    /// The number that `AetherEngine.begin` gave.
    public let load: Int
    /// The number of advances since that load: `EngineSnapshot.advances`.
    public let advance: Int
    /// The title in its tags, safe to display; of audio alone with the artist. "" without tags.
    public let title: String
    /// The event.
    public let turn: Turn

    /// A turn of the source that was loaded as the number, or followed it.
    public init(load: Int, advance: Int, title: String = "", turn: Turn) {
        (self.load, self.advance, self.title, self.turn) = (load, advance, title, turn)
    }
}
