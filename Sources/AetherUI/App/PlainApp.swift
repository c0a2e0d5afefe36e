import AetherCore
import AetherEngine
import AetherSources
import AetherTerminal
import ArgumentParser
import Glibc

/// The player without a screen: sound, and its state as plain lines on standard output. For logs, pipes, dumb terminals, and for people
/// who have their terminal read aloud: at a terminal the keys do what they always do, and say what they did in a line.
struct PlainApp: ~Copyable {
    private var options: PlayerOptions
    private let player: App.Player
    private let probe: ProbeEnvironment
    private var playlist: Playlist
    private let engine: AetherEngine
    private let signals: Signals
    private var events: TerminalEvents
    private let time = SystemTime()
    private var reporter: PlainReporter
    private var outcome = ExitStatus.played
    private var telemetry: TelemetryLog?
    private var ending: PlayerOutcome?
    private let surroundings: Surroundings
    /// What plays at the address of a page is asked of another program; whether it was for this file.
    private let pages: PageDesk
    private var hasAsked = false
    /// What keys mean here; nothing of it is drawn.
    private var model: AppModel
    /// The terminal in raw mode; nil: there are no keys.
    private let keyboard: PlainKeyboard?
    /// The answer to a key that was said already.
    private var answered: FlashMessage?
    /// How often the engine has gone on by itself since the last load.
    private var knownAdvances = 0

    init(
        options: PlayerOptions, player: App.Player, probe: ProbeEnvironment, playlist: Playlist, signals: Signals,
        surroundings: Surroundings
    ) throws(MediaError) {
        telemetry = try TelemetryLog.open(options.telemetry)
        self.options = options
        self.player = player
        self.probe = probe
        self.playlist = playlist
        self.signals = signals
        self.surroundings = surroundings
        let wake = surroundings.wake
        pages = PageDesk(path: player.environment["PATH"] ?? "", wake: wake)
        // Two pixels: a film without sound still has its time.
        engine = AetherEngine(sink: NullVideoSink(box: PixelSize(width: 2, height: 2))) { wake.wake() }
        keyboard = playlist.items.contains { $0.location == .standardInput } ? nil : PlainKeyboard()
        events = TerminalEvents(input: keyboard?.descriptor ?? -1, signals: signals, wake: wake)
        let isUnicode = ChromeText.hasUTF8Locale
        reporter = PlainReporter(isUnicode: isUnicode, printsSubtitles: options.printSubtitles)
        model = AppModel(
            size: CellSize(columns: 80, rows: 24), capabilities: ChromeCapabilities(isUnicode: isUnicode), keymap: player.keymap,
            now: time.now())
    }

    mutating func run() -> PlayerOutcome {
        load(carrying: nil)
        defer {
            pages.close(within: .milliseconds(200))
            engine.shutDown(within: ScreenStart.wayOut)
            keyboard?.leave()
        }
        while ending == nil {
            let snapshot = takeSnapshot()
            if pages.isAsking {
                handle(events.next(until: pages.deadline))
                takePage()
                continue
            }
            if isOver(snapshot.phase) {
                if case .error(let error) = snapshot.phase {
                    if asks(after: error) { continue }
                    SystemText.complain(error.description)
                    outcome = engine.hasOpened ? .playbackFailed : .cannotOpen
                }
                guard playlist.advance(afterFailure: snapshot.phase != .ended) else { return .exit(outcome) }
                openCurrent()
                continue
            }
            handle(events.next(until: nextWake(snapshot)))
        }
        _ = surroundings.follow(engine.snapshot(), playlist, title: model.title, now: time.now())
        return ending ?? .exit(outcome)
    }

    private func nextWake(_ snapshot: EngineSnapshot) -> HostTime? {
        let now = time.now()
        return [reporter.nextWake, reporter.nextCueWake(snapshot, now: now), surroundings.nextWake(after: now)].compactMap { $0 }
            .min()
    }

