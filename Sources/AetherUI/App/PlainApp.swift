import AetherCore
import AetherEngine
import AetherSources
import AetherTerminal
import ArgumentParser
import Glibc

/// The player without a screen: audio, and its state as plain lines on standard output. For logs, pipes, dumb terminals, and for people
/// who have their terminal read aloud: at a terminal the keys do what they always do, and say what they did in a line.
struct PlainApp: ~Copyable {
    /// The queue.
    private var queue: PlayQueue
    private let engine: AetherEngine
    private let signals: Signals
    private var events: TerminalEvents
    private let time = SystemTime()
    private var reporter: PlainReporter
    private var telemetry: TelemetryLog?
    private var ending: PlayerOutcome?
    private let surroundings: Surroundings
    /// The meaning of keys here; nothing of it is drawn.
    private var model: AppModel
    /// The terminal in raw mode; nil: there are no keys.
    private let keyboard: PlainKeyboard?
    /// The answer to a key that was said already.
    private var answered: FlashMessage?
    /// The login of a server is looked for, or asked for.
    private var isLoggingIn = false
    /// The person gave none, for the present file.
    private var hasGivenUp = false
    /// The reason why a list cannot be played, in place of that of the file that it was taken for.
    private var refusal: MediaError?

    init(
        options: PlayerOptions, player: App.Player, probe: ProbeEnvironment, playlist: Playlist, signals: Signals,
        surroundings: Surroundings, telemetry: consuming TelemetryLog?
    ) {
        self.telemetry = telemetry
        self.signals = signals
        self.surroundings = surroundings
        let wake = surroundings.wake
        // Two pixels: a video without audio still has its time.
        engine = AetherEngine(sink: NullVideoSink(box: PixelSize(width: 2, height: 2))) { wake.wake() }
        queue = PlayQueue(
            playlist, options: options, player: player, probe: probe, engine: engine, surroundings: surroundings, isPlain: true)
        keyboard = playlist.items.contains { $0.location == .standardInput } ? nil : PlainKeyboard()
        events = TerminalEvents(input: keyboard?.descriptor ?? -1, signals: signals, wake: wake)
        // A terminal of another encoding shows letters of ASCII alone; a pipe or a log takes them all.
        let isUnicode = ChromeText.hasUTF8Locale && (isatty(STDOUT_FILENO) == 0 || probe.localeIsUTF8 ?? true)
        reporter = PlainReporter(
            isUnicode: isUnicode, printsSubtitles: options.printSubtitles, countsFrames: keyboard == nil)
        model = AppModel(
            size: CellSize(columns: 80, rows: 24), capabilities: ChromeCapabilities(isUnicode: isUnicode), keymap: player.keymap,
            now: time.now())
    }

    mutating func run() -> PlayerOutcome {
        open(carrying: nil)
        defer {
            queue.close(within: .milliseconds(200))
            engine.shutDown(within: ScreenStart.wayOut)
            keyboard?.leave()
        }
        while ending == nil {
            let snapshot = takeSnapshot()
            if queue.isAsking || isLoggingIn {
                handle(events.next(until: queue.deadline))
                takePage()
                continue
            }
            if snapshot.phase.isOver {
                if !goOn(after: snapshot.phase) { return .exit(queue.tally.status) }
                continue
            }
            handle(events.next(until: nextWake(snapshot)))
        }
        _ = surroundings.follow(engine.snapshot(), queue.playlist, title: model.title, now: time.now())
        return ending ?? .exit(queue.tally.status)
    }

    private func nextWake(_ snapshot: EngineSnapshot) -> HostTime? {
        let now = time.now()
        return [
            surroundings.trialDeadline, queue.deadline, model.scene.television?.typedUntil, reporter.nextWake,
            reporter.nextCueWake(snapshot, now: now),
            surroundings.nextWake(after: now),
        ].compactMap { $0 }
            .min()
    }

    /// Says what is new.
    @discardableResult
    private mutating func takeSnapshot() -> EngineSnapshot {
        // The news first: the snapshot is then as new as they are, and the list follows it.
        let now = time.now(), news = engine.takeNews(), snapshot = engine.snapshot()
        telemetry?.record(snapshot)
        model.setClock(now, SystemText.wallClock)
        if queue.follow(snapshot) {
            _ = model.update(.playlist(queue.playlist.position), now: now)
            queue.announceNext(carrying: snapshot)
        }
        let turns = queue.turns(of: news)
        tell(turns)
        for complaint in queue.takeComplaints() { SystemText.complain(complaint) }
        if let status = queue.recordingStatus(snapshot) { ending = ending ?? .exit(status) }
        let effects = model.update(.snapshot(snapshot), now: now)
        queue.keepReady(beside: model.scene.television, snapshot)
        // The reporter says what a snapshot brings.
        answered = model.message
        // A page may hold a video: no complaint about it before the helper was asked what plays there.
        var isPage = queue.isAsking
        if case .error(let error) = snapshot.phase { isPage = isPage || queue.wouldAsk(after: error) }
        if !isPage { for line in reporter.lines(for: snapshot, playlist: queue.playlist.position, now: now) { write(line) } }
        for command in surroundings.follow(
            snapshot, queue.playlist, title: model.title, television: model.scene.television, now: now)
        { engine.send(command) }
        for notice in surroundings.takeNotices() {
            write(reporter.words(notice.words(startKey: keyboard == nil ? nil : model.startKey)))
        }
        // The number of a channel counts when nothing more is typed.
        for case .television(let request) in effects { obey(request) }
        return snapshot
    }

