import AetherCore
import AetherEngine
import AetherTerminal
import ArgumentParser
import Glibc

/// The player without a screen: sound, and its state as plain lines on standard output. For logs, pipes and dumb terminals.
struct PlainApp {
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

    init(options: PlayerOptions, player: App.Player, probe: ProbeEnvironment, playlist: Playlist, signals: Signals) {
        self.options = options
        self.player = player
        self.probe = probe
        self.playlist = playlist
        self.signals = signals
        let wake = WakeHandle()
        // Two pixels: a film without sound still has its time.
        engine = AetherEngine(sink: NullVideoSink(box: PixelSize(width: 2, height: 2))) { wake.wake() }
        events = TerminalEvents(input: -1, signals: signals, wake: wake)
        reporter = PlainReporter(isUnicode: ChromeText.hasUTF8Locale)
    }

    mutating func run() -> PlayerOutcome {
        load(carrying: nil)
        defer { engine.shutDown(within: ScreenStart.wayOut) }
        while true {
            let now = time.now()
            let snapshot = engine.snapshot()
            for line in reporter.lines(for: snapshot, playlist: playlist.position, now: now) {
                SystemText.write(line + "\n", to: STDOUT_FILENO)
            }
            if case .error(let error) = snapshot.phase {
                SystemText.complain(error.description)
                outcome = engine.hasOpened ? .playbackFailed : .cannotOpen
            }
            if isOver(snapshot.phase) {
                guard playlist.advance(afterFailure: snapshot.phase != .ended) else { return .exit(outcome) }
                followProfiles()
                load(carrying: snapshot)
                continue
            }
            switch events.next(until: reporter.nextWake) {
            case .signal(let signal) where signal.isFatal: return .signal(signal)
            case .signal(.suspend):
                engine.pause()
                signals.stopProcess()
                engine.play()
            default: break
            }
        }
    }

    /// Another file may be another profile's.
    private mutating func followProfiles() {
        do {
            options = try player.settings.options(for: playlist.current, probe)
        } catch {
            SystemText.complain(PlayerOptions.message(for: error))
        }
    }

    private func load(carrying snapshot: EngineSnapshot?) {
        engine.begin(
            .location(playlist.current),
            options: LoadOptions(options, isPlain: true, item: playlist.currentItem, carried: snapshot))
    }

    private func isOver(_ phase: PlaybackPhase) -> Bool {
        switch phase {
        case .ended, .error: true
        default: false
        }
    }
}