    /// Says what is new.
    @discardableResult
    private mutating func takeSnapshot() -> EngineSnapshot {
        let now = time.now(), snapshot = engine.snapshot()
        telemetry?.record(snapshot)
        if snapshot.advances > knownAdvances { follow(to: snapshot) }
        _ = model.update(.snapshot(snapshot), now: now)
        for line in reporter.lines(for: snapshot, playlist: playlist.position, now: now) { write(line) }
        for command in surroundings.follow(snapshot, playlist, title: model.title, now: now) { engine.send(command) }
        for notice in surroundings.takeNotices() {
            write(reporter.words(notice.words(startKey: keyboard == nil ? nil : model.startKey)))
        }
        return snapshot
    }

    private mutating func handle(_ event: TerminalEvent) {
        switch event {
        case .input(let inputs):
            for case .key(let key) in inputs { press(KeyStroke(key)) }
        case .signal(let signal) where signal.isFatal: ending = .signal(signal)
        case .signal(.suspend):
            engine.pause()
            keyboard?.leave()
            signals.stopProcess()
            keyboard?.enter()
            engine.play()
        case .wake: obey()
        case .hangup, .signal, .timeout, .file: break
        }
    }

    /// A raw terminal has to be told to go back to the left.
    private func write(_ line: String) {
        SystemText.write(line + (keyboard == nil ? "\n" : "\r\n"), to: STDOUT_FILENO)
    }

    // MARK: - Keys and wishes

    private mutating func press(_ stroke: KeyStroke) {
        takeSnapshot()
        if let action = model.keymap.action(for: stroke) { perform(action) } else { update(.key(stroke)) }
    }

    private mutating func perform(_ action: PlayerAction) {
        switch action {
        // What would be drawn is said.
        case .toggleBar, .toggleRemaining, .toggleTelemetry: write(reporter.position(model.snapshot))
        case .nextTheme, .toggleCueList, .searchSubtitles, .nextTelemetryPage, .scrub, .saveStill, .saveScreen,
            .toggleEqualizer:
            write("This needs a screen")
        case .toggleNotices:
            for entry in model.notices.entries { write(reporter.words("\(entry.time) \(entry.text)")) }
        case .toggleHelp:
            for entry in model.keymap.entries {
                write(reporter.words("\(entry.keysLabel(unicode: model.capabilities.isUnicode)): \(entry.description)"))
            }
        case .showMenu(let kind):
            let items =
                kind == .files
                ? MenuContent.files(model.files, present: playlist.index)
                : MenuContent.items(kind, model.snapshot, position: model.shownPosition)
            let choices = items.filter { $0.choice != nil }
            write(reporter.words(choices.isEmpty ? MenuContent.absence(kind) : kind.title))
            for item in choices { write(reporter.words("\(item.label) \(item.detail)\(item.isPresent ? " (selected)" : "")")) }
        default: update(.action(action))
        }
    }

    private mutating func update(_ message: AppMessage) {
        for effect in model.update(message, now: time.now()) {
            switch effect {
            case .send(let command):
                surroundings.note(command)
                engine.send(command)
            case .quit: ending = .exit(outcome)
            case .stepFile(let count): leaf(playlist.step(count))
            case .playFile(let index): leaf(playlist.go(to: index))
            case .listDevices: engine.findAudioDevices()
            case .fileEnded, .fileFailed, .redraw, .listThemes, .useTheme, .preview, .endPreview, .saveStill, .saveScreen,
                .browse:
                break
            }
        }
        // Playing and pausing are said when they happen.
        if let message = model.message, message != answered, !["Playing", "Paused"].contains(message.text) {
            answered = message
            write(reporter.words(message.text))
        }
    }

    private mutating func leaf(_ isThere: Bool) {
        if isThere { openCurrent() } else { write("The list ends here") }
    }

