import AetherCore
import AetherEngine
import AetherRender
import AetherSources
import AetherTerminal
import Glibc

/// The way from options to a running screen: the source opens and the terminal answers its questions at the same time, and the screen
/// is touched only when both went well.
struct ScreenStart {
    let options: PlayerOptions
    let player: App.Player
    let playlist: Playlist
    let signals: Signals
    let probe: ProbeEnvironment
    let theme: Theme
    let themes: ThemeLibrary
    let surroundings: Surroundings
    /// The descriptor of measurements.
    let telemetry: Int32?

    /// A file that cannot be played is refused before the terminal is even asked: its questions blink through the alternate screen.
    /// 150 ms: a local file is open within 30 ms, and what is slower than that is not a file.
    private static let untouchedStart = TimeSpan.milliseconds(150)
    /// The terminal is restored by then; threads that hang in a library do not keep the program.
    static let wayOut = TimeSpan.milliseconds(100)
    /// A source that is not open by then is waited for under the bar, which says so.
    private static let patience = TimeSpan.seconds(1)

    func run() throws -> PlayerOutcome {
        let port = try TTYPort(reopening: STDOUT_FILENO)
        let session = try TerminalSession(port: port)
        let wake = surroundings.wake
        let time = SystemTime()
        // Before the terminal has answered, the shape of its cells is what the kernel knows; frames follow once it is known better.
        let layout = FramePlacement(size: port.size(), pixelsPerCell: HalfBlockRenderer.pixelsPerCell)
        let presenter = Presenter(layout: layout, ground: theme.ground(over: nil)) { wake.wake() }
        let stage = MosaicStage(screen: presenter)
        let engine = AetherEngine(sink: stage) { wake.wake() }
        defer { engine.shutDown(within: Self.wayOut) }
        var loading = LoadOptions(options, isPlain: false, item: playlist.currentItem, carried: nil)
        // A terminal may take 300 ms not to answer: no part of the file is played unseen meanwhile.
        loading.autoplay = false
        if !playlist.isEmpty {
            surroundings.begin(playlist.currentItem, options, &loading)
            engine.begin(.location(surroundings.logins.completed(playlist.current)), options: loading)
        }
        let began = time.now()
        try session.enterRaw()
        defer { session.leave() }
        var events = TerminalEvents(input: port.descriptor, signals: signals, wake: wake)
        var early: [TerminalEvent] = []
        if let ending = waitForSource(engine, session, &events, &early, until: began + Self.untouchedStart) { return ending }
        let outcome = try CapabilityProbe.run(port: port, events: &events, environment: probe)
        session.repliesPending = outcome.repliesPending
        early += outcome.meanwhile
        if let ending = waitForSource(engine, session, &events, &early, until: began + Self.patience) { return ending }
        var traits = traits(of: outcome.capabilities, size: port.size())
        guard let choice = EncoderChoice.choose(requested: requested, traits: traits) else {
            session.leave()
            SystemText.complain(requested.flatMap { EncoderChoice.obstacle(to: $0, traits: traits) } ?? "")
            return .exit(.terminalUnsuitable)
        }
        if choice.renderer == .sixel {
            let bottom = try SixelBottomProbe.run(port: port, events: &events, screen: port.size().cells, cell: traits.cellPixels)
            traits.sixel?.needsBottomReserve = bottom.reserves(for: outcome.capabilities.identity)
            session.repliesPending = session.repliesPending || bottom.repliesPending
            early += bottom.meanwhile
        }
        let reasons = (choice.reasons + outcome.capabilities.reasons).joined(separator: "; ")
        Log.module("terminal").info("\(choice.renderer.rawValue), \(choice.depth.rawValue): \(reasons)")
        let range = RendererRange(traits: traits)
        let face = try TerminalFace(
            port: port, session: session, presenter: presenter, capabilities: outcome.capabilities, choice: choice,
            range: range, outputs: range.outputs(choice, requested: requested),
            link: LinkTraits(
                synchronizedUpdates: outcome.capabilities.synchronizedUpdate, answersStatus: outcome.capabilities.answersStatus,
                roundTrip: outcome.roundTrip, maximumRate: options.maxRate?.bytes), theme: theme, usesMouse: !options.noMouse,
            announcer: TerminalAnnouncer(outcome.capabilities, environment: probe, isWanted: !options.noTitle))
        var app = ScreenApp(
            options: options, player: player, probe: probe, playlist: playlist, engine: engine, stage: stage, face: face,
            signals: signals,
            events: events, themes: themes, surroundings: surroundings,
            capabilities: ChromeCapabilities(isUnicode: outcome.capabilities.utf8, hasColor: choice.depth != .mono),
            telemetry: telemetry.map { TelemetryLog(descriptor: $0) })
        if !playlist.isEmpty { play(engine, &events, &early) }
        let (ending, failure) = app.run(early)
        if case .exit(let status) = ending, status != .played {
            SystemText.complain(failure?.description ?? translated("the terminal failed"))
        }
        return ending
    }

    /// Waits until the source is open or takes too long. What ends the program here: a fatal signal, or the only source that cannot
    /// be opened.
    private func waitForSource(
        _ engine: AetherEngine, _ session: TerminalSession, _ events: inout TerminalEvents, _ early: inout [TerminalEvent],
        until deadline: HostTime
    ) -> PlayerOutcome? {
        for case .signal(let signal) in early where signal.isFatal { return .signal(signal) }
        waiting: while !playlist.isEmpty, !engine.hasOpened && engine.openError == nil {
            switch events.next(until: deadline) {
            case .timeout: break waiting
            case .signal(let signal) where signal.isFatal: return .signal(signal)
            case .hangup: return .signal(.hangup)
            case .wake: break
            case let event: early.append(event)
            }
        }
        // Of a list of channels the others are left.
        guard let error = engine.openError, playlist.items.count == 1, playlist.channels == nil else { return nil }
        // A location that may be a list or a page is tried as one, on the screen.
        if PlayQueue.listed(playlist.current, after: error) != nil { return nil }
        // The person is asked for a login on the screen.
        if PlayQueue.loginQuestion(about: playlist.current, after: error) != nil { return nil }
        session.leave()
        let title = playlist.currentItem.title
        surroundings.tell(
            PlayedTurn(
                number: 1, title: title.isEmpty ? playlist.current.displayName : title, turn: .failed(error, midway: false)))
        SystemText.complain(error.description)
        return .exit(.cannotOpen)
    }

    /// Lets the video run, and returns when the engine says so: a bar that knew it standing would be seen for a moment.
    private func play(_ engine: AetherEngine, _ events: inout TerminalEvents, _ early: inout [TerminalEvent]) {
        engine.play()
        let deadline = SystemTime().now() + .milliseconds(50)
        while !engine.snapshot().wantsToPlay {
            let event = events.next(until: deadline)
            if event == .timeout { return }
            if event != .wake { early.append(event) }
        }
    }

    /// nil for the best there is.
    private var requested: EncoderChoice.Renderer? { EncoderChoice.Renderer(rawValue: options.renderer.rawValue) }

    /// The traits that the renderer is chosen by: the terminal's answers, and the user's word on colours.
    private func traits(of capabilities: TerminalCapabilities, size: TerminalSize) -> DisplayTraits {
        let size = size.reporting(cell: capabilities.cellPixelSize, window: capabilities.windowPixelSize)
        var traits = capabilities.displayTraits(size: size)
        if let depth = ColourDepth(rawValue: options.color.rawValue) { traits.depth = depth }
        return traits
    }
}
