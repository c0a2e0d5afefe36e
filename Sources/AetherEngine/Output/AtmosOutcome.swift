public import AetherCore

/// The fate of the objects of Dolby Atmos on their way to the device. Only a receiver can render them; a decoder has the channels into which
/// the encoder mixed them.
public enum AtmosOutcome: Sendable, Equatable {
    /// The bitstream goes out undecoded, and the objects with it.
    case passedThrough
    /// The stream is decoded: the objects are heard in its channels.
    case folded

    /// The outcome for a track; nil for one without objects.
    public init?(_ track: TrackInfo?, isBitstream: Bool) {
        guard let track, track.isAtmos else { return nil }
        self = isBitstream ? .passedThrough : .folded
    }
}

/// The lines of the log on Dolby Atmos: one for each track and outcome, not for each seek.
struct AtmosNews {
    private var last: (TrackID, AtmosOutcome)?

    /// The line to write when audio of a track is about to be heard; nil where there is nothing new.
    mutating func line(_ track: TrackInfo?, isBitstream: Bool) -> (level: LogLevel, text: String)? {
        guard let track, let outcome = AtmosOutcome(track, isBitstream: isBitstream) else { return nil }
        if let last, last == (track.id, outcome) { return nil }
        last = (track.id, outcome)
        switch outcome {
        case .passedThrough:
            return (.info, "stream-copy engaged: \(track.codec) goes out undecoded, with the objects of Dolby Atmos")
        case .folded:
            return (
                .warning,
                "WARNING: Atmos downgrade: \(track.codec) is decoded to \(track.channels) channels, which hold the objects; "
                    + "a receiver gets them with --passthrough \(track.codec)"
            )
        }
    }
}
