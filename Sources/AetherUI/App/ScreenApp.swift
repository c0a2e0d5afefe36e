import AetherCore
import AetherEngine
import AetherRender
import AetherSources
import AetherTerminal
import ArgumentParser
import Glibc

/// The player with a screen: the main thread's loop. Waits in one place for keys, signals and the engine, folds what comes into the
/// model, and carries out what the model says.
struct ScreenApp: ~Copyable {
    private var options: PlayerOptions
    private let player: App.Player
    private let probe: ProbeEnvironment
    private var playlist: Playlist
    private let engine: AetherEngine
    private var face: TerminalFace
    private let signals: Signals
    private var events: TerminalEvents
    private var model: AppModel
    private let time = SystemTime()
    private var outcome: PlayerOutcome?
    private var lastFailure: MediaError?
    /// The list came to its end by itself.
    private var hasEnded = false
    /// A paused picture is drawn again for the new size once the window has come to rest.
    private var refreshAt: HostTime?
    private let lyrics: LyricsFile
    /// Reads for the browser.
    private let directories: DirectoryReader
    /// The picture of the file that is selected there.
    private let selectedFilm: SelectedFilm
    /// No file was named at the start.
    private let beganInBrowser: Bool
    private let surroundings: Surroundings
    /// What plays at the address of a page is asked of another program; of which file of the list it was, and why.
    private let pages: PageDesk
    private var asked: (index: Int, failure: MediaError)?
    private let themes: ThemeLibrary
    /// The file of the present theme, read again when it changes.
    private var themeFile = FileWatch()
    /// How often the engine has gone on by itself since the last load.
    private var knownAdvances = 0
    /// Pictures out of the film: those that are looked at while scrubbing, and those that are saved.
    private let mail: FrameMail
    private let saver: StillSaver
    private var previews: ScrubPreviews
    private var fillPolicy = FillPolicy()
    /// What is heard, for the spectrum; nil until a source without a picture plays.
    private var recorder: TapRecorder?

    private var telemetry: TelemetryLog?

    /// Windows are dragged in bursts; 100 ms after the last change the picture is decoded again.
    private static let restAfterResize = TimeSpan.milliseconds(100)

    init(
        options: PlayerOptions, player: App.Player, probe: ProbeEnvironment, playlist: Playlist, engine: AetherEngine,
        face: consuming TerminalFace, signals: Signals,
        events: TerminalEvents, themes: ThemeLibrary, surroundings: Surroundings, capabilities: ChromeCapabilities,
        telemetry: consuming TelemetryLog?
    ) {
        self.options = options
        self.player = player
        self.probe = probe
        self.playlist = playlist
        self.engine = engine
        let size = face.size.cells
        self.face = face
        self.signals = signals
        self.events = events
        self.themes = themes
        self.telemetry = telemetry
        self.surroundings = surroundings
        let wake = surroundings.wake
        lyrics = LyricsFile(wake: wake)
        pages = PageDesk(path: player.environment["PATH"] ?? "", wake: wake)
        directories = DirectoryReader(wake: wake)
        selectedFilm = SelectedFilm(wake: wake)
        beganInBrowser = playlist.isEmpty
        let mail = FrameMail(wake: wake)
        self.mail = mail
        saver = StillSaver { mail.say($0) }
        previews = mail.previews(of: engine, playlist.current, cache: Self.thumbnails(options, player))
        model = AppModel(size: size, capabilities: capabilities, keymap: player.keymap, now: time.now())
        model.cellAspect = self.face.size.cellAspect
        model.notices.setClock(SystemText.secondOfDay, at: time.now())
        model.subtitlesAfterSkipBack = .seconds(options.subtitlesAfterSkipBack)
        model.browserStart = BrowserStart(directory: SystemText.workingDirectory, recent: [])
        _ = model.update(.playlist(playlist.position), now: time.now())
        _ = model.update(.files(playlist.names), now: time.now())
        _ = model.update(.theme(options.theme), now: time.now())
        themeFile.follow(themes.file(of: options.theme))
        self.events.file = themeFile.descriptor
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
        surroundings.expectRecent()
        if playlist.isEmpty {
            // The first screen has them at once, where the disk is awake.
            if let recent = surroundings.takeRecent(within: Memory.patience) { update(.recent(recent)) }
            update(.noFile)
        } else {
            lyrics.look(beside: playlist.current)
        }
        takeSnapshot()
        announceNext()
        for event in early { handle(event) }
        // What was wanted before there was a screen.
        obey()
        while outcome == nil {
            placePicture()
            face.draw(model)
            face.announce(title: model.title, progress: model.snapshot)
            handle(events.next(until: nextWake))
        }
        previews.stop()
        pages.close(within: .milliseconds(200))
        _ = surroundings.follow(engine.snapshot(), playlist, title: model.title, now: time.now())
        face.close(saying: hasEnded && options.oscNotify ? "\(model.title) has ended" : nil)
        return (outcome ?? .exit(.played), lastFailure)
    }

