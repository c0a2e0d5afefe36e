import AetherCore
import AetherDiscs
import AetherFormats

/// The way through the menus of a Blu-ray disc (HDMV): its machine, and where titles were left. Lives in the control task.
struct BluRayNavigator: MenuNavigator {
    let disc: BluRay
    private(set) var machine: HDMVMachine
    /// The menus lead: what ends goes on where they say.
    var leads = false
    /// The title that was left for a menu, and how far it had come.
    private var left: (passage: HDMVPassage, offset: TimeSpan)?
    /// A title that was opened without menus is opened with them, to show the one over it.
    private var wantsPopUp = false
    /// The playlist is played once more.
    private var isRepeated = false
    private let beginning: HostTime
    private static let base = TimeBase(1, 90_000)
    /// Buttons that act at once may lead to others.
    private static let chainLimit = 16

    /// The navigator of a disc; nil where it has no menus. `language`: of any code. The disc is one for itself, which nobody else reads.
    init?(_ disc: BluRay, language: String?, now: HostTime) {
        guard disc.hasMenus else { return nil }
        self.disc = disc
        beginning = now
        machine = HDMVMachine(
            index: disc.index, objects: disc.objects, language: LanguageCode.canonical(language ?? "en"))
    }

    mutating func begin() -> MenuTurn {
        leads = true
        return turn(machine.begin())
    }

    // MARK: - A person

    mutating func obey(_ command: DiscMenuCommand, on board: MenuBoard, at time: MediaTime, now: HostTime) -> MenuTurn? {
        (wantsPopUp, isRepeated) = (false, false)
        if let turn = machine.advance(to: Int((now - beginning).seconds)) { return self.turn(turn) }
        let ticks = Self.base.ticks(at: time)
        note(board, at: ticks)
        switch command {
        case .open: return open(board, at: ticks)
        case .goUp:
            if board.withGraphics({ $0.display.composition.isPopUp && $0.isOpen }) ?? false {
                _ = board.withGraphics { $0.open(false, at: ticks) }
                return .stay
            }
            return menu()
        case .up: return act(on: board, at: ticks) { $0.move(.up, at: ticks) }
        case .down: return act(on: board, at: ticks) { $0.move(.down, at: ticks) }
        case .left: return act(on: board, at: ticks) { $0.move(.left, at: ticks) }
        case .right: return act(on: board, at: ticks) { $0.move(.right, at: ticks) }
        case .activate: return act(on: board, at: ticks) { $0.activate(at: ticks) }
        case .select(let number):
            return act(on: board, at: ticks) { state in
                state.button(number: number).flatMap { state.choose($0, at: ticks) }
            }
        case .choose(let number):
            return act(on: board, at: ticks) { state in
                guard let id = state.button(number: number) else { return nil }
                return state.choose(id, at: ticks) ?? state.activate(at: ticks)
            }
        }
    }

    /// The menu over the title opens and closes; without one, the disc's own does.
    private mutating func open(_ board: MenuBoard, at ticks: Int64) -> MenuTurn? {
        guard let facts = board.facts else {
            guard let passage = machine.passage, let playlist = disc.playlists[passage.playlist], !playlist.graphics.isEmpty
            else { return menu() }
            wantsPopUp = true
            return turn(.resume(passage))
        }
        if board.withGraphics({ $0.display.composition.isPopUp }) ?? false {
            return act(on: board, at: ticks) { $0.open(!$0.isOpen, at: ticks) }
        }
        if facts.isMenu, let back = machine.resume() { return turn(back) }
        return menu()
    }

    private mutating func menu() -> MenuTurn? {
        guard machine.isMenuAllowed else { return nil }
        return machine.menu().map { turn($0) }
    }

    /// A change of the page, and the commands of the button that it activates. nil where there are no buttons.
    private mutating func act(
        on board: MenuBoard, at ticks: Int64, _ change: (inout InteractiveState) -> [HDMVCommand]?
    ) -> MenuTurn? {
        guard let commands = board.withGraphics(change) else { return nil }
        notePage(board)
        return commands.map { perform($0, on: board, at: ticks) } ?? .stay
    }

    private mutating func perform(_ commands: [HDMVCommand], on board: MenuBoard, at ticks: Int64) -> MenuTurn {
        let former = machine, played = machine.passage
        var commands = commands
        for _ in 0..<Self.chainLimit {
            let outcome = machine.perform(commands)
            var next: [HDMVCommand]?
            for order in machine.takeOrders() {
                if case .still(let isWanted) = order { board.setStill(isWanted ? nil : .zero) }
                next = (board.withGraphics { $0.take(order, at: ticks) } ?? nil) ?? next
            }
            notePage(board)
            // A menu that leads to what does not run is no end of it.
            if outcome == .stop(.java) {
                machine = former
                return .refused(.java)
            }
            // A playlist that was left and comes back at once goes on as it does.
            if case .resume(let passage) = outcome, passage == played { return .stay }
            guard case .stay = outcome, let more = next else { return turn(outcome) }
            commands = more
        }
        return .stay
    }

