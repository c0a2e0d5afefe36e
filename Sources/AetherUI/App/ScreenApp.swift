import AetherCore
import AetherEngine
import AetherRender
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
    /// A paused picture is drawn again for the new size once the window has come to rest.
    private var refreshAt: HostTime?
    private let lyrics: LyricsFile
    /// What is heard, for the spectrum; nil until a source without a picture plays.
    private var recorder: TapRecorder?

    /// Windows are dragged in bursts; 100 ms after the last change the picture is decoded again.
    private static let restAfterResize = TimeSpan.milliseconds(100)

    init(
        options: PlayerOptions, player: App.Player, probe: ProbeEnvironment, playlist: Playlist, engine: AetherEngine,
        face: consuming TerminalFace, signals: Signals,
        events: TerminalEvents, wake: WakeHandle, capabilities: ChromeCapabilities
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
        lyrics = LyricsFile(wake: wake)
        model = AppModel(size: size, capabilities: capabilities, keymap: player.keymap, now: time.now())
        model.cellAspect = self.face.size.cellAspect
        _ = model.update(.playlist(playlist.position), now: time.now())
        _ = model.update(.files(playlist.names), now: time.now())
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
        lyrics.look(beside: playlist.current)
        takeSnapshot()
        for event in early { handle(event) }
        while outcome == nil {
            placePicture()
            face.draw(model)
            handle(events.next(until: nextWake))
        }
        face.close()
        return (outcome ?? .exit(.played), lastFailure)
    }

    // MARK: - Waiting

    private var nextWake: HostTime? {
        let now = time.now()
        var wakes = [model.nextWake(after: now), refreshAt].compactMap { $0 }
        let snapshot = model.snapshot
        if snapshot.phase == .playing, let change = snapshot.nextCueChange {
            wakes.append(now + max(.milliseconds(5), (change - snapshot.position).scaled(by: 1 / max(0.25, snapshot.rate))))
        }
        if model.showsTelemetry { wakes.append(now + .seconds(1)) }
        return wakes.min()
    }

    private mutating func handle(_ event: TerminalEvent) {
        switch event {
        case .input(let inputs): for input in inputs { take(input) }
        case .signal(let signal): take(signal)
        case .hangup: outcome = .signal(.hangup)
        case .wake:
            takeSnapshot()
            if let found = lyrics.take() { update(.lyrics(found)) }
        case .timeout:
            takeSnapshot()
            update(.tick)
            hearIfDue()
            refreshIfDue()
        }
    }

    private mutating func take(_ input: InputEvent) {
        if case .reply(let reply) = input { return face.take(reply) }
        guard outcome == nil else { return }
        switch input {
        case .key(let key):
            takeSnapshot()
            update(.key(KeyStroke(key)))
        case .mouse(let event) where event.unit == .cells:
            takeSnapshot()
            update(.mouse(event))
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
        } catch {
            // Each value was checked alone; together they may contradict each other, as --start and --end do.
            update(.notice(PlayerOptions.message(for: error)))
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

    // MARK: - Updating

    private mutating func takeSnapshot() {
        update(.snapshot(engine.snapshot()))
    }

    private mutating func update(_ message: AppMessage) {
        for effect in model.update(message, now: time.now()) {
            switch effect {
            case .send(let command): engine.send(command)
            case .quit: outcome = .exit(.played)
            case .fileEnded: goOn(after: nil)
            case .fileFailed(let error): goOn(after: error)
            case .stepFile(let count): leaf(playlist.step(count))
            case .playFile(let index): leaf(playlist.go(to: index))
            case .redraw: break
            }
        }
    }

    /// Another file of the list was asked for, and there is one or not.
    private mutating func leaf(_ isThere: Bool) {
        if isThere { openCurrent() } else { update(.notice("The list ends here")) }
    }

    private mutating func goOn(after failure: MediaError?) {
        if let failure { lastFailure = failure }
        let hasOpened = engine.hasOpened
        guard playlist.advance(afterFailure: failure != nil) else {
            outcome = .exit(failure == nil ? .played : hasOpened ? .playbackFailed : .cannotOpen)
            return
        }
        openCurrent()
        if let failure { update(.notice(failure.description)) }
    }

    private mutating func openCurrent() {
        let carried = model.snapshot
        followProfiles()
        engine.begin(
            .location(playlist.current),
            options: LoadOptions(options, isPlain: false, item: playlist.currentItem, carried: carried))
        update(.playlist(playlist.position))
        recorder?.forget()
        lyrics.look(beside: playlist.current)
    }
}

extension KeyStroke {
    /// A key of the terminal in the keymap's words.
    init(_ event: KeyEvent) {
        self.init(event.key, event.modifiers)
    }
}
