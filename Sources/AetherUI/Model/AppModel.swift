public import AetherCore
public import AetherEngine

/// Everything the front end knows: a value, changed only by `update`. Lives on the main thread.
public struct AppModel: Sendable {
    /// The values that every part of the screen reads.
    public internal(set) var scene: Scene
    /// The open layers, in the order in which they lie.
    var layers = LayerStack() { didSet { scene.scrubTarget = layers.mark } }
    /// The time of the last snapshot: what is due follows from it, and not from whatever else has happened since.
    var snapshotAt: HostTime?
    var intents = Intents()
    var themes = ThemeChoice()
    /// The renderers that can draw the video here.
    public internal(set) var renderers = RendererOffer()
    var subtitles = SubtitleMemory()
    var engineNotices = EngineNotices()
    var chord = Chord()
    /// The place before the last seek, and the one that the person has marked, on the source axis.
    var leftPlace: MediaTime?
    var markedPlace: MediaTime?
    /// Keys that programs have bound, over those of the player.
    var scriptKeys: ScriptKeys
    /// The curve that counts for all files; nil: none was kept.
    var keptEqualizer: String?
    /// The page at which the telemetry opens.
    var telemetryPage = TelemetryPage.overview
    /// The menu of devices opens when their list has come in.
    var awaitsDevices = false
    /// Where the pointer was that asked for it; nil: a key did.
    var awaitedAnchor: Int?
    /// ALSA's plug-ins are listed one by one in it.
    var unfoldsDevices = false
    /// The files that were played before, the latest first.
    var recent: [RecentFile] = []
    /// The first video of a person who named no file begins with three keys.
    var teaches = false
    /// The order of files, and whether hidden ones are listed.
    var browserHabit = BrowserHabit()
    /// The frame that is shown of the file selected in the browser.
    var glance = BrowserGlance()

    /// 1.5 s for the answer to a key: it is looked for.
    static let answerStay = TimeSpan.seconds(1.5)
    /// 3 s for the path of a file.
    static let pathStay = TimeSpan.seconds(3)
    /// 5 s for a notice that no key asked for.
    static let noticeStay = TimeSpan.seconds(5)
    /// A wait is shown until it is over, which is soon after the player gives up the program that it asked.
    static let longestWait = PageDesk.patience + .seconds(1)

    /// A player that has just been started.
    public init(
        size: CellSize, capabilities: ChromeCapabilities = ChromeCapabilities(), keymap: Keymap = .standard, now: HostTime
    ) {
        scene = Scene(size: size, capabilities: capabilities, keymap: keymap, now: now)
        scriptKeys = ScriptKeys(over: keymap)
    }

    /// The time at which `update` with `.tick` has something to do next, if nothing else happens; nil: never.
    public func nextWake(after now: HostTime) -> HostTime? {
        var wakes: [HostTime] = []
        // A terminal that answers every frame wakes the player all the time: what follows from the snapshot is not put off by that.
        let since = snapshotAt ?? now
        if let due = snapshot.cuesDue(after: since) { wakes.append(due) }
        if let message { wakes.append(message.until) }
        if let until = scene.television?.typedUntil { wakes.append(until) }
        if let due = layers.due(after: since) { wakes.append(due) }
        if let shown = subtitles.readingBack, snapshot.phase == .playing {
            let left = (shown.until - snapshot.position).scaled(by: 1 / max(0.25, snapshot.rate))
            wakes.append(since + max(.milliseconds(20), left))
        }
        if let due = glance.due { wakes.append(due) }
        wakes += [spectrumDue(after: now), lyricsDue(after: since), metersDue(after: now)].compactMap { $0 }
        if scene.isLoading, now < scene.bar.quietUntil { wakes.append(scene.bar.quietUntil) }
        if isBarVisible, snapshot.phase == .playing {
            // A pause that the engine has not confirmed yet keeps the bar already: its deadline is over and must not wake.
            if barMode == .automatic, snapshot.wantsToPlay, !layers.keepsBar, !scene.bar.stays, !isAudioOnly {
                wakes.append(scene.bar.hidesAt)
            }
            wakes.append(since + untilBarMoves)
        }
        // The percent of a buffer move; half a second is what reads as steady.
        if isBarVisible, snapshot.bufferFill != nil { wakes.append(since + .milliseconds(500)) }
        return wakes.min().map { max($0, now) }
    }

