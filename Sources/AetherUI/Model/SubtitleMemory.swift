import AetherCore

/// The subtitles that were shown, for the keys that bring them back.
struct SubtitleMemory: Sendable, Equatable {
    /// Subtitles that a skip back has brought, and until which point of the video they stay.
    struct ReadingBack: Sendable, Equatable {
        let track: TrackID
        let until: MediaTime
    }

    /// The time for which subtitles are shown after a skip back where they are off; zero: not at all.
    var afterSkipBack = TimeSpan.zero
    var readingBack: ReadingBack?
    /// The track that was shown last.
    var last: TrackID?
    /// The track that was at the top last.
    var lastSecond: TrackID?
}
