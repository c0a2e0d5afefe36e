import AetherCore
import AetherEngine
import AetherLibrary
import AetherOptions
import AetherRender
import AetherSources
import AetherTerminal
import ArgumentParser
import Glibc

/// The player with a screen: the main thread's loop. Waits in one place for keys, signals and the engine, folds what comes into the
/// model, and carries out what the model says.
struct ScreenApp: ~Copyable {
    let player: App.Player
    /// The queue.
    var queue: PlayQueue
    let engine: AetherEngine
    var face: TerminalFace
    private let signals: Signals
    var events: TerminalEvents
    var model: AppModel
    let time = SystemTime()
    var outcome: PlayerOutcome?
    /// The list came to its end by itself.
    var hasEnded = false
    /// A paused frame is drawn again for the new size once the window has come to rest.
    var refreshAt: HostTime?
    /// Frames under way until then have the raster of before.
    var refreshUntil = HostTime(nanoseconds: 0)
    let lyrics: LyricsFile
    /// Reads for the browser.
    let directories: DirectoryReader
    /// Looks into the file that plays, for the Debug face.
    let inspections: InspectorDesk
    /// The frame of the file that is selected there.
    let selectedVideo: SelectedVideo
    /// Fetches the logo of the channel that is selected.
    let logos: ChannelLogos
    /// Reads the facts of files that a list shows, and which those are.
    let survey: FileSurvey
    var surveyed: [String] = []
    /// No file was named at the start.
    var beganInBrowser: Bool
    let surroundings: Surroundings
    let themes: ThemeLibrary
    /// The file of the present theme, read again when it changes.
    var themeFile = FileWatch()
    /// The theme could not be read the last time.
    var isThemeWrong = false
    /// Frames out of the file.
    var frames: FrameDesk
    /// The audio for the spectrum; nil until a source without video plays.
    var recorder: TapRecorder?
    /// The meters of the Debug face, and what listens for them; nil while its Audio tab is closed.
    var scope: (meters: AudioScope, tasks: [Task<Void, Never>])?
    private var telemetry: TelemetryLog?
    /// Whether the pane can be seen; asked of tmux alone.
    var sight = PaneSight()
    let tmux: TmuxSight?
    var sleep = SleepWatch()
    private var code = CodePages()
    /// The channels beside the one that plays.
    let mosaic: MosaicDesk

    /// Windows are dragged in bursts; 100 ms after the last change the frame is decoded again.
    private static let restAfterResize = TimeSpan.milliseconds(100)
    /// A queue of frames, and the first of a source that is still being opened.
    private static let framesUnderWay = TimeSpan.seconds(2)

    init(
        options: PlayerOptions, player: App.Player, probe: ProbeEnvironment, playlist: Playlist, engine: AetherEngine,
        stage: MosaicStage, face: consuming TerminalFace, signals: Signals,
        events: TerminalEvents, themes: ThemeLibrary, surroundings: Surroundings, capabilities: ChromeCapabilities,
        telemetry: consuming TelemetryLog?
    ) {
        self.player = player
        self.engine = engine
        let size = face.size.cells
        self.face = face
        self.signals = signals
        self.events = events
        self.themes = themes
        self.telemetry = telemetry
        self.surroundings = surroundings
        queue = PlayQueue(
            playlist, options: options, player: player, probe: probe, engine: engine, surroundings: surroundings, isPlain: false)
        let wake = surroundings.wake
        lyrics = LyricsFile(wake: wake)
        directories = DirectoryReader(
            wake: wake, http: HTTPOptions(options.network), folders: surroundings.webFolders, logins: surroundings.logins)
        selectedVideo = SelectedVideo(wake: wake)
        mosaic = MosaicDesk(stage: stage) { wake.wake() }
        logos = ChannelLogos(wake: wake)
        inspections = InspectorDesk(wake: wake, http: HTTPOptions(options.network))
        survey = FileSurvey(wake: wake)
        tmux = TmuxSight(player.environment, wake: wake)
        beganInBrowser = playlist.isEmpty
        frames = FrameDesk(engine, playlist.current, cache: Self.thumbnails(options, player), wake: wake)
        model = AppModel(size: size, capabilities: capabilities, keymap: player.keymap, now: time.now())
        model.scene.cellAspect = self.face.size.cellAspect
        model.renderers = self.face.renderers
        model.browserHabit.listsShares = !surroundings.logins.shares.isEmpty
        model.scene.notices.setClock(SystemText.secondOfDay, at: time.now())
        model.subtitles.afterSkipBack = .seconds(options.subtitlesAfterSkipBack)
        model.scene.workingDirectory = SystemText.workingDirectory
        _ = model.update(.playlist(playlist.position), now: time.now())
        _ = model.update(.files(playlist.names), now: time.now())
        let isThemeGiven = player.settings.isSet("theme", for: playlist.current, probe)
        _ = model.update(.theme(options.theme, isGiven: isThemeGiven), now: time.now())
        themeFile.follow(themes.file(of: options.theme))
        self.events.file = themeFile.descriptor
        self.events.decoder.pixelMouse = self.face.hasPixelMouse
    }

