public import AetherCore

/// All known cues of one subtitle track. A copy; its arrays are shared until the track changes.
public struct CueListing: Sendable {
    /// The subtitle track.
    public let track: TrackID
    /// Rises with every change of the cues.
    public let revision: Int
    /// The cues in the order of their starts.
    public let cues: [SubtitleCue]
    /// The parts of the source whose cues are known, in order; nil where all are: a file of subtitles is read whole.
    public let spans: [ClosedRange<MediaTime>]?

    /// A listing.
    public init(track: TrackID, revision: Int, cues: [SubtitleCue], spans: [ClosedRange<MediaTime>]?) {
        self.track = track
        self.revision = revision
        self.cues = cues
        self.spans = spans
    }
}
