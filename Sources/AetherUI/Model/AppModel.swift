public import AetherCore
public import AetherEngine

/// The signs of ours that the terminal can show.
public struct ChromeCapabilities: Sendable, Equatable {
    /// False: ASCII only.
    public var isUnicode: Bool
    /// False: no colours, roles are told apart by reverse, bold and signs.
    public var hasColor: Bool

    /// Capabilities; a modern terminal without arguments.
    public init(isUnicode: Bool = true, hasColor: Bool = true) {
        self.isUnicode = isUnicode
        self.hasColor = hasColor
    }
}

/// Where in the list of files the player is.
public struct PlaylistPosition: Sendable, Equatable {
    /// From 0.
    public var index: Int
    public var count: Int
    /// The file's name as shown when it has no title, safe to display.
    public var name: String
    /// What the list calls it, "" where it says nothing; goes before the file's own title.
    public var title: String
    /// Its path as it was given, "" for what is no file; not safe to display.
    public var path: String
    /// By which way it comes over a network, "" for what does not; not safe to display.
    public var scheme: String
    /// What is played again by itself.
    public var repeats: RepeatMode
    /// The order is one that nobody knows.
    public var isShuffled: Bool
    /// How many files behind it were asked for as the next.
    public var queued: Int

    /// A position.
    public init(
        index: Int = 0, count: Int = 1, name: String = "", title: String = "", path: String = "", scheme: String = "",
        repeats: RepeatMode = .off, isShuffled: Bool = false, queued: Int = 0
    ) {
        (self.repeats, self.isShuffled, self.queued) = (repeats, isShuffled, queued)
        self.path = path
        self.scheme = scheme
        self.index = index
        self.count = count
        self.name = DisplayText.singleLine(name)
        self.title = DisplayText.singleLine(title, limit: 200)
    }
}

/// One short line that goes by itself.
public struct FlashMessage: Sendable, Equatable {
    public let text: String
    /// When it goes.
    public let until: HostTime
    /// True for what the engine reports; it is shown longer and brings the bar back.
    public let isNotice: Bool
}

/// Everything the front end knows: a value, changed only by `update`. Lives on the main thread.
public struct AppModel: Sendable {
    /// Whether the bar comes and goes by itself or is switched off.
    public enum BarMode: Sendable, Equatable { case automatic, off }

    /// The terminal's size in cells.
    public internal(set) var size: CellSize
    public internal(set) var capabilities: ChromeCapabilities
    /// Width to height of one cell.
    public internal(set) var cellAspect = 0.5
    /// Rows that the subtitles stand higher than usual; lower where it is negative.
    public internal(set) var subtitleLift = 0
    /// How long subtitles are shown after a skip back where they are off; zero: not at all.
    public internal(set) var subtitlesAfterSkipBack = TimeSpan.zero
    /// Subtitles that a skip back has brought, and until which point of the film they stay.
    struct ReadingBack: Sendable, Equatable {
        let track: TrackID
        let until: MediaTime
    }
    var readingBack: ReadingBack?
    /// The engine's latest word, with what was just asked for already in it.
    public internal(set) var snapshot = EngineSnapshot()
    /// When it was taken in: what is due follows from it, and not from whatever else has happened since.
    var snapshotAt: HostTime?
    public internal(set) var playlist = PlaylistPosition()

    public internal(set) var barMode = BarMode.automatic
    /// Until when an automatic bar stays although the film plays.
    public internal(set) var barHidesAt: HostTime
    public internal(set) var isBarVisible = false
    /// A source that opens as fast as a local file brings its picture first: the bar is not flashed before it.
    var quietUntil: HostTime
    public internal(set) var showsRemaining = false
    /// The person has said whether the bar is there, and which time it shows.
    var hasChosenBar = false, hasChosenTime = false
    public internal(set) var showsTelemetry = false { didSet { layers.note(.telemetry, isOpen: showsTelemetry) } }
    var telemetryPage = TelemetryPage.overview
    var tape = TelemetryTape()
    public internal(set) var showsHelp = false { didSet { layers.note(.help, isOpen: showsHelp) } }
    /// From 0.
    var helpPage = 0
    public internal(set) var message: FlashMessage?
    /// What is shown where there is no picture.
    public internal(set) var sound = SoundScene()
    /// What the files of the list are called; empty where there is but one.
    public internal(set) var files: [String] = []
    /// The menu that is open.
    public internal(set) var menu: Menu? { didSet { layers.note(.menu, isOpen: menu != nil) } }
    var themes = ThemeChoice()
    /// What can draw the picture here.
    public internal(set) var renderers = RendererOffer()
    /// The menu of devices opens when their list has come in.
    var awaitsDevices = false
    /// The browser that is open, and where it begins.
    public internal(set) var browser: Browser? { didSet { layers.note(.browser, isOpen: browser != nil) } }
    var browserStart = BrowserStart()
    /// The picture of the file that is selected there.
    var glance = BrowserGlance()
    /// The palette that is open.
    public internal(set) var palette: Palette? { didSet { layers.note(.palette, isOpen: palette != nil) } }
    /// The list of cues that is open.
    public internal(set) var cueList: CueList? { didSet { layers.note(.cueList, isOpen: cueList != nil) } }
    /// The search began in the list, and ends there.
    var returnsToList = false
    /// The place that is looked at while the film plays on; nil while nobody does.
    public internal(set) var scrub: Scrub? { didSet { layers.note(.scrub, isOpen: scrub != nil) } }
    /// Places of the film of which there is a picture already, as fractions of it.
    public internal(set) var scrubReady: [Double] = []