    mutating func timeOut(_ number: Int, on board: MenuBoard, at time: MediaTime, now: HostTime) -> MenuTurn? {
        let ticks = Self.base.ticks(at: time)
        note(board, at: ticks)
        return act(on: board, at: ticks) { $0.timeOut(at: ticks, end: ticks) }
    }

    mutating func pageCame(selected: Int, on board: MenuBoard, at time: MediaTime) -> MenuTurn? {
        let ticks = Self.base.ticks(at: time)
        note(board, at: ticks)
        return act(on: board, at: ticks) { $0.commandsAtOnce(at: ticks) }
    }

    mutating func passageEnded(now: HostTime) -> MenuTurn {
        (wantsPopUp, isRepeated) = (false, false)
        if let turn = machine.advance(to: Int((now - beginning).seconds)) { return self.turn(turn) }
        let played = machine.passage, next = machine.playlistEnded()
        if case .play(let passage) = next, let played { isRepeated = passage.isSame(as: played) }
        return turn(next)
    }

    // MARK: - Registers

    /// The player's word on where it is.
    private mutating func note(_ board: MenuBoard, at ticks: Int64) {
        notePage(board)
        guard let facts = board.facts, let playlist = facts.playlist else { return }
        let starts = playlist.starts, item = starts.lastIndex { $0 <= ticks } ?? 0
        machine.note(
            item: item, time: (playlist.items[item].times.lowerBound + max(0, ticks - starts[item])) / 2,
            chapter: (playlist.chapters.lastIndex { $0 <= ticks } ?? 0) + 1)
        if !facts.isMenu, let passage = machine.passage {
            left = (passage, TimeSpan(nanoseconds: Self.base.nanoseconds(ticks: max(0, ticks))))
        }
    }

    private mutating func notePage(_ board: MenuBoard) {
        if let (page, button) = board.withGraphics({ ($0.page.id, $0.selected) }) { machine.note(page: page, button: button) }
    }

    private func turn(_ turn: HDMVMachine.Turn) -> MenuTurn {
        func place(_ passage: HDMVPassage) -> MenuPassage {
            .bluRay(passage, title: disc.title(ofPlaylist: passage.playlist)?.id)
        }
        switch turn {
        case .play(let passage): return .play(place(passage))
        case .resume(let passage): return .resume(place(passage))
        case .seek(let start):
            let playlist = machine.passage.flatMap { disc.playlists[$0.playlist] }
            return .seek(MediaTime(ticks: playlist?.time(of: start) ?? 0, in: Self.base))
        case .stay: return .stay
        case .stop(let fault): return .stop(fault)
        }
    }

    // MARK: - Titles

    /// The disc's own number of the title whose commands play a playlist; nil where none does.
    private func number(ofPlaylist playlist: Int) -> Int? {
        disc.index.titles.indices.first { index in
            guard case .movieObject(let object) = disc.index.titles[index] else { return false }
            return disc.objects.playlists(from: [object]).contains(playlist)
        }.map { $0 + 1 }
    }

    mutating func play(title: Int) -> MenuTurn? {
        (wantsPopUp, isRepeated) = (false, false)
        guard let found = disc.titles.first(where: { $0.id == title }), let number = number(ofPlaylist: found.number) else {
            return nil
        }
        // The commands of a title may play others before it, or choose among several.
        let next = machine.play(title: number)
        if case .play(let passage) = next, passage.playlist == found.number { return turn(next) }
        let passage = HDMVPassage(playlist: found.number, title: number)
        machine.adopt(passage)
        return turn(.play(passage))
    }

    mutating func leave(_ title: TitleLeft) {
        guard let found = disc.titles.first(where: { $0.id == title.title }) else { return }
        if title.facts == nil, !leads {
            leads = true
            _ = machine.begin()
            // A playlist of no title is taken for one behind the last.
            let number = number(ofPlaylist: found.number) ?? disc.index.titles.count + 1
            machine.adopt(HDMVPassage(playlist: found.number, title: number))
        }
        func place(_ track: TitleLeft.Track?, _ known: [Int: StreamID]?) -> Int? {
            guard let track else { return nil }
            if let known { return known.first { $0.value == track.stream }?.key }
            return track.place.map { $0 + 1 }
        }
        machine.note(
            audio: place(title.audio, title.facts?.audio), subtitles: place(title.subtitles, title.facts?.subtitles),
            areShown: title.subtitles != nil)
        left = machine.passage.map { ($0, title.offset) }
    }

    func point(of passage: MenuPassage) -> TimeSpan? {
        guard let left, case .bluRay(let passage, _) = passage, left.passage.isSame(as: passage) else { return nil }
        return left.offset
    }

    func plan(_ passage: MenuPassage) -> PassagePlan {
        let own = if case .bluRay(let own, _) = passage { own } else { HDMVPassage(playlist: 0) }
        var plan = PassagePlan(place: .bluRay(disc, own), button: machine.wish.button, page: machine.wish.page)
        (plan.keepsPage, plan.opensPopUp) = (isRepeated, wantsPopUp)
        let streams = machine.streams
        (plan.audio, plan.angle) = (streams.audio, streams.angle)
        plan.subtitles = streams.subtitles.map { $0.isShown ? .stream($0.number) : .none }
        plan.graphics = Int(machine.registers[.graphics])
        return plan
    }
}
