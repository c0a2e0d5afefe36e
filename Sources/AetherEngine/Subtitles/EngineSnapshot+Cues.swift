import AetherCore

extension EngineSnapshot {
    /// Fills in what is on screen at the position, and when that changes.
    mutating func takeCues(of store: CueStore, burning: SubtitleBurning, forcedOnly: Bool) {
        var choice = SubtitleChoice(track: activeSubtitleTrack, secondary: activeSecondarySubtitleTrack, delay: subtitleDelay)
        choice.forcedOnly = forcedOnly
        let point = choice.cueTime(at: position)
        func cues(_ track: TrackID?) -> [SubtitleCue] {
            guard let track else { return [] }
            return store.visible(track: track, at: point).filter { choice.shows($0) && !burning.contains($0) }
        }
        visibleCues = cues(choice.track)
        secondaryCues = cues(choice.secondary)
        nextCueChange = [choice.track, choice.secondary].compactMap { $0 }.compactMap { store.nextChange(track: $0, after: point) }.min()
            .map { $0 + subtitleDelay }
    }
}