    /// The mouse has hold of a list's scroll bar.
    var holdsScrollBar = false
    /// The band of the equaliser that keys change; nil while it is closed.
    var equalizerBand: Int? { didSet { layers.note(.equalizer, isOpen: equalizerBand != nil) } }
    /// What was said unasked.
    var notices = NoticeLog() { didSet { layers.note(.notices, isOpen: notices.isOpen) } }
    /// What is open of all these, in the order in which it lies.
    private(set) var layers = LayerStack()

    var intents = Intents()
    var lastSubtitle: TrackID?
    var lastNotice = 0
    var hasSaidSilent = false
    /// Waits for the bar.
    var heldNotice: String?
    let keymap: Keymap
    /// The keys of a chord that was begun, and when it is given up.
    var begun: [KeyStroke] = []
    var begunUntil: HostTime?

    /// 1 s for the next key of a chord.
    static let chordPause = TimeSpan.seconds(1)
    /// 4 s: long enough to read the bar twice, short enough not to sit through a scene.
    static let barStay = TimeSpan.seconds(4)
    /// 0.5 s: past that a person wonders whether anything happens.
    static let quietStart = TimeSpan.milliseconds(500)
    /// 1.5 s for the answer to a key: it is looked for.
    static let answerStay = TimeSpan.seconds(1.5)
    /// 0.5 s: an open list is as fresh as that where nothing else wakes it.
    static let cueListPause = TimeSpan.milliseconds(500)
    /// 3 s for the path of a file.
    static let pathStay = TimeSpan.seconds(3)
    /// 5 s for what nobody asked for.
    static let noticeStay = TimeSpan.seconds(5)
    /// What is being waited for is said until it is there, which is soon after the program that is asked is given up.
    static let longestWait = PageDesk.patience + .seconds(1)

    /// A player that has just been started.
    public init(
        size: CellSize, capabilities: ChromeCapabilities = ChromeCapabilities(), keymap: Keymap = .standard, now: HostTime
    ) {
        self.size = size
        self.capabilities = capabilities
        self.keymap = keymap
        // The first picture is shown bare: a key, a pause or a slow source brings the bar.
        barHidesAt = now
        quietUntil = now + AppModel.quietStart
    }

    /// Where the film is, or where a pending seek goes, on the source axis.
    public var shownPosition: MediaTime { snapshot.seekTarget ?? snapshot.position }

    /// The same, from the start of the film.
    public var elapsed: TimeSpan { shownPosition - snapshot.startTime }

    /// The title as shown: tags first (of a song with its artist), then the file's name. Safe to display.
    public var title: String {
        if !playlist.title.isEmpty { return playlist.title }
        if let title = snapshot.metadata.title, !title.isEmpty {
            // Of a film the artist is whoever wrote the file: it would stand before the title, and push it out of a narrow bar.
            let artist = isSoundOnly ? snapshot.metadata.artist.map { DisplayText.singleLine($0, limit: 80) } ?? "" : ""
            let text = DisplayText.singleLine(title, limit: 200)
            if !text.isEmpty { return artist.isEmpty ? text : "\(artist) – \(text)" }
        }
        if !playlist.name.isEmpty { return playlist.name }
        let path = snapshot.source.split(separator: "/").last.map(String.init) ?? snapshot.source
        return DisplayText.singleLine(path, limit: 200)
    }

    /// When `update` with `.tick` has something to do next, if nothing else happens; nil: never.
    public func nextWake(after now: HostTime) -> HostTime? {
        var wakes: [HostTime] = []
        // A terminal that answers every frame wakes the player all the time: what follows from the snapshot is not put off by that.
        let since = snapshotAt ?? now
        if let due = snapshot.cuesDue(after: since) { wakes.append(due) }
        if let message { wakes.append(message.until) }
        if let until = menu?.typedUntil { wakes.append(until) }
        // What has been read since, and the mark of what is said now.
        if let readingBack, snapshot.phase == .playing {
            let left = (readingBack.until - snapshot.position).scaled(by: 1 / max(0.25, snapshot.rate))
            wakes.append(since + max(.milliseconds(20), left))
        }
        if cueList != nil { wakes.append(since + AppModel.cueListPause) }
        if let until = scrub?.until { wakes.append(until) }
        if let due = glance.due { wakes.append(due) }
        wakes += [spectrumDue(after: now), lyricsDue(after: since)].compactMap { $0 }
        if isLoading, now < quietUntil { wakes.append(quietUntil) }
        if isBarVisible, snapshot.phase == .playing {
            // A pause that the engine has not confirmed yet keeps the bar already: its deadline is over and must not wake.
            if barMode == .automatic, snapshot.wantsToPlay, menu == nil, scrub == nil, !isSoundOnly { wakes.append(barHidesAt) }
            wakes.append(since + untilBarMoves)
        }
        return wakes.min().map { max($0, now) }
    }

    /// Nothing of the source has been seen yet.
    var isLoading: Bool { snapshot.phase == .idle || snapshot.phase == .loading }

    /// Until the bar's clock or its progress line looks different: a second of film, or an eighth of a cell, but not under
    /// 100 ms, which nobody sees as a jump.
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
