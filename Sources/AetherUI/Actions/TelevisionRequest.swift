public import AetherFormats

/// A request of the model to the app about channels. Channels are counted from 0.
public enum TelevisionRequest: Sendable, Equatable {
    case play(Int)
    /// A programme of the past.
    case playPast(Int, GuideProgramme)
    /// Play these beside the player's own, unheard, each on a tile of the screen.
    case playBeside([Int])
    /// Let one tile sound, 0 for the player's own; muted: none.
    case hear(Int, isMuted: Bool)
    /// The logo of a channel is wanted; nil: none any more.
    case logo(Int?)
    /// Remember a channel, by its word, or forget it.
    case keep(String, Bool)
}
