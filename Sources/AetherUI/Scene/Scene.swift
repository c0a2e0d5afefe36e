public import AetherCore
public import AetherEngine
import AetherFormats

/// Everything that a part of the screen may read: the terminal, the engine's latest word, and what the front end has made of it. A value;
/// only `AppModel.update` changes it.
public struct Scene: Sendable {
    /// The terminal's size in cells.
    public internal(set) var size: CellSize
    /// The signs that the terminal can show.
    public internal(set) var capabilities: ChromeCapabilities
    /// Width to height of one cell.
    public internal(set) var cellAspect = 0.5
    /// The keys with those that programs have bound.
    var keymap: Keymap
    /// The engine's latest word, with what was just asked for already in it.
    public internal(set) var snapshot = EngineSnapshot()
    /// The place in the list of files.
    public internal(set) var playlist = PlaylistPosition()
    /// The names of the files of the list; empty where there is but one.
    public internal(set) var files: [String] = []
    /// The directory that the program was started in.
    var workingDirectory = "/"
    var bar: BarState
    /// The short line that answers or tells something now.
    public internal(set) var message: FlashMessage?
    /// The values that are shown where there is no video.
    public internal(set) var song = SongScene()
    /// Rows that the subtitles stand higher than usual.
    public internal(set) var subtitleLift = 0
    /// Notices and errors since the start.
    var notices = NoticeLog()
    /// The measurements of the last minute.
    var tape = TelemetryTape()
    /// The time that is scrubbed to while playback goes on, on the source axis; nil while the person does not scrub.
    public internal(set) var scrubTarget: MediaTime?
    /// The downloads of this run, in their order.
    var downloads: [DownloadEntry] = []
    /// The channels of the open list; nil: none is open.
    var television: Television?
    /// Times of which there is a preview already, as fractions of the duration.
    public internal(set) var scrubReady: [Double] = []

    init(size: CellSize, capabilities: ChromeCapabilities, keymap: Keymap, now: HostTime) {
        (self.size, self.capabilities, self.keymap) = (size, capabilities, keymap)
        bar = BarState(now: now)
    }

    // MARK: - Room

    /// The cells of the bar; nil while it is not shown.
    var barRect: CellRect? {
        guard bar.isVisible else { return nil }
        let rows = BarState.rows(on: size)
        return CellRect(column: 0, row: size.rows - rows, columns: size.columns, rows: rows)
    }

    /// The row that layers end above: the bar's, or the screen's end where there would be no room else.
    func bottom(atLeast rows: Int = 5) -> Int { barRect.map { $0.row >= rows ? $0.row : size.rows } ?? size.rows }

    // MARK: - Time

    /// The position, or the target of a pending seek, on the source axis.
    public var shownPosition: MediaTime { snapshot.seekTarget ?? snapshot.position }

    /// The shown position, from the start of the source.
    public var elapsed: TimeSpan { shownPosition - snapshot.startTime }

    /// The shown position, on the time axis of the cues.
    var cuePoint: MediaTime { shownPosition - snapshot.subtitleDelay }

    /// Nothing of the source has been seen yet.
    var isLoading: Bool { snapshot.phase == .idle || snapshot.phase == .loading }

    /// True when the source can be asked to seek; before it is open the engine keeps the wish.
    var canSeek: Bool { snapshot.isSeekable || snapshot.heldRange != nil || isLoading }

    /// The nearest time inside the source.
    func clamped(_ target: MediaTime) -> MediaTime {
        let start = snapshot.startTime
        guard let duration = snapshot.duration else { return max(start, target) }
        return min(max(start, target), start + max(.zero, duration))
    }

    // MARK: - Words

    /// The keys that a player without a file has; nil where there is one.
    var idleHint: String? {
        let isUnicode = capabilities.isUnicode
        guard playlist.count == 0, let files = keymap.label(of: .browse, unicode: isUnicode),
            let quit = keymap.label(of: .quit, unicode: isUnicode)
        else { return nil }
        return translated("Nothing plays. \(files): files, \(quit): quit")
    }

    /// There is audio, playing or paused, and no video.
    public var isAudioOnly: Bool {
        switch snapshot.phase {
        case .idle, .loading, .error: false
        default: snapshot.activeVideoTrack == nil && snapshot.activeAudioTrack != nil
        }
    }

    /// The title as shown: tags first (of a song with its artist), then the file's name. Safe to display.
    public var title: String {
        if let channel = playlist.channel, channel.past == nil, let now = television?.nowNext(of: channel.index).now {
            return "\(playlist.title) – \(now.title)"
        }
        let name = sourceTitle
        return snapshot.onAir.now.map { "\(name) – \($0.title)" } ?? name
    }

    /// The title of what is played, without the programme that is on.
    private var sourceTitle: String {
        if !playlist.title.isEmpty { return playlist.title }
        if let title = snapshot.metadata.title, !title.isEmpty {
            // The artist of a video often is its encoder: the name would stand before the title, and push it out of a narrow bar.
            let artist = isAudioOnly ? snapshot.metadata.artist.map { DisplayText.singleLine($0, limit: 80) } ?? "" : ""
            let text = DisplayText.singleLine(title, limit: 200)
            if !text.isEmpty { return artist.isEmpty ? text : "\(artist) – \(text)" }
        }
        if !playlist.name.isEmpty { return playlist.name }
        let path = snapshot.source.split(separator: "/").last.map(String.init) ?? snapshot.source
        return DisplayText.singleLine(path, limit: 200)
    }
}
