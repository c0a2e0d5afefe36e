public import AetherCore

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