    private func tell(_ turns: [PlayedTurn]) {
        for turn in turns {
            surroundings.tell(turn)
            // A person who has both read aloud has heard it.
            if keyboard == nil, case .ended(let error?) = turn.turn { SystemText.complain(error.description) }
        }
    }

    private mutating func handle(_ event: TerminalEvent) {
        switch event {
        case .input(let inputs):
            for case .key(let key) in inputs { press(KeyStroke(key)) }
        case .signal(let signal) where signal.isFatal: ending = .signal(signal)
        case .signal(.suspend):
            let wasPlaying = engine.snapshot().wantsToPlay
            if wasPlaying { engine.pause() }
            keyboard?.leave()
            signals.stopProcess()
            keyboard?.enter()
            if wasPlaying { engine.play() }
        // Stopped from outside by SIGSTOP: the shell had the terminal.
        case .signal(.continued):
            keyboard?.leave()
            keyboard?.enter()
        case .wake, .timeout:
            for sentence in queue.downloads.takeSentences() { write(reporter.words(sentence)) }
            takeChannels()
            while let step = queue.takeLogin() { follow(step) }
            obey()
        case .hangup, .signal, .file: break
        }
    }

    /// A raw terminal has to be told to go back to the left.
    private func write(_ line: String) {
        SystemText.write(DisplayText.printable(line) + (keyboard == nil ? "\n" : "\r\n"), to: STDOUT_FILENO)
    }

    // MARK: - Keys and wishes

    private mutating func press(_ stroke: KeyStroke) {
        takeSnapshot()
        // Letters of a password are no keys.
        if model.layers[LoginPrompt.self] != nil { return update(.key(stroke)) }
        // The second stroke of a chord is no key of its own.
        if model.chord.strokes.isEmpty, model.discWish(of: stroke) == nil, !model.takesNumber(stroke),
            let action = model.keymap.action(for: stroke)
        {
            perform(action)
        } else {
            update(.key(stroke))
        }
    }

    private mutating func perform(_ action: PlayerAction) {
        if PlainKeys.needsScreen(action) { return write(translated("Not available in plain mode")) }
        // Plain mode writes as words the things that a screen would draw.
        if PlainKeys.saysPosition(action) { return write(reporter.position(model.snapshot)) }
        switch action {
        case .toggleChannels, .toggleGuide:
            guard let lines = PlainChannels.lines(action, model.scene.television) else { return update(.action(action)) }
            for line in lines { write(reporter.words(line)) }
        case .toggleDownloads:
            let entries = queue.downloads.entries
            if entries.isEmpty { write(translated("No downloads")) }
            for entry in entries { write(reporter.words("\(entry.title): \(entry.words)")) }
        case .toggleNotices:
            for entry in model.notices.entries { write(reporter.words("\(entry.time) \(entry.text)")) }
        case .toggleHelp:
            for line in PlainKeys.lines(model.keymap, unicode: model.capabilities.isUnicode) { write(reporter.words(line)) }
        case .showMenu(let kind):
            let items =
                switch kind {
                case .files: MenuContent.files(model.files, present: queue.playlist.index, queued: queue.playlist.queued)
                case .actions(let section):
                    MenuContent.actions(section, model.keymap, unicode: model.capabilities.isUnicode)
                default: MenuContent.items(kind, model.snapshot, position: model.shownPosition)
                }
            let choices = items.filter { $0.choice != nil }
            write(reporter.words(choices.isEmpty ? MenuContent.absence(kind) : kind.title))
            for item in choices {
                write(reporter.words("\(item.label) \(item.detail)\(item.isPresent ? translated(" (selected)") : "")"))
            }
        default: update(.action(action))
        }
    }

