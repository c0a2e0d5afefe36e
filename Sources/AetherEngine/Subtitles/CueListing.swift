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

extension AetherEngine {
    /// The cues of a subtitle track that are known; nil where nothing is played. Any thread; never blocks.
    ///
    /// `ASSScriptBuilder` makes a script of them, with the markup of ASS where `LoadOptions.preserveASSMarkup` kept it.
    public func cueListing(of track: TrackID) -> CueListing? {
        guard let session else { return nil }
        let listing = session.cues.listing(of: track)
        if session.options.preserveASSMarkup || listing.cues.allSatisfy({ $0.markup == nil }) { return listing }
        return CueListing(track: track, revision: listing.revision, cues: listing.cues.map(\.plain), spans: listing.spans)
    }
}
