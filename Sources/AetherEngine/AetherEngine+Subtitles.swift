/// One command for each wish about subtitles and chapters. Any thread; never blocks; the result is in the snapshot.
extension AetherEngine {
    /// Another track of subtitles.
    public func selectSubtitleTrack(id: TrackID) { send(.selectSubtitleTrack(id)) }
    /// Shows no subtitles.
    public func clearSubtitle() { send(.selectSubtitleTrack(nil)) }
    /// A second track, shown at the top.
    public func selectSecondarySubtitleTrack(id: TrackID) { send(.selectSecondarySubtitleTrack(id)) }
    /// Shows no second track.
    public func clearSecondarySubtitle() { send(.selectSecondarySubtitleTrack(nil)) }
    /// Reads subtitles from another file or URL, and shows them once they are read: `EngineSnapshot.isLoadingSubtitles` until then.
    public func addExternalSubtitleTrack(_ track: ExternalSubtitleTrack) { send(.addSubtitles(track)) }
    /// Takes a track of another file out of the list; nothing happens for those of the source.
    public func removeExternalSubtitleTrack(id: TrackID) { send(.removeSubtitles(id)) }
    /// Reads another page of teletext as subtitles, 100 … 899; nil: those that are marked as such. Another number changes nothing.
    public func setTeletextPage(_ page: Int?) { send(.setTeletextPage(page)) }
    /// Seeks to the beginning of a chapter: see `EngineSnapshot.chapters`.
    public func selectChapter(id: Int) { send(.selectChapter(id)) }
}
