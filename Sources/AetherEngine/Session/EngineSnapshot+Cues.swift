public import AetherCore

extension EngineSnapshot {
    /// The time at which a surface that draws cues itself has to look again; nil where nothing changes by itself. 5 ms at least: a frame of 60 a
    /// second takes 17.
    public func cuesDue(after now: HostTime) -> HostTime? {
        guard phase == .playing, let change = nextCueChange else { return nil }
        return now + max(.milliseconds(5), (change - position).scaled(by: 1 / max(0.25, settings.rate)))
    }

    /// Fills in what is on screen at the position, and when that changes.
    mutating func takeCues(
        of store: CueStore, burning: SubtitleBurning, forcedOnly: Bool, keepsMarkup: Bool,
        recognised: (SubtitleCue) -> SubtitleCue? = { _ in nil }
    ) {
        var choice = SubtitleChoice(
            track: activeSubtitleTrack, secondary: activeSecondarySubtitleTrack, style: SubtitleStyle(settings))
        choice.forcedOnly = forcedOnly
        let point = choice.cueTime(at: position)
        func cues(_ track: TrackID?, isBurned: (SubtitleCue) -> Bool) -> [SubtitleCue] {
            guard let track else { return [] }
            return store.visible(track: track, at: point).compactMap { cue in
                guard choice.shows(cue) else { return nil }
                if let text = recognised(cue) { return text }
                if isBurned(cue) { return nil }
                return keepsMarkup ? cue : cue.plain
            }
        }
        visibleCues = cues(choice.track) { burning.contains($0) }
        // Of the second track bitmaps are in the frame, but no script is drawn: it would lie where the first one's does.
        secondaryCues = cues(choice.secondary) { cue in
            if case .image = cue.body { burning.contains(cue) } else { false }
        }
        nextCueChange = [choice.track, choice.secondary].compactMap { $0 }.compactMap {
            store.nextChange(track: $0, after: point)
        }.min()
            .map { $0 + settings.subtitleDelay }
    }
}
