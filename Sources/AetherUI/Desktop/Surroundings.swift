import AetherCore
import AetherDesktop
import AetherEngine
import AetherLibrary
import AetherSources
import AetherTerminal

/// What surrounds a player: what it remembers, who controls it from outside, and the desktop it runs on. The app tells it what plays and
/// asks it what is wanted. Lives on the main thread; nothing here blocks that longer than 50 ms at the start of a file.
final class Surroundings {
    /// Something that is wanted from outside.
    enum Wish {
        case remote(RemoteServer.Incoming)
        case desktop(DesktopRequest)
    }

    /// Signalled when there may be something to take.
    let wake: WakeHandle
    private let memory: Memory
    private let desktop: DesktopPresence
    private let server: RemoteServer?
    private let settings: Settings
    private let probe: ProbeEnvironment
    private var isFirst = true
    private var saidFile = -1
    private var lastPhase = PlaybackPhase.idle
    private var isPositionWatched = false

    /// Throws where the remote control's socket cannot be made.
    init(_ options: PlayerOptions, _ settings: Settings, _ environment: [String: String]) throws(RemoteError) {
        self.settings = settings
        probe = ProbeEnvironment(environment)
        let wake = WakeHandle()
        self.wake = wake
        server = try options.ipc.map { path throws(RemoteError) in
            try RemoteServer(
                path: path,
                greeting: .object(["event": .string("hello"), "name": .string("aether-tui"), "version": .string(App.version)]),
                wake: wake)
        }
        memory = Memory(path: options.noHistory ? nil : HistoryDatabase.path(environment), wake: wake)
        desktop = DesktopPresence(environment, isOnBus: !options.noMpris, wake: wake)
    }

    /// Asks early for what is known of the first file.
    func expect(_ item: Playlist.Item) { memory.expect(item) }

    /// Asks for the files that were played last.
    func expectRecent() { memory.expectRecent() }

    /// They, once; see `Memory.takeRecent`.
    func takeRecent(within patience: TimeSpan = .zero) -> [RecentFile]? { memory.takeRecent(within: patience) }

    /// What was chosen for the screen the last time. Waits for the history as `begin` does.
    func screenChoices() -> ScreenChoices { memory.screenChoices() }

    /// The person has chosen something for the screen.
    func keep(_ choices: ScreenChoices) { memory.keep(choices) }

    /// Another file is going to be opened: its options become what it was left with.
    func begin(_ item: Playlist.Item, _ options: PlayerOptions, _ loading: inout LoadOptions) {
        func isFree(_ name: String) -> Bool { !settings.isSet(name, for: item.location, probe) }
        memory.begin(
            item, &loading,
            wishes: Memory.Wishes(
                resumes: !options.noResume, volume: isFree("volume"), rate: isFree("speed"), audioDelay: isFree("audio-delay"),
                shape: isFree("aspect"), equalizer: isFree("equalizer")),
            isFirst: isFirst)
        isFirst = false
        desktop.beginFile()
    }

    /// The engine has gone on to another file by itself.
    func goOn(to item: Playlist.Item) {
        memory.goOn(to: item)
        desktop.beginFile()
        saidFile = -1
        lastPhase = .loading
    }

    /// Takes in how it stands; returns what the engine is to be told.
    func follow(_ snapshot: EngineSnapshot, _ playlist: Playlist, title: String, now: HostTime) -> [PlayerCommand] {
        desktop.follow(snapshot, playlist, title: title, now: now)
        if let server { tell(server, snapshot, playlist, title) }
        return memory.follow(snapshot, title: title, now: now)
    }

    private func tell(_ server: RemoteServer, _ snapshot: EngineSnapshot, _ playlist: Playlist, _ title: String) {
        if snapshot.phase != lastPhase {
            lastPhase = snapshot.phase
            switch snapshot.phase {
            case .playing where saidFile != playlist.index:
                saidFile = playlist.index
                server.tell("file", ["file": JSON(playlist.index + 1), "title": .string(title)])
            case .ended: server.tell("end", ["file": JSON(playlist.index + 1)])
            case .error(let error): server.tell("error", ["text": .string(error.description)])
            case .loading: saidFile = -1
            default: break
            }
        }
        let observed = server.observed
        isPositionWatched = !observed.isDisjoint(with: ["position", "percent", "buffered"]) && snapshot.phase == .playing
        if !observed.isEmpty {
            server.publish(RemoteProperties(snapshot: snapshot, playlist: playlist, title: title).values(observed))
        }
    }

    /// When `follow` has something to do next, if nothing else happens.
    func nextWake(after now: HostTime) -> HostTime? {
        [memory.nextWake, isPositionWatched ? now + .seconds(1) : nil].compactMap { $0 }.min()
    }

    /// Sentences for the person, once.
    func takeNotices() -> [Memory.Notice] { memory.takeNotices() }

    /// What is wanted, in order.
    func takeWishes() -> [Wish] {
        (server?.takeRequests() ?? []).map { .remote($0) } + desktop.takeRequests().map { .desktop($0) }
    }

    /// What a wish means; it is answered here.
    func order(_ wish: Wish, _ properties: RemoteProperties) -> RemoteOrder? {
        switch wish {
        case .desktop(let request):
            if request == .stop { desktop.stop() }
            return RemoteOrder(request, start: properties.snapshot.startTime)
        case .remote(let incoming):
            do throws(RemoteCommands.Problem) {
                return try order(incoming, properties)
            } catch {
                server?.answer(incoming, .failure(error.reason))
                return nil
            }
        }
    }

    private func order(_ incoming: RemoteServer.Incoming, _ properties: RemoteProperties) throws(RemoteCommands.Problem)
        -> RemoteOrder?
    {
        var answer = RemoteAnswer.done
        var order: RemoteOrder?
        switch incoming.request.verb {
        case .action(let text):
            do throws(ActionName.Problem) {
                order = try ActionName.action(text).map { .action($0) }
            } catch {
                throw RemoteCommands.Problem(reason: "\(DisplayText.singleLine(text, limit: 40)): \(error.reason)")
            }
        case .command(let name, let values):
            order = try RemoteCommands.order(name, values, start: properties.snapshot.startTime)
            if order == .stop { desktop.stop() }
        case .set(let name, let value): order = try properties.order(setting: name, to: value)
        case .get(let name): answer = .value(try value(name, properties))
        case .observe(let name, let isOn):
            // An unknown name is refused; it stays in the client's list and is never told.
            if isOn { _ = try value(name, properties) }
        }
        server?.answer(incoming, answer)
        if case .observe(_, true) = incoming.request.verb, let server {
            server.publish(properties.values(server.observed))
        }
        return order
    }

    private func value(_ name: String, _ properties: RemoteProperties) throws(RemoteCommands.Problem) -> JSON {
        guard let value = properties.value(name) else {
            throw RemoteCommands.Problem(
                reason: "there is no property \(DisplayText.singleLine(name, limit: 40))"
                    + ConfigError.suggestion(for: name, among: RemoteProperties.names))
        }
        return value
    }

    /// A command of the person's is on its way to the engine: what of it is worth remembering.
    func note(_ command: PlayerCommand) {
        if case .setVolume(let volume) = command { memory.choose(volume: volume) }
    }

    /// Keeps what there is to keep and lets everything go; that takes milliseconds, and with a disk that is asleep a second.
    func close() {
        server?.tell("quit")
        desktop.close()
        memory.close()
        server?.stop(within: .milliseconds(100))
    }
}