    // MARK: - Waiting

    private var nextWake: HostTime? {
        let now = time.now()
        var wakes = [
            model.nextWake(after: now), refreshAt, pages.deadline,
            surroundings.nextWake(after: now),
        ].compactMap { $0 }
        // A measurement a second, for the curves too that are looked at later.
        if model.showsTelemetry || previews.wantsFilling || model.snapshot.phase == .playing { wakes.append(now + .seconds(1)) }
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
            takePage()
            obey()
        case .file: if themeFile.drain() { use(theme: model.themes.present, isReread: true) }
        case .timeout:
            takeSnapshot()
            update(.tick)
            hearIfDue()
            refreshIfDue()
            takePage()
        }
    }

    private mutating func take(_ input: InputEvent) {
        if case .reply(let reply) = input { return face.take(reply) }
        guard outcome == nil else { return }
        switch input {
        case .key(let key):
            takeSnapshot()
            update(.key(KeyStroke(key)))
            tellCues()
        case .mouse(let event) where event.unit == .cells:
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
        model.cellAspect = face.size.cellAspect
        update(.resize(face.size.cells))
        refreshAt = time.now() + Self.restAfterResize
    }

    /// Nothing draws a standing picture anew but the engine: it has the full size.
    private mutating func refreshIfDue() {
        guard let due = refreshAt, time.now() >= due else { return }
        refreshAt = nil
        if model.isSoundOnly {
            engine.send(.redrawCover)
        } else if model.snapshot.phase == .paused, model.snapshot.isSeekable {
            engine.send(.seek(to: model.snapshot.position, .exact))
        }
    }

    /// Another file may be another profile's. What was said at the start of the program (renderer, theme) stays.
    private mutating func followProfiles() {
        do {
            options = try player.settings.options(for: playlist.current, probe)
            model.subtitlesAfterSkipBack = .seconds(options.subtitlesAfterSkipBack)
        } catch {
            // Each value was checked alone; together they may contradict each other, as --start and --end do.
            update(.notice(PlayerOptions.message(for: error)))
        }
    }

    // MARK: - Themes

    /// Puts a theme on; one that cannot be read leaves the present one, and says why.
    private mutating func use(theme name: String, isReread: Bool) {
        do throws(ConfigError) {
            face.theme = try themes.load(name)
            if !isReread { themeFile.follow(themes.file(of: name)) }
        } catch {
            update(.notice(error.description))
        }
    }

    // MARK: - Sound alone

    /// A song's cover leaves room for its words and its spectrum.
    private mutating func placePicture() {
        if face.putPicture(into: model.pictureArea), model.isSoundOnly { engine.send(.redrawCover) }
    }

    /// Listens from the first time on that a source without a picture plays; until then nobody pays for it.
    private mutating func hearIfDue() {
        let now = time.now()
        guard let due = model.spectrumDue(after: now), due <= now else { return }
        if recorder == nil {
            let recorder = TapRecorder(), stream = engine.installAudioTap()
            self.recorder = recorder
            Task { for await buffer in stream { recorder.take(buffer) } }
        }
        let samples = recorder?.samples(Spectrum.transform.count, endingAt: model.snapshot.position.seconds)
        update(.heard(samples))
    }

    // MARK: - Pictures

    private static func thumbnails(_ options: PlayerOptions, _ player: App.Player) -> String? {
        options.noThumbnailCache ? nil : FrameFolders.thumbnails(player.environment)
    }

    private mutating func takeMail() {
        let letters = mail.take()
        if let ready = letters.ready { update(.previewsReady(ready)) }
        if let picture = letters.picture { update(.preview(picture)) }
        for answer in letters.answers { update(.answer(answer)) }
    }

    // MARK: - Browsing

    private mutating func obey(_ request: BrowserRequest) {
        switch request {
        case .read(let directory):
            surroundings.expectRecent()
            directories.read(.directory(directory))
        case .look(let path): selectedFilm.look(at: path)
        case .open(let path): directories.read(.list(path))
        case .play(let paths, let index): play(paths.map { Playlist.Item(location: .file($0)) }, from: index)
        }
    }

    private mutating func takeFind() {
        if let recent = surroundings.takeRecent() { update(.recent(recent)) }
        if let found = selectedFilm.take() { update(.glance(found.path, found.picture)) }
        switch directories.take() {
        case .directory(let answer): update(.directory(answer))
        case .items(let items): play(items, from: 0)
        case .failed(let error):
            // Where nothing plays there is nothing else to do than to choose again.
            if playlist.isEmpty, model.browser == nil { update(.action(.browse)) }
            update(.notice(error.description))
        case nil: break
        }
    }

    /// Other files in place of the list.
    private mutating func play(_ items: [Playlist.Item], from index: Int) {
        guard !items.isEmpty else { return }
        let isFirst = playlist.isEmpty
        playlist = Playlist(items: items, loops: playlist.loops, from: index)
        update(.files(playlist.names))
        openCurrent(carrying: isFirst ? nil : model.snapshot)
    }

    /// The list is over. Who looks for the next film, or began by looking for one, stays; false: the program ends.
    private mutating func staysForBrowser(_ failure: MediaError?) -> Bool {
        if beganInBrowser, model.browser == nil { update(.action(.browse)) }
        guard model.browser != nil else { return false }
        if let failure { update(.notice(failure.description)) }
        return true
    }

    private func scene(at point: MediaTime) -> StillSaver.Scene {
        StillSaver.Scene(
            source: playlist.current.displayName, offset: point - model.snapshot.startTime,
            directory: FrameFolders.stills(options.screenshotDir, player.environment))
    }

    /// The frame that is on screen, not the one that is due now.
    private mutating func saveStill() {
        guard let shown = face.lastShown else { return update(.answer("There is no picture to save yet")) }
        saver.saveStill(of: engine, at: shown.pts, withSubtitles: options.screenshotSubtitles, scene(at: shown.pts))
    }

    private func saveScreen() {
        let scene = scene(at: face.lastShown?.pts ?? model.snapshot.position)
        face.capture { [saver, mail] image in
            if let image { saver.save(image, scene) } else { mail.say("There is no picture to save yet") }
        }
    }

    // MARK: - Updating

    private mutating func takeSnapshot() {
        let snapshot = engine.snapshot()
        telemetry?.record(snapshot)
        if snapshot.advances > knownAdvances { follow(to: snapshot.advances) }
        previews.allowFilling(fillPolicy.note(snapshot, at: time.now()))
        update(.snapshot(snapshot))
        tellCues()
        for command in surroundings.follow(model.snapshot, playlist, title: model.title, now: time.now()) { engine.send(command) }
        for notice in surroundings.takeNotices() { update(.notice(notice.words(startKey: model.startKey))) }
    }

    // MARK: - Wishes from outside

    private mutating func obey() {
        for wish in surroundings.takeWishes() {
            let properties = RemoteProperties(snapshot: model.snapshot, playlist: playlist, title: model.title)
            if let order = surroundings.order(wish, properties) { carryOut(order) }
        }
    }

    private mutating func carryOut(_ order: RemoteOrder) {
        switch order {
        case .action(let action): update(.action(action))
        case .command(let command): update(.command(command))
        case .goToFile(let index): leaf(playlist.go(to: index))
        case .setLoops(let loops):
            playlist.setLoops(loops)
            announceNext()
        case .setShuffles(let shuffles):
            var generator = SystemRandomNumberGenerator()
            playlist.setShuffled(shuffles, using: &generator)
            follow(playlist)
        case .load(let location, let isAppended):
            playlist.take(location, isAppended: isAppended)
            follow(playlist)
            if !isAppended { openCurrent(carrying: model.snapshot) }
        case .stop:
            update(.command(.pause))
            update(.action(.seekToStart))
        case .notice(let text): update(.notice(text))
        case .quit: outcome = .exit(.played)
        }
        takeSnapshot()
    }

    /// The list has another order or other files; what plays goes on.
    private mutating func follow(_ playlist: Playlist) {
        model.playlist = playlist.position
        update(.files(playlist.names))
        announceNext()
    }

    /// What the open list lists, as far as it is known by now.
    private mutating func tellCues() {
        guard let track = model.listedTrack, let listing = engine.cueListing(of: track) else { return }
        update(.cues(listing))
    }

    /// The engine has gone on to what was announced: the list follows.
    private mutating func follow(to advances: Int) {
        knownAdvances = advances
        guard playlist.advance(afterFailure: false) else { return }
        surroundings.goOn(to: playlist.currentItem)
        followProfiles()
        begun()
    }

    /// Another file of the list is played.
    private mutating func begun() {
        update(.playlist(playlist.position))
        previews.stop()
        previews = mail.previews(of: engine, playlist.current, cache: Self.thumbnails(options, player))
        fillPolicy = FillPolicy()
        recorder?.forget()
        lyrics.look(beside: playlist.current)
        announceNext()
    }

    /// Tells the engine what follows, so that a song joins the one before it without a gap.
    private func announceNext() {
        guard let next = playlist.following, next.location != .standardInput else { return engine.setNext(nil) }
        do {
            let options = try player.settings.options(for: next.location, probe)
            engine.setNext(
                .location(next.location),
                options: LoadOptions(options, isPlain: false, item: next, carried: model.snapshot))
        } catch {
            // It is said when that file is loaded.
            engine.setNext(nil)
        }
    }

    private mutating func update(_ message: AppMessage) {
        for effect in model.update(message, now: time.now()) {
            switch effect {
            case .send(let command):
                surroundings.note(command)
                engine.send(command)
            case .quit: outcome = .exit(.played)
            case .fileEnded: goOn(after: nil)
            case .fileFailed(let error): goOn(after: error)
            case .stepFile(let count): leaf(playlist.step(count))
            case .playFile(let index): leaf(playlist.go(to: index))
            case .listThemes: update(.themes(themes.names()))
            case .listDevices: engine.findAudioDevices()
            case .useTheme(let name): use(theme: name, isReread: false)
            case .preview(let point): previews.show(point)
            case .endPreview: previews.rest()
            case .browse(let request): obey(request)
            case .saveStill: saveStill()
            case .saveScreen: saveScreen()
            case .redraw: break
            }
        }
    }

    /// Another file of the list was asked for, and there is one or not.
    private mutating func leaf(_ isThere: Bool) {
        if isThere { openCurrent(carrying: model.snapshot) } else { update(.notice("The list ends here")) }
    }

    // MARK: - Pages

    /// What is no film itself may be a page with one; true: that is being asked. Once for each file.
    private mutating func asks(after failure: MediaError) -> Bool {
        guard !options.noYtdl, asked == nil, let url = PageDesk.page(playlist.current, after: failure) else { return false }
        asked = (playlist.index, failure)
        update(.notice("This is a page: yt-dlp is asked what plays there"))
        pages.ask(url)
        return true
    }

    private mutating func takePage() {
        guard let answer = pages.take(), let asked, asked.index == playlist.index else { return }
        switch answer {
        case .film(let film): open(film)
        case .failure(let text):
            update(.notice(text))
            goOn(after: MediaError(.notMedia, "play the page", reason: text))
        }
    }

    private mutating func open(_ film: PageDesk.Film) {
        var position = playlist.position
        if position.title.isEmpty { position.title = film.title }
        let loading = LoadOptions(options, isPlain: false, item: playlist.currentItem, carried: model.snapshot)
        engine.begin(.location(.url(film.url)), options: loading)
        knownAdvances = 0
        begun()
        update(.playlist(position))
    }

    private mutating func goOn(after failure: MediaError?) {
        if let failure, asks(after: failure) { return }
        if let failure { lastFailure = failure }
        let hasOpened = engine.hasOpened
        guard playlist.advance(afterFailure: failure != nil) else {
            if staysForBrowser(failure) { return }
            hasEnded = true
            outcome = .exit(failure == nil ? .played : hasOpened ? .playbackFailed : .cannotOpen)
            return
        }
        openCurrent(carrying: model.snapshot)
        if let failure { update(.notice(failure.description)) }
    }

    /// `carried` is what the person changed so far.
    private mutating func openCurrent(carrying carried: EngineSnapshot?) {
        pages.cancel()
        asked = nil
        followProfiles()
        var loading = LoadOptions(options, isPlain: false, item: playlist.currentItem, carried: carried)
        surroundings.begin(playlist.currentItem, options, &loading)
        engine.begin(.location(playlist.current), options: loading)
        knownAdvances = 0
        begun()
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
