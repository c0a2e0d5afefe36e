import AetherCore
import AetherEngine

/// The engines that play channels beside the player's own, each on its tile of the stage. Lives on the main thread.
final class MosaicDesk {
    private let stage: MosaicStage
    private let changed: @Sendable () -> Void
    private var engines: [AetherEngine?] = []
    /// Why a channel could not be asked for.
    private var refusals: [Int: String] = [:]

    /// A way out does not wait for servers.
    private static let wayOut = TimeSpan.milliseconds(30)

    /// `changed` is called from any thread when there is something new to see.
    init(stage: MosaicStage, changed: @escaping @Sendable () -> Void) { (self.stage, self.changed) = (stage, changed) }

    /// Whether channels play beside the player's own.
    var isOpen: Bool { !engines.isEmpty }

    /// Plays these, each on a tile of its own, unheard; nil: a channel whose address may not be opened.
    func open(_ sources: [(MediaLocation, LoadOptions)?]) {
        close()
        stage.lay(sources.count + 1)
        engines = sources.enumerated().map { place, source in
            guard let source else {
                refusals[place] = translated("this list may not name its address")
                return nil
            }
            let engine = AetherEngine(sink: MosaicTile(stage: stage, number: place + 1), changed: changed)
            engine.begin(.location(source.0), options: source.1)
            return engine
        }
    }

    /// Lets one tile sound, 0 for the player's own; `isMuted`: none.
    func hear(_ tile: Int, isMuted: Bool) {
        stage.follow(tile)
        for (place, engine) in engines.enumerated() { engine?.send(.set(.muted(isMuted || place + 1 != tile))) }
    }

    /// The volume is that of all.
    func follow(_ command: PlayerCommand) {
        guard case .set(.volume) = command else { return }
        for engine in engines { engine?.send(command) }
    }

    /// The states of the channels beside the player's own.
    var states: [TileState] {
        engines.enumerated().map { place, engine in
            guard let engine else { return .failed(refusals[place] ?? "") }
            return switch engine.snapshot().phase {
            case .idle, .loading: .opening
            case .error(let error): .failed(DisplayText.singleLine(error.description, limit: 200))
            case .ended: .failed(translated("it has ended"))
            default: .playing
            }
        }
    }

    /// Ends all of them, without waiting.
    func close() {
        guard isOpen else { return }
        stage.lay(1)
        for engine in engines.compactMap(\.self) { Task { await engine.stop() } }
        (engines, refusals) = ([], [:])
    }

    /// Ends all of them on the way out of the program.
    func shutDown() {
        let all = engines.compactMap(\.self)
        close()
        for engine in all { engine.shutDown(within: Self.wayOut) }
    }
}