    /// The time until the bar's clock or its progress line looks different: a second of video, or an eighth of a cell, but not under
    /// 100 ms, which no eye sees as a jump.
    private var untilBarMoves: TimeSpan {
        let rate = max(0.25, snapshot.rate)
        let intoSecond = max(0, elapsed.nanoseconds) % 1_000_000_000
        var step = TimeSpan(nanoseconds: 1_000_000_000 - intoSecond)
        if let duration = snapshot.duration, duration > .zero {
            step = min(step, duration.scaled(by: 1 / Double(max(1, size.columns * 8))))
        }
        return max(.milliseconds(100), step.scaled(by: 1 / rate))
    }
}

/// The parts of the scene by their names.
extension AppModel {
    /// The engine's latest word, with what was just asked for already in it.
    public internal(set) var snapshot: EngineSnapshot {
        get { scene.snapshot }
        set { scene.snapshot = newValue }
    }
    /// The place in the list of files.
    public internal(set) var playlist: PlaylistPosition {
        get { scene.playlist }
        set { scene.playlist = newValue }
    }
    /// The short line that answers or tells something now.
    public internal(set) var message: FlashMessage? {
        get { scene.message }
        set { scene.message = newValue }
    }
    /// The terminal's size in cells.
    public var size: CellSize { scene.size }
    /// The signs that the terminal can show.
    public var capabilities: ChromeCapabilities { scene.capabilities }
    var keymap: Keymap { scene.keymap }
    var notices: NoticeLog { scene.notices }
    /// The names of the files of the list; empty where there is but one.
    public var files: [String] { scene.files }
    /// The view of a source without video.
    public var song: SongScene { scene.song }
    /// Whether the bar comes and goes by itself or is switched off.
    public var barMode: BarState.Mode { scene.bar.mode }
    /// Whether the bar is shown.
    public var isBarVisible: Bool { scene.bar.isVisible }
    /// Whether the bar shows the time that is left, not the duration.
    public var showsRemaining: Bool { scene.bar.showsRemaining }
    /// The position, or the target of a pending seek, on the source axis.
    public var shownPosition: MediaTime { scene.shownPosition }
    /// The shown position, from the start of the source.
    public var elapsed: TimeSpan { scene.elapsed }
    /// There is audio, playing or paused, and no video.
    public var isAudioOnly: Bool { scene.isAudioOnly }
    /// The title as shown; safe to display.
    public var title: String { scene.title }
}

/// The layers by their names; nil: closed.
extension AppModel {
    /// The menu.
    public internal(set) var menu: Menu? {
        get { layers[Menu.self] }
        set { layers[Menu.self] = newValue }
    }
    /// The file browser.
    public internal(set) var browser: Browser? {
        get { layers[Browser.self] }
        set { layers[Browser.self] = newValue }
    }
    /// The command palette.
    public internal(set) var palette: Palette? {
        get { layers[Palette.self] }
        set { layers[Palette.self] = newValue }
    }
    /// The subtitle list, and the search in it.
    public internal(set) var cueList: CueList? {
        get { layers[CueList.self] }
        set { layers[CueList.self] = newValue }
    }
    /// The preview while scrubbing.
    public internal(set) var scrub: Scrub? {
        get { layers[Scrub.self] }
        set { layers[Scrub.self] = newValue }
    }
    /// Whether the help is open.
    public var showsHelp: Bool { layers[HelpLayer.self] != nil }
    /// Whether the telemetry is open.
    public var showsTelemetry: Bool { layers[TelemetryLayer.self] != nil }
}
