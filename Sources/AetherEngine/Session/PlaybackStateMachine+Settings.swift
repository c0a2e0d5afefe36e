import AetherCore

extension Setting {
    /// The reason why it has no effect on a bitstream, which a receiver decodes; nil where it has one.
    var obstacleOfReceiver: String? {
        switch self {
        case .volume, .muted: "its own volume counts"
        case .equalizer: "its own equaliser counts"
        case .crossfeed, .audioFilters: "the audio of this file keeps its own setting"
        case .channels, .downmix: "its own speakers count"
        case .rate: "the speed stays as it is"
        default: nil
        }
    }
}

/// A person's settings: which of them ask for more than another value.
extension PlaybackStateMachine {
    mutating func set(_ wanted: SettingChange, position: MediaTime, held: Holdings) -> [PlaybackEffect] {
        guard let change = wanted.checked else { return [] }
        let former = settings
        settings.apply(change)
        return [.set(change)] + consequences(of: change.setting, since: former, position: position, held: held)
    }

    private mutating func consequences(
        of setting: Setting, since former: PlaybackSettings, position: MediaTime, held: Holdings
    ) -> [PlaybackEffect] {
        switch setting {
        case .rate:
            keepingDistance { $0.latency.rest() }
                + (isRunning && !audioDrivesClock && !isStarved ? [.runMonotonic(from: nil, rate: rate)] : [])
        case .audioDelay: delayMoved(from: former.audioDelay, position: position)
        case .channels: settings.channels != former.channels ? reopenAudio(position: position, held: held) : []
        case .videoFilters: settings.videoFilters != former.videoFilters ? scaleAnew(position: position, held: held) : []
        case .fit, .aspect, .zoom, .pan, .toneMapping, .rotation, .flip, .panscan:
            settings.videoLook.needsScaling(after: former.videoLook) ? scaleAnew(position: position, held: held) : []
        // Colours of a standing frame are changed with its subtitles; what remains counts for what is decoded from now on.
        case .volume, .muted, .equalizer, .downmix, .adjustment, .deinterlacing, .subtitleDelay, .subtitleScale,
            .subtitlePosition, .crossfeed, .subtitleLook, .audioFilters:
            []
        }
    }

    /// The clock glides to a delay that is near, and goes to one that is far by a seek to here.
    private mutating func delayMoved(from former: TimeSpan, position: MediaTime) -> [PlaybackEffect] {
        guard (settings.audioDelay - former).magnitude > AudioLag.longestSlew, isOpen, error == nil, shape.hasAudio,
            shape.isSeekable, !hasEnded, seeks.inFlight == nil, steppedTo == nil
        else { return [] }
        return begin(SeekPlan(target: clamped(position), landing: .exact))
    }

    /// Frames that follow have the new look. One that stands is scaled anew, where it can be had again.
    private mutating func scaleAnew(position: MediaTime, held: Holdings) -> [PlaybackEffect] {
        let point = clamped(steppedTo ?? position)
        // The frame that is on its way may be scaled already: it is fetched once more behind that.
        if !wantsToPlay, let flying = seeks.inFlight, seeks.pending == nil, seeks.steps == 0 {
            return told(seeks.wait(for: .plan(flying), id: nil))
        }
        guard isOpen, error == nil, shape.hasVideo, !wantsToPlay, !hasEnded, seeks.goal == nil,
            shape.isSeekable || held.range?.contains(point) ?? false
        else { return [] }
        return begin(SeekPlan(target: point, landing: .exact))
    }
}
