public import AetherCore
public import AetherEngine

/// The player's state as plain lines, for logs, pipes and dumb terminals: what plays, its tracks, a line a minute,
/// what went wrong, what was asked for, the end. Pure: gives lines, prints nothing. They hold no control characters, and ASCII only when asked.
public struct PlainReporter: Sendable {
    /// 1 min: often enough for a log, seldom enough for a person who has it read aloud.
    static let interval = TimeSpan.seconds(60)

    private let glyphs: Glyphs
    private var file: PlaylistPosition?
    private var hasSaidWhat = false
    /// The start of the source that was said last: `EngineSnapshot.starts`.
    private var start = 0
    private var hasSaidSilent = false
    /// The tracks that were named.
    private var saidTracks: Set<TrackID> = []
    /// The menu of a disc that was said.
    private var saidMenu = ""
    /// The number of the last sentence that was said.
    private var lastNotice = 0
    private var lastState = ""
    private var nextLine: HostTime?

    /// Whether subtitles are lines, too.
    private let printsSubtitles: Bool
    private let countsFrames: Bool
    /// The cues that are on screen and were said.
    private var saidCues: [Int] = []

    /// A reporter that has said nothing yet.
    /// `countsFrames`: for a log; a person does not have frame counts read aloud.
    public init(isUnicode: Bool = true, printsSubtitles: Bool = false, countsFrames: Bool = true) {
        self.countsFrames = countsFrames
        glyphs = Glyphs(isUnicode: isUnicode)
        self.printsSubtitles = printsSubtitles
    }

    /// The position, for a person who asks.
    public func position(_ snapshot: EngineSnapshot) -> String { glyphs.shown(line(PlainReporter.word(snapshot), snapshot)) }

    /// The caller's words, on one line.
    public func words(_ text: String) -> String { glyphs.shown(DisplayText.singleLine(text)) }

    /// The time at which the subtitles change next, if they are lines.
    public func nextCueWake(_ snapshot: EngineSnapshot, now: HostTime) -> HostTime? {
        guard printsSubtitles, snapshot.phase == .playing, let change = snapshot.nextCueChange else { return nil }
        return now + max(.milliseconds(5), (change - snapshot.position).scaled(by: 1 / max(0.25, snapshot.rate)))
    }

    private mutating func subtitles(_ snapshot: EngineSnapshot) -> [String] {
        guard printsSubtitles else { return [] }
        let new = snapshot.visibleCues.filter { !saidCues.contains($0.id) }
        saidCues = snapshot.visibleCues.map(\.id)
        return new.flatMap(\.lines).map { "> " + DisplayText.singleLine($0) }
    }

    /// The time at which `lines` has something to say next, if nothing happens before; nil: when the engine publishes.
    public var nextWake: HostTime? { nextLine }

    /// The new lines since the last call.
    public mutating func lines(for snapshot: EngineSnapshot, playlist: PlaylistPosition, now: HostTime) -> [String] {
        // Another order of the list is no other file; the same file again is told by its start.
        let isAnother = file.map { ($0.name, $0.title, $0.path) != (playlist.name, playlist.title, playlist.path) } ?? true
        if isAnother || hasSaidWhat && (snapshot.phase == .idle || snapshot.starts != start) {
            file = playlist
            (hasSaidWhat, hasSaidSilent, saidTracks, lastState, nextLine) = (false, false, [], "", nil)
        }
        var lines: [String] = []
        if !hasSaidWhat, snapshot.phase != .idle, snapshot.phase != .loading, !isError(snapshot.phase) {
            (hasSaidWhat, start) = (true, snapshot.starts)
            lines.append(introduction(snapshot, playlist))
        }
        // Some are found later: subtitles beside the file, captions.
        if hasSaidWhat { lines += newTracks(snapshot) }
        if snapshot.isSilent, !hasSaidSilent {
            hasSaidSilent = true
            lines.append(translated("No audio device: playing without audio"))
        }
        // Two may have come since the last look, and before the file is introduced.
        for notice in snapshot.notices where notice.number > lastNotice {
            lastNotice = notice.number
            lines.append(DisplayText.singleLine(notice.text))
        }
        if hasSaidWhat, let menu = PlainReporter.menu(snapshot), menu != saidMenu {
            saidMenu = menu
            lines.append(menu)
        } else if snapshot.menu == nil {
            saidMenu = ""
        }
        let state = PlainReporter.word(snapshot)
        if hasSaidWhat || isError(snapshot.phase), state != lastState || nextLine.map({ now >= $0 }) ?? false {
            lastState = state
            lines.append(line(state, snapshot))
            nextLine = snapshot.phase == .playing ? now + PlainReporter.interval : nil
        }
        if hasSaidWhat { lines += subtitles(snapshot) }
        return lines.map { glyphs.shown($0) }
    }