    private mutating func obey() {
        takeSnapshot()
        for wish in surroundings.takeWishes() {
            let properties = RemoteProperties(snapshot: model.snapshot, playlist: playlist, title: model.title)
            if let order = surroundings.order(wish, properties) { carryOut(order) }
        }
    }

    private mutating func carryOut(_ order: RemoteOrder) {
        switch order {
        case .action(let action): perform(action)
        case .command(let command): update(.command(command))
        case .goToFile(let index): leaf(playlist.go(to: index))
        case .setLoops(let loops):
            playlist.setLoops(loops)
            announceNext(carrying: model.snapshot)
        case .setShuffles(let shuffles):
            var generator = SystemRandomNumberGenerator()
            playlist.setShuffled(shuffles, using: &generator)
            announceNext(carrying: model.snapshot)
        case .load(let location, let isAppended):
            playlist.take(location, isAppended: isAppended)
            if isAppended { announceNext(carrying: model.snapshot) } else { openCurrent() }
        case .stop:
            update(.command(.pause))
            update(.action(.seekToStart))
        case .notice(let text): write(reporter.words(text))
        case .quit: ending = .exit(outcome)
        }
    }

    // MARK: - Files

    private mutating func openCurrent() {
        let carried = model.snapshot
        followProfiles()
        load(carrying: carried)
    }

    /// Another file may be another profile's.
    private mutating func followProfiles() {
        do {
            options = try player.settings.options(for: playlist.current, probe)
        } catch {
            SystemText.complain(PlayerOptions.message(for: error))
        }
    }

    /// What is no film itself may be a page with one; true: that is being asked. Once for each file.
    private mutating func asks(after failure: MediaError) -> Bool {
        guard !options.noYtdl, !hasAsked, let url = PageDesk.page(playlist.current, after: failure) else { return false }
        hasAsked = true
        write("This is a page: yt-dlp is asked what plays there")
        pages.ask(url)
        return true
    }

    private mutating func takePage() {
        switch pages.take() {
        case .film(let film):
            var position = playlist.position
            if position.title.isEmpty { position.title = film.title }
            engine.begin(
                .location(.url(film.url)),
                options: LoadOptions(options, isPlain: true, item: playlist.currentItem, carried: model.snapshot))
            _ = model.update(.playlist(position), now: time.now())
            knownAdvances = 0
        // The file's own failure follows in the loop.
        case .failure(let text): SystemText.complain(text)
        case nil: break
        }
    }

    private mutating func load(carrying snapshot: EngineSnapshot?) {
        pages.cancel()
        hasAsked = false
        var loading = LoadOptions(options, isPlain: true, item: playlist.currentItem, carried: snapshot)
        surroundings.begin(playlist.currentItem, options, &loading)
        engine.begin(.location(playlist.current), options: loading)
        _ = model.update(.playlist(playlist.position), now: time.now())
        _ = model.update(.files(playlist.names), now: time.now())
        knownAdvances = 0
        announceNext(carrying: snapshot)
    }

    /// The engine has gone on to what was announced: the list follows.
    private mutating func follow(to snapshot: EngineSnapshot) {
        knownAdvances = snapshot.advances
        guard playlist.advance(afterFailure: false) else { return }
        surroundings.goOn(to: playlist.currentItem)
        followProfiles()
        _ = model.update(.playlist(playlist.position), now: time.now())
        announceNext(carrying: snapshot)
    }

    /// Tells the engine what follows, so that one sound joins the other without a gap.
    private func announceNext(carrying snapshot: EngineSnapshot?) {
        guard let next = playlist.following, next.location != .standardInput else { return engine.setNext(nil) }
        do {
            let options = try player.settings.options(for: next.location, probe)
            engine.setNext(
                .location(next.location), options: LoadOptions(options, isPlain: true, item: next, carried: snapshot))
        } catch {
            // It is said when that file is loaded.
            engine.setNext(nil)
        }
    }

    private func isOver(_ phase: PlaybackPhase) -> Bool {
        switch phase {
        case .ended, .error: true
        default: false
        }
    }
}
