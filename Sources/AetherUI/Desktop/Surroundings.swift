import AetherCore
import AetherDesktop
import AetherEngine
import AetherLibrary
import AetherOptions
import AetherSources
import AetherTerminal

/// The surroundings of a player: what it remembers, who controls it from outside, and the desktop it runs on. The app tells it what plays and
/// asks it what is wanted. Lives on the main thread; nothing here blocks that longer than 50 ms at the start of a file.
final class Surroundings {
    /// Something that is wanted from outside.
    enum Wish: Equatable {
        case remote(RemoteServer.Incoming)
        case desktop(DesktopRequest)

        /// The client that waits for an answer.
        var client: Int? { if case .remote(let incoming) = self { incoming.client } else { nil } }
    }

    /// Signalled when there may be something to take.
    let wake: WakeHandle
    /// The folders of web servers that were listed.
    let webFolders = WebFolders()
    /// Who the person is on servers.
    let logins: LoginBook
    /// The desktop's keyring.
    let keyring: LoginDesk
    private let memory: Memory
    private let desktop: DesktopPresence
    private let server: RemoteServer?
    /// The person's programs, which end with this.
    private var scripts: [ScriptProgram] = []
    private let settings: Settings
    private let probe: ProbeEnvironment
    private var isFirst = true
    private var pace = ObservationPace()
    private var trials: LoadTrials

    /// Throws where the remote control's socket cannot be made.
    init(
        _ options: PlayerOptions, _ settings: Settings, _ environment: [String: String], logins: LoginBook = LoginBook()
    ) throws(RemoteError) {
        self.settings = settings
        self.logins = logins
        trials = LoadTrials(http: HTTPOptions(options.network))
        probe = ProbeEnvironment(environment)
        let wake = WakeHandle()
        self.wake = wake
        keyring = LoginDesk(wake: wake)
        let greeting = JSON.object([
            "event": .string("hello"), "name": .string("aether-tui"), "version": .string(ProgramVersion.text),
        ])
        let isSteered = options.ipc != nil || !options.face.script.isEmpty
        let socket = options.ipc.map { HomePath.expanded($0) }
        let server = isSteered ? try RemoteServer(path: socket, greeting: greeting, wake: wake) : nil
        self.server = server
        if let server {
            for path in options.face.script { scripts.append(try ScriptProgram(path: HomePath.expanded(path), server: server)) }
        }
        memory = Memory(path: options.noHistory ? nil : HistoryDatabase.path(environment), wake: wake)
        desktop = DesktopPresence(environment, isOnBus: !options.noMpris, wake: wake)
    }

    /// Asks early for what is known of the first file.
    func expect(_ item: Playlist.Item) { memory.expect(item) }

    /// Asks for the files that were played last.
    func expectRecent() { memory.expectRecent() }

    /// The recent files, once; see `Memory.takeRecent`.
    func takeRecent(within patience: TimeSpan = .zero) -> [RecentFile]? { memory.takeRecent(within: patience) }

    /// Asks for the channels that are favourites.
    func expectFavourites() { memory.expectFavourites() }

    /// The favourites, once.
    func takeFavourites() -> [String]? { memory.takeFavourites() }

    /// Remembers a channel as a favourite, or forgets it.
    func keep(favourite key: String, _ isOn: Bool) { memory.keep(favourite: key, isOn) }

    /// The choices for the screen of the last time. Waits for the history as `begin` does.
    func screenChoices() -> ScreenChoices { memory.screenChoices() }

    /// The person has chosen something for the screen.
    func keep(_ choices: ScreenChoices) { memory.keep(choices) }

    /// Another file is going to be opened: its options become what it was left with.
    func begin(_ item: Playlist.Item, _ options: PlayerOptions, _ loading: inout LoadOptions) {
        func isFree(_ name: String) -> Bool { !settings.isSet(name, for: item.location, probe) }
        memory.begin(
            item, &loading,
            wishes: Memory.Wishes(
                resumes: !options.noResume && !options.discMenu, settings: Set(Setting.allCases.filter { isFree($0.rawValue) }),
                audio: options.audioFile.allSatisfy(\.isEmpty), subtitles: options.sub.allSatisfy(\.isEmpty)),
            isFirst: isFirst)
        isFirst = false
        desktop.beginFile()
    }

    /// The engine has gone on to another file by itself.
    func goOn(to item: Playlist.Item) {
        memory.goOn(to: item)
        desktop.beginFile()
    }

    /// Takes the settings of the file before back: they are not the next one's.
    func giveBack(_ loading: inout LoadOptions) { memory.giveBack(&loading) }

    /// Tells the remote clients of a turn in the playing.
    func tell(_ played: PlayedTurn) {
        let number = JSON(played.number)
        switch played.turn {
        case .began: server?.tell("file", ["file": number, "title": .string(played.title)])
        case .ended(nil): server?.tell("end", ["file": number])
        case .ended(let error?), .failed(let error, _):
            server?.tell("error", ["file": number, "text": .string(error.description)])
        }
    }