    /// Runs until the person or the playlist is done; the screen is ours meanwhile. `early` is what came before it was.
    mutating func run(_ early: [TerminalEvent]) -> (PlayerOutcome, MediaError?) {
        do throws(TerminalError) {
            try face.open()
        } catch {
            Log.module("terminal").error("\(error)")
            return (.exit(.terminalUnsuitable), nil)
        }
        _ = face.followSize()
        restoreScreen()
        for warning in player.warnings { update(.notice(warning.description)) }
        surroundings.expectRecent()
        if queue.playlist.isEmpty {
            // The first screen has them at once, where the disk is awake.
            if let recent = surroundings.takeRecent(within: Memory.patience) { update(.recent(recent)) }
            update(.noFile)
        } else {
            lyrics.look(beside: queue.playlist.current)
        }
        takeChannels()
        takeSnapshot()
        queue.announceNext(carrying: model.snapshot)
        for event in early { handle(event) }
        // Orders that came before there was a screen.
        obey()
        while outcome == nil {
            placeCover()
            face.draw(model)
            face.announce(title: model.title, progress: model.snapshot)
            followLists()
            handle(events.next(until: nextWake))
            code.letGo(where: model.snapshot.startupProgress?.checkpoint == .presenting)
        }
        frames.stop()
        mosaic.shutDown()
        if model.layers[Mosaic.self] != nil { update(.action(.toggleMosaic)) }
        queue.close(within: .milliseconds(200))
        _ = surroundings.follow(engine.snapshot(), queue.playlist, title: model.title, now: time.now())
        face.close(saying: hasEnded && queue.options.oscNotify ? translated("\(model.title) has ended") : nil)
        return (outcome ?? .exit(queue.tally.status), queue.tally.failure)
    }

    // MARK: - Waiting

    private var nextWake: HostTime? {
        let now = time.now()
        var wakes = [
            model.nextWake(after: now), refreshAt, queue.deadline, surroundings.trialDeadline,
            surroundings.nextWake(after: now), sight.askAt,
        ].compactMap { $0 }
        // A measurement a second, for the curves too that are looked at later.
        if model.showsTelemetry || frames.wantsFilling || model.snapshot.phase == .playing { wakes.append(now + .seconds(1)) }
        return wakes.min()
    }

    private mutating func handle(_ event: TerminalEvent) {
        switch event {
        case .input(let inputs):
            // Of a pointer that moves only where it has come to counts: terminals report each cell on the way.
            for (index, input) in inputs.enumerated() where !(input.isMove && inputs.dropFirst(index + 1).first?.isMove == true) {
                take(input)
            }
        case .signal(let signal): take(signal)
        case .hangup: outcome = .signal(.hangup)
        case .wake:
            takeSnapshot()
            if let found = lyrics.take() { update(.lyrics(found)) }
            takeMail()
            takeFind()
            followDownloads()
            takeChannels()
            takePage()
            takeLogins()
            followMosaic()
            followSight()
            obey()
        case .file: if themeFile.drain() { use(theme: model.themes.present, isReread: true) }
        case .timeout:
            takeSnapshot()
            update(.tick)
            hearIfDue()
            meterIfDue()
            followRequests()
            followDownloads()
            refreshIfDue()
            takeChannels()
            takePage()
            followSight()
            obey()
        }
    }

    private mutating func take(_ input: InputEvent) {
        if case .reply(let reply) = input { return face.take(reply) }
        noteSight(input)
        guard outcome == nil else { return }
        switch input {
        case .key(let key):
            takeSnapshot()
            update(.key(KeyStroke(key)))
            tellCues()
        case .mouse(let event):
            guard let event = face.size.inCells(event) else { return }
            takeSnapshot()
            update(.mouse(event))
        case .paste(let text): update(.paste(text))
        default: break
        }
    }

    private mutating func take(_ signal: TerminalSignal) {
        switch signal {
        case .resized: followSize()
        case .suspend: stopForAWhile()
        case .continued:
            // Stopped from outside by SIGSTOP: the shell had the terminal.
            face.suspend()
            face.resume()
            followSize()
        default: outcome = .signal(signal)
        }
    }

