import AetherCore
import AetherEngine
import AetherRender
import AetherTerminal
import Glibc

/// The way from options to a running screen: the source opens and the terminal answers its questions at the same time, and the screen
/// is touched only when both went well.
struct ScreenStart {
    let options: PlayerOptions
    let playlist: Playlist
    let signals: Signals
    let probe: ProbeEnvironment
    let theme: Theme

    /// A source that is not open by then is waited for under the bar, which says so.
    private static let patience = TimeSpan.seconds(1)

    func run() throws -> PlayerOutcome {
        let port = try TTYPort(reopening: STDOUT_FILENO)
        let session = try TerminalSession(port: port)
        let wake = WakeHandle()
        let time = SystemTime()
        // Before the terminal has answered, the shape of its cells is what the kernel knows; frames follow once it is known better.
        let layout = PictureLayout(size: port.size(), pixelsPerCell: HalfBlockRenderer.pixelsPerCell)
        let presenter = Presenter(layout: layout) { wake.wake() }
        let engine = AetherEngine(sink: presenter) { wake.wake() }
        defer { engine.shutDown() }
        engine.begin(.location(playlist.current), options: LoadOptions(options, isPlain: false, carried: nil))
        let began = time.now()
        try session.enterRaw()
        defer { session.leave() }
        var events = TerminalEvents(input: port.descriptor, signals: signals, wake: wake)
        let outcome = try CapabilityProbe.run(port: port, events: &events, environment: probe)
        session.repliesPending = outcome.repliesPending
        var early = outcome.meanwhile
        if let signal = waitForSource(engine, &events, &early, until: began + Self.patience) { return .signal(signal) }
        if let error = engine.openError, playlist.locations.count == 1 {
            session.leave()
            SystemText.complain(error.description)
            return .exit(.cannotOpen)
        }
        guard let choice = choose(outcome.capabilities) else {
            session.leave()
            SystemText.complain(refusal())
            return .exit(.terminalUnsuitable)
        }
        let reasons = (choice.reasons + outcome.capabilities.reasons).joined(separator: "; ")
        Log.module("terminal").info("\(choice.renderer.rawValue), \(choice.depth.rawValue): \(reasons)")
        let face = try TerminalFace(
            port: port, session: session, presenter: presenter, capabilities: outcome.capabilities, choice: choice, theme: theme)
        var app = ScreenApp(
            options: options, playlist: playlist, engine: engine, face: face, signals: signals, events: events,
            capabilities: ChromeCapabilities(isUnicode: outcome.capabilities.utf8, hasColor: choice.depth != .mono))
        let (ending, failure) = app.run(early)
        if case .exit(let status) = ending, status != .played {
            SystemText.complain(failure?.description ?? "the terminal failed")
        }
        return ending
    }

    /// Until the source is open, cannot be opened, or takes too long; a fatal signal ends it.
    private func waitForSource(
        _ engine: AetherEngine, _ events: inout TerminalEvents, _ early: inout [TerminalEvent], until deadline: HostTime
    ) -> TerminalSignal? {
        for case .signal(let signal) in early where signal.isFatal { return signal }
        while !engine.hasOpened && engine.openError == nil {
            let event = events.next(until: deadline)
            switch event {
            case .timeout: return nil
            case .signal(let signal) where signal.isFatal: return signal
            case .hangup: return .hangup
            case .wake: break
            default: early.append(event)
            }
        }
        return nil
    }

    private func choose(_ capabilities: TerminalCapabilities) -> EncoderChoice? {
        EncoderChoice.choose(
            requested: options.renderer == .auto ? nil : options.renderer.rawValue,
            depth: ColourDepth(rawValue: options.color.rawValue) ?? ColourDepth(rawValue: capabilities.colourDepth.rawValue) ?? .mono,
            isUTF8: capabilities.utf8)
    }

    private func refusal() -> String {
        let name = options.renderer.rawValue
        guard EncoderChoice.Renderer(rawValue: name) != nil else {
            return "this version does not draw with \(name) yet: use --renderer halfblock or ascii"
        }
        return "this terminal cannot show \(name), for it does not take UTF-8: use --renderer ascii"
    }
}
