import AetherCore

/// The role of a control whose source stands ready and waits for its turn.
struct PlaybackDraft {
    /// The state that it publishes to until then.
    let published: Monitor<PublishedState>
    /// A video is followed: only another one can be queued behind its end.
    let followsVideo: Bool
    /// The session that plays the same source now, where that is to be played once more.
    let repeated: PlaybackSession?
}