    private mutating func stopForAWhile() {
        let wasPlaying = model.snapshot.wantsToPlay
        if wasPlaying { engine.pause() }
        face.suspend()
        signals.stopProcess()
        face.resume()
        followSize()
        if wasPlaying { engine.play() }
    }

    private mutating func followSize() {
        guard face.followSize() else { return }
        model.scene.cellAspect = face.size.cellAspect
        update(.resize(face.size.cells))
        refreshAt = time.now() + Self.restAfterResize
        refreshUntil = time.now() + Self.framesUnderWay
    }

    /// Nothing draws a standing frame anew but the engine: it has the full size.
    private mutating func refreshIfDue() {
        guard let due = refreshAt, time.now() >= due else { return }
        refreshAt = nil
        if model.isAudioOnly {
            engine.send(.redrawCover)
        } else if model.snapshot.phase == .paused, model.snapshot.isSeekable {
            engine.send(.seek(to: model.snapshot.position, .exact))
        }
    }

    // MARK: - Updating

    mutating func takeSnapshot() {
        // The news first: the snapshot is then as new as they are, and the list follows it.
        let news = engine.takeNews(), snapshot = engine.snapshot()
        telemetry?.record(snapshot)
        model.setClock(time.now(), SystemText.wallClock)
        if queue.follow(snapshot) { begun() }
        if let status = queue.recordingStatus(snapshot) { outcome = outcome ?? .exit(status) }
        for turn in queue.turns(of: news) { surroundings.tell(turn) }
        frames.follow(snapshot, at: time.now())
        followRaster(snapshot)
        update(.snapshot(snapshot))
        queue.keepReady(beside: model.scene.television, snapshot)
        tellCues()
        for command in surroundings.follow(
            model.snapshot, queue.playlist, title: model.title, television: model.scene.television, now: time.now())
        {
            engine.send(command)
        }
        for notice in surroundings.takeNotices() { update(.notice(notice.words(startKey: model.startKey))) }
        for complaint in queue.takeComplaints() { update(.notice(complaint)) }
    }

    /// Tells the open list its entries, as far as they are known by now.
    mutating func tellCues() {
        guard let track = model.listedTrack, let listing = engine.cueListing(of: track) else { return }
        update(.cues(listing))
    }

    mutating func update(_ message: AppMessage) {
        let chosen = model.screenChoices
        defer {
            followMeters()
            followMosaic()
        }
        defer { if model.screenChoices != chosen { surroundings.keep(model.screenChoices) } }
        for effect in model.update(message, now: time.now()) {
            switch effect {
            case .send(.selectVariant(let id, _)) where changes(to: id): break
            case .send(let command):
                surroundings.note(command)
                mosaic.follow(command)
                engine.send(command)
            case .quit: outcome = .exit(queue.tally.status)
            case .giveUp: queue.giveUp()
            case .fileEnded: goOn(after: nil)
            case .fileFailed(let error): goOn(after: error)
            case .stepFile(let count): leaf(queue.playlist.step(count), stays: true)
            case .playFile(let index): leaf(queue.playlist.go(to: index))
            case .stepCue(let track, let count):
                if let listing = engine.cueListing(of: track) { update(.cueStep(listing, count)) }
            case .alignCue(let track, let count):
                if let listing = engine.cueListing(of: track) { update(.cueAlign(listing, count)) }
            case .savePlaylist: savePlaylist()
            case .tellBinding(let name): surroundings.tell(binding: name)
            case .removeFile, .moveFile, .setRepeats, .setShuffled: if queue.playlist.obey(effect) { followList() }
            case .listThemes: update(.themes(themes.names()))
            case .listDevices: engine.findAudioDevices()
            case .useRenderer(let name): draw(by: name)
            case .useTheme(let name): use(theme: name, isReread: false)
            case .preview(let point): frames.show(point)
            case .endPreview: frames.rest()
            case .browse(let request): obey(request)
            case .inspect(let request): inspections.obey(request, surroundings.logins.completed(queue.playlist.current), engine)
            case .saveStill: saveStill()
            case .saveScreen: saveScreen()
            case .television(let request): obey(request)
            case .startRecording(let fromShown):
                engine.startRecording(queue.recordingOrder(title: model.title, engine.snapshot(), fromShown: fromShown))
            case .download(let request): obey(request)
            case .login(let request): obey(request)
            case .redraw: break
            }
        }
    }
}

extension InputEvent {
    fileprivate var isMove: Bool {
        if case .mouse(let event) = self { event.action == .move } else { false }
    }
}

extension KeyStroke {
    /// A key of the terminal in the keymap's words.
    init(_ event: KeyEvent) {
        self.init(event.key, event.modifiers)
    }
}