    /// The selected button of a disc's menu; nil where there are none.
    private static func menu(_ snapshot: EngineSnapshot) -> String? {
        guard let menu = snapshot.menu, let selected = menu.selected else { return nil }
        return translated("Menu: button \(selected) of \(menu.buttons.count)")
    }

    private func introduction(_ snapshot: EngineSnapshot, _ playlist: PlaylistPosition) -> String {
        let tagged = DisplayText.singleLine(snapshot.metadata.title ?? "", limit: 200)
        // A track of a CUE sheet or a line of a list has a name of its own, as the bar has it.
        let title =
            [playlist.title, tagged, playlist.name].first { !$0.isEmpty } ?? DisplayText.singleLine(snapshot.source)
        let count = playlist.count > 1 ? translated(" (\(playlist.index + 1) of \(playlist.count))") : ""
        return translated("Playing: \(title)\(count)")
    }

    /// A line for each track that was not named yet.
    private mutating func newTracks(_ snapshot: EngineSnapshot) -> [String] {
        var lines: [String] = []
        // 32 tracks of a kind: more than any sane file has, few enough to read.
        for (kind, tracks, active) in [
            (translated("Video"), snapshot.videoTracks, snapshot.activeVideoTrack),
            (translated("Audio"), snapshot.audioTracks, snapshot.activeAudioTrack),
            (translated("Subtitles"), snapshot.subtitleTracks, snapshot.activeSubtitleTrack),
        ] {
            for (index, track) in tracks.prefix(32).enumerated() where saidTracks.insert(track.id).inserted {
                let size =
                    track.id == active && track.kind == .video
                    ? snapshot.videoSize.map { ", \($0.width)x\($0.height)" } ?? "" : ""
                lines.append(
                    "  \(kind) \(index + 1): \(TrackLabel.full(track))\(size)\(track.id == active ? translated(" (selected)") : "")"
                )
            }
        }
        return lines
    }

    private func line(_ state: String, _ snapshot: EngineSnapshot) -> String {
        if case .error(let error) = snapshot.phase { return "\(state): \(error.description)" }
        let position = Timecode.text((snapshot.seekTarget ?? snapshot.position) - snapshot.startTime)
        let behind = snapshot.isAtLiveEdge ? translated("live") : Timecode.remaining(.seconds(snapshot.behindLiveSeconds))
        let place = snapshot.isBroadcast ? behind : position
        var line = "\(place)\(snapshot.duration.map { " / " + Timecode.text($0) } ?? "")  \(state)"
        if snapshot.rate != 1 { line += translated("  speed \(Figures.decimal(snapshot.rate, places: 2))×") }
        guard countsFrames else { return line }
        if let shown = snapshot.telemetry?.framesShown { line += translated("  \(shown) frames") }
        if let dropped = snapshot.telemetry?.droppedFrameCount, dropped > 0 { line += translated("  \(dropped) dropped") }
        return line
    }

    private func isError(_ phase: PlaybackPhase) -> Bool {
        if case .error = phase { true } else { false }
    }

    private static func word(_ snapshot: EngineSnapshot) -> String {
        switch snapshot.phase {
        case .idle, .loading: translated("loading")
        case .playing: snapshot.wantsToPlay ? translated("playing") : translated("paused")
        case .paused: translated("paused")
        case .seeking: translated("seeking")
        case .rebuffering: translated("waiting for data")
        case .stalled(let attempt): translated("reconnecting \(attempt.number)/\(attempt.limit)")
        case .ended: translated("ended")
        case .error: translated("failed")
        }
    }
}