    /// Tells the remote clients that a key was pressed which one of them has bound.
    func tell(binding name: String) { server?.tell("key", ["name": .string(name)]) }

    /// Takes in how it stands; returns what the engine is to be told.
    func follow(
        _ snapshot: EngineSnapshot, _ playlist: Playlist, title: String, television: Television? = nil, now: HostTime
    ) -> [PlayerCommand] {
        desktop.follow(snapshot, playlist, title: title, now: now)
        if let server {
            publish(
                server, RemoteProperties(snapshot: snapshot, playlist: playlist, title: title, television: television), now: now)
        }
        return memory.follow(snapshot, title: title, now: now)
    }

    private func publish(_ server: RemoteServer, _ properties: RemoteProperties, now: HostTime) {
        let observed = server.observed
        guard !observed.isEmpty else { return }
        server.publish(pace.values(of: properties, observed, now: now))
    }

    /// The next time at which `follow` has something to do, if nothing else happens.
    func nextWake(after now: HostTime) -> HostTime? {
        [memory.nextWake, server.flatMap { pace.nextWake($0.observed, after: now) }].compactMap { $0 }.min()
    }

    /// The deadline of a trial; nil while there is none.
    var trialDeadline: HostTime? { trials.deadline }

    /// Sentences for the person, once.
    func takeNotices() -> [Memory.Notice] { memory.takeNotices() }

    /// The requests, in order; also those that `order` has kept back.
    func takeWishes() -> [Wish] {
        trials.follow(now: SystemTime().now())
        return trials.sort((server?.takeRequests() ?? []).map { .remote($0) } + desktop.takeRequests().map { .desktop($0) })
    }

    /// The order that a wish means; it is answered here. `isPage`: what cannot be opened for that reason may be a page, and is asked about when its
    /// turn comes.
    func order(_ wish: Wish, _ properties: RemoteProperties, isPage: (MediaLocation, MediaError) -> Bool) -> RemoteOrder? {
        if trials.holds(wish) { return nil }
        do throws(RemoteCommands.Problem) {
            let order = try meaning(wish, properties)
            if case .load(let location, .instead)? = order {
                // The new file does not take the place of what plays before it is known to open.
                guard let outcome = trials.outcome(of: logins.completed(location), for: wish, wake: wake) else { return nil }
                if case .fails(let error) = outcome, !isPage(location, error) {
                    throw RemoteCommands.Problem(reason: error.description)
                }
            }
            guard case .remote(let incoming) = wish else {
                if order == .stop { desktop.stop() }
                return order
            }
            if case .get(let name) = incoming.request.verb {
                server?.answer(incoming, .value(try value(name, properties)))
            } else {
                server?.answer(incoming, .done)
            }
            if order == .stop { desktop.stop() }
            if case .observe(_, true) = incoming.request.verb, let server {
                pace.leap()
                publish(server, properties, now: SystemTime().now())
            }
            return order
        } catch {
            guard case .remote(let incoming) = wish else { return .notice(error.reason) }
            server?.answer(incoming, .failure(error.reason))
            return nil
        }
    }

    private func meaning(_ wish: Wish, _ properties: RemoteProperties) throws(RemoteCommands.Problem) -> RemoteOrder? {
        guard case .remote(let incoming) = wish else {
            guard case .desktop(let request) = wish else { return nil }
            return RemoteOrder(request, start: properties.snapshot.startTime)
        }
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
        case .set(let name, let value): order = try properties.order(setting: name, to: value)
        case .get(let name), .observe(let name, true): _ = try value(name, properties)
        case .observe(_, false): break
        }
        if let obstacle = order?.obstacle(in: properties.snapshot) ?? order?.obstacle(in: properties.playlist)
            ?? order?.obstacle(in: properties.television)
        {
            throw RemoteCommands.Problem(reason: obstacle)
        }
        return order
    }

    private func value(_ name: String, _ properties: RemoteProperties) throws(RemoteCommands.Problem) -> JSON {
        guard let value = properties.value(name) else {
            throw RemoteCommands.Problem(
                reason: translated("unknown property \(DisplayText.singleLine(name, limit: 40))")
                    + ConfigError.suggestion(for: name, among: RemoteProperties.names))
        }
        return value
    }

    /// A command of the person's is on its way to the engine: what of it is worth remembering.
    func note(_ command: PlayerCommand) {
        if case .set(.volume(let volume)) = command { memory.choose(volume: volume) }
    }

    /// Keeps what there is to keep and lets everything go; that takes milliseconds, and with a disk that is asleep a second.
    func close() {
        server?.tell("quit")
        scripts = []
        desktop.close()
        memory.close()
        server?.stop(within: .milliseconds(100))
    }
}
