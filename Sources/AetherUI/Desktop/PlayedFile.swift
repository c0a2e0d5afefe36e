import AetherCore
import AetherEngine
import AetherLibrary

/// Follows one file while it plays, and says what the history shall keep of it. A value; time is an argument.
struct PlayedFile: Sendable {
    let source: HistorySource
    /// The choices for the file before.
    private(set) var prior: HistoryChoices
    private var title = ""
    private var latest: EngineSnapshot?
    /// The snapshot at opening: whatever differs from it was chosen by the person.
    private var baseline: EngineSnapshot?
    private var keepAt: HostTime?
    private let policy: ResumePolicy
    /// It is played up to an end that a person gave (`--end`): there it is not seen whole.
    private let endsEarly: Bool

    /// 30 s: what a crash or a power cut costs at most.
    static let interval = TimeSpan.seconds(30)

    init(
        _ source: HistorySource, prior: HistoryChoices = HistoryChoices(), policy: ResumePolicy = ResumePolicy(),
        endsEarly: Bool = false
    ) {
        self.source = source
        self.prior = prior
        self.policy = policy
        self.endsEarly = endsEarly
    }

    /// The next time at which `follow` has something to keep; nil: not before something happens.
    var nextWake: HostTime? { latest?.phase == .playing ? keepAt : nil }

    /// The record of the file was found late.
    mutating func learn(_ choices: HistoryChoices) { prior = choices }

    /// Takes in how it stands; returns what is to be kept now.
    mutating func follow(_ snapshot: EngineSnapshot, title: String, now: HostTime) -> HistoryProgress? {
        switch snapshot.phase {
        case .idle, .loading, .error: return nil
        case .playing, .paused, .seeking, .rebuffering, .stalled, .ended: break
        }
        // The place in a disc's menu is none to come back to: that of the title before it stays.
        if snapshot.showsDiscMenu { return nil }
        self.title = title
        let former = latest?.phase
        latest = snapshot
        // Another title of a disc has other tracks.
        if baseline == nil || baseline?.discTitle != snapshot.discTitle { baseline = snapshot }
        guard let due = keepAt else {
            keepAt = now + PlayedFile.interval
            return nil
        }
        let isOver = snapshot.phase != former && (snapshot.phase == .ended || snapshot.phase == .paused)
        guard isOver || (now >= due && snapshot.phase == .playing) else { return nil }
        keepAt = now + PlayedFile.interval
        return progress
    }

    /// The record to keep when the file is left now; nil: it never played.
    var progress: HistoryProgress? {
        guard let latest else { return nil }
        let isAtEnd = latest.phase == .ended && !endsEarly
        // The window of a broadcast moves away from every place in it; a recording in progress keeps its start.
        let hasPlace = if case .file = source { !latest.isBroadcast } else { !latest.isLive }
        let place = hasPlace ? latest.seekTarget ?? latest.position : latest.startTime
        let position = max(.zero, place - latest.startTime)
        // Its present length says nothing about its end.
        let duration = latest.isLive ? nil : latest.duration
        var progress = HistoryProgress(
            title: title, position: isAtEnd ? latest.duration ?? position : position, duration: duration,
            isFinished: isAtEnd || policy.isFinished(left: position, of: duration))
        progress.choices = choices
        return progress
    }

    /// The choices of now, over those of before.
    var choices: HistoryChoices {
        var choices = prior
        guard let latest, let baseline else { return choices }
        if let title = latest.discTitle, title != choices.title {
            // The tracks that were chosen are another title's.
            (choices.audioTrack, choices.subtitles, choices.title) = (nil, nil, title)
        }
        if latest.activeAudioTrack != baseline.activeAudioTrack { choices.audioTrack = latest.activeAudioTrack }
        if latest.activeSubtitleTrack != baseline.activeSubtitleTrack {
            choices.subtitles = latest.activeSubtitleTrack.map { .track($0) } ?? .off
        }
        for change in latest.settings.changes(since: baseline.settings) where change.setting.isKeptForEachFile {
            choices.settings[change.setting] = change
        }
        return choices
    }
}

extension EngineSnapshot {
    /// The title that is played, where it is a disc's.
    var discTitle: Int? { titles.first { $0.id == activeTitle && $0.kind == .disc }?.id }
    /// A disc's menu is played, and no title.
    var showsDiscMenu: Bool { menu.map { !$0.isOverTitle } ?? false }
}

extension HistoryChoices {
    /// The commands that bring an opened file to these choices; tracks that are no longer there are left as they are.
    func commands(for snapshot: EngineSnapshot) -> [PlayerCommand] {
        if let title, let present = snapshot.discTitle, title != present, !snapshot.showsDiscMenu { return [.selectTitle(title)] }
        var commands: [PlayerCommand] = []
        if let audioTrack, audioTrack != snapshot.activeAudioTrack, snapshot.audioTracks.contains(where: { $0.id == audioTrack })
        {
            commands.append(.selectAudioTrack(audioTrack))
        }
        switch subtitles {
        case .off? where snapshot.activeSubtitleTrack != nil: commands.append(.selectSubtitleTrack(nil))
        case .track(let track)?
        where track != snapshot.activeSubtitleTrack && snapshot.subtitleTracks.contains { $0.id == track }:
            commands.append(.selectSubtitleTrack(track))
        default: break
        }
        // The settings are in force already where the history answered before the file was opened.
        return commands
            + Setting.allCases.compactMap { setting in
                settings[setting].flatMap { $0 == snapshot.settings[setting] ? nil : .set($0) }
            }
    }
}