    private mutating func update(_ message: AppMessage) {
        for effect in model.update(message, now: time.now()) {
            switch effect {
            case .send(.selectVariant(let id, _)) where queue.change(to: id, carrying: model.snapshot) != nil:
                queue.announceNext(carrying: model.snapshot)
            case .send(let command):
                surroundings.note(command)
                engine.send(command)
            case .quit: ending = .exit(queue.tally.status)
            case .giveUp: queue.giveUp()
            case .startRecording(let fromShown):
                engine.startRecording(queue.recordingOrder(title: model.title, engine.snapshot(), fromShown: fromShown))
            case .stepFile(let count): leaf(queue.playlist.step(count), stays: true)
            case .playFile(let index): leaf(queue.playlist.go(to: index))
            case .stepCue(let track, let count):
                if let listing = engine.cueListing(of: track) { update(.cueStep(listing, count)) }
            case .alignCue(let track, let count):
                if let listing = engine.cueListing(of: track) { update(.cueAlign(listing, count)) }
            case .removeFile, .moveFile, .setRepeats, .setShuffled:
                if queue.playlist.obey(effect) { followList(carrying: model.snapshot) }
            case .listDevices: engine.findAudioDevices()
            case .television(let request): obey(request)
            case .login(let request): follow(queue.carryOut(request))
            case .download(let request):
                for sentence in queue.carryOut(request, title: model.title, engine.snapshot()) { write(reporter.words(sentence)) }
            case .tellBinding(let name): surroundings.tell(binding: name)
            case .fileEnded, .fileFailed, .redraw, .listThemes, .useTheme, .useRenderer, .preview, .endPreview, .saveStill,
                .saveScreen, .savePlaylist, .browse, .inspect:
                break
            }
        }
        // Playing and pausing are said when they happen.
        if let message = model.message, message != answered,
            ![translated("Playing"), translated("Paused")].contains(message.text)
        {
            answered = message
            write(reporter.words(message.text))
        }
    }

    /// Another channel of a list, or what it showed.
    private mutating func obey(_ request: TelevisionRequest) {
        switch queue.carryOut(request) {
        case .opened: open(carrying: model.snapshot)
        case .refused(let reason): write(reporter.words(reason))
        case nil: break
        }
    }

    /// Takes the news of the channels.
    private mutating func takeChannels() {
        while let news = queue.takeNews() {
            update(.television(news))
            model.setClock(time.now(), SystemText.wallClock)
        }
    }

    private mutating func leaf(_ isThere: Bool, stays: Bool = false) {
        guard isThere else { return write(translated("The list ends here")) }
        open(carrying: model.snapshot, pauses: stays && model.snapshot.isPaused)
    }

    private mutating func obey() {
        takeSnapshot()
        for wish in surroundings.takeWishes() {
            let properties = RemoteProperties(
                snapshot: model.snapshot, playlist: queue.playlist, title: model.title, television: model.scene.television)
            if let order = surroundings.order(wish, properties, isPage: queue.isPage) { carryOut(order) }
        }
    }

    private mutating func carryOut(_ order: RemoteOrder) {
        switch queue.carryOut(order) {
        case .open: open(carrying: model.snapshot)
        case .end: leaf(false)
        case .listed: followList(carrying: model.snapshot)
        case .tell(let messages): for message in messages { update(message) }
        case .act(let action): perform(action)
        case .say(let text): write(reporter.words(text))
        case .quit: ending = .exit(queue.tally.status)
        }
        takeSnapshot()
    }

    // MARK: - Files

    private mutating func open(carrying snapshot: EngineSnapshot?, pauses: Bool = false) {
        queue.open(carrying: snapshot, pauses: pauses)
        followList(carrying: snapshot)
    }

    /// The list stands elsewhere, or has another order or other files.
    private mutating func followList(carrying snapshot: EngineSnapshot?) {
        _ = model.update(.playlist(queue.playlist.position), now: time.now())
        _ = model.update(.files(queue.playlist.names), now: time.now())
        queue.announceNext(carrying: snapshot)
    }

    /// The present file is over, or has failed; false: so is the list.
    private mutating func goOn(after phase: PlaybackPhase) -> Bool {
        var failure: MediaError?
        if case .error(let error) = phase { failure = refusal ?? error }
        refusal = nil
        if keyboard != nil, !hasGivenUp, let question = failure.flatMap({ queue.loginQuestion(after: $0) }) {
            isLoggingIn = true
            follow(queue.carryOut(.find(question)))
            return true
        }
        hasGivenUp = false
        let turn = queue.turn(after: failure)
        if turn == .asks { return true }
        if let failure {
            // A person who has both read aloud has heard it.
            if keyboard == nil { SystemText.complain(failure.description) }
            if let turn = queue.takePageTurn() { surroundings.tell(turn) }
        }
        guard turn == .next else { return false }
        open(carrying: model.snapshot)
        return true
    }

    /// A step towards a login.
    private mutating func follow(_ step: PlayQueue.LoginStep?) {
        switch step {
        case .ask(let question, let user): update(.loginAsked(question, user: user))
        case .say(let text): write(reporter.words(text))
        case .reopen:
            isLoggingIn = false
            open(carrying: model.snapshot)
        case .giveUp: (isLoggingIn, hasGivenUp) = (false, true)
        case nil: break
        }
    }

    private mutating func takePage() {
        switch queue.takePage(carrying: model.snapshot) {
        case .opened(let position): _ = model.update(.playlist(position), now: time.now())
        // The file's own failure follows in the loop.
        case .failed(let text): SystemText.complain(text)
        case .asking: write(PlayQueue.askingWords)
        case .listed: open(carrying: model.snapshot)
        // The loop goes on with it.
        case .refused(let error): refusal = error
        case .folders, nil: break
        }
    }
}
