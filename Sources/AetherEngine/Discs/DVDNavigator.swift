import AetherCore
import AetherDiscs
import AetherFormats

/// The way through the menus of a DVD: its machine, and where titles were left. Lives in the control task.
struct DVDNavigator: MenuNavigator {
    let disc: DVD
    private(set) var machine: MenuMachine
    /// The menus lead: what ends goes on where they say.
    var leads = false
    /// The title that was left for a menu, and how far it had come.
    private var left: (passage: DiscPassage, offset: TimeSpan)?
    private let beginning: HostTime

    /// The navigator of a disc; nil where it has no menus. `language`: two letters. The disc is one for itself, which nobody else reads.
    init?(_ disc: DVD, language: String?, now: HostTime) {
        guard disc.tables.hasMenus else { return nil }
        self.disc = disc
        beginning = now
        machine = MenuMachine(tables: disc.tables, language: language ?? "en")
    }

    mutating func begin() -> MenuTurn {
        leads = true
        return MenuTurn(machine.begin())
    }

    mutating func obey(_ command: DiscMenuCommand, on board: MenuBoard, at time: MediaTime, now: HostTime) -> MenuTurn? {
        advance(to: now)
        let cell = board.cell(at: time)
        switch command {
        case .open:
            // From a menu back to the title; where none was left, to the first menu.
            let isMenu = machine.passage?.space.isMenu ?? true, back = isMenu ? machine.resume() : nil
            return (back ?? machine.menu(.root, from: cell)).map { MenuTurn($0) }
        case .goUp: return machine.goUp(from: cell).map { MenuTurn($0) }
        case .up, .down, .left, .right, .select, .activate, .choose:
            guard let page = board.page(at: time), let number = button(for: command, on: page, selected: board.selected),
                let button = page.button(number)
            else { return nil }
            machine.button = number
            let acts: Bool
            switch command {
            case .activate, .choose: acts = true
            case .select: acts = false
            default: acts = button.actsAtOnce
            }
            board.select(number, isActivated: acts)
            return acts ? MenuTurn(machine.perform(button.command, at: cell)) : .stay
        }
    }

    private func button(for command: DiscMenuCommand, on page: MenuPage, selected: Int) -> Int? {
        let present = min(max(1, selected), page.buttons.count), button = page.button(present)
        switch command {
        case .up: return button?.up
        case .down: return button?.down
        case .left: return button?.left
        case .right: return button?.right
        case .activate: return present
        case .select(let number), .choose(let number): return number
        case .open, .goUp: return nil
        }
    }

    mutating func passageEnded(now: HostTime) -> MenuTurn {
        advance(to: now)
        return MenuTurn(machine.passageEnded())
    }

    mutating func timeOut(_ number: Int, on board: MenuBoard, at time: MediaTime, now: HostTime) -> MenuTurn? {
        obey(.choose(number), on: board, at: time, now: now)
    }

    mutating func pageCame(selected: Int, on board: MenuBoard, at time: MediaTime) -> MenuTurn? {
        machine.button = selected
        return nil
    }

    private mutating func advance(to now: HostTime) { machine.advance(to: Int((now - beginning).seconds)) }

    // MARK: - Titles

    mutating func play(title: Int) -> MenuTurn? { MenuTurn(machine.play(title: title)) }

    mutating func leave(_ title: TitleLeft) {
        guard let entry = disc.titles.first(where: { $0.id == title.title }) else { return }
        if title.facts == nil { adopt(title: title.title, cell: entry.cell(at: title.offset)) }
        func number(_ track: TitleLeft.Track?, _ entries: [DiscStream], _ known: [Int: StreamID]?) -> Int? {
            guard let track else { return nil }
            if let known { return known.first { $0.value == track.stream }?.key }
            return track.place.flatMap { entries.indices.contains($0) ? entries[$0].number : nil }
        }
        machine.note(
            audio: number(title.audio, entry.audio, title.facts?.audio),
            subtitles: title.subtitles == nil ? 62 : number(title.subtitles, entry.subtitles, title.facts?.subtitles),
            areShown: title.subtitles != nil)
        guard let passage = machine.passage, !passage.space.isMenu else { return }
        left = (passage, title.offset)
    }

    /// A title that was opened without menus is theirs from here on. Its first commands have set what the menus go by.
    private mutating func adopt(title: Int, cell: Int) {
        guard !leads else { return }
        leads = true
        _ = machine.begin()
        machine.adopt(title: title, cell: cell)
    }

    func point(of passage: MenuPassage) -> TimeSpan? {
        guard let left, case .dvd(let passage) = passage, left.passage.isSame(as: passage) else { return nil }
        return left.offset
    }

    func plan(_ passage: MenuPassage) -> PassagePlan {
        let streams = machine.streams
        let own = if case .dvd(let own) = passage { own } else { DiscPassage(space: .firstPlay, chain: 0, cells: 0..<0) }
        var plan = PassagePlan(place: .dvd(disc, own), button: machine.button)
        plan.audio = streams.audio
        plan.subtitles = streams.subtitles.map { number in number.isShown ? .stream(number.stream) : .none }
        plan.angle = streams.angle
        return plan
    }
}

extension MenuTurn {
    init(_ turn: MenuMachine.Turn) {
        switch turn {
        case .play(let passage): self = .play(.dvd(passage))
        case .resume(let passage): self = .resume(.dvd(passage))
        case .stay: self = .stay
        case .stop(let fault): self = .stop(fault)
        }
    }
}

extension DiscTitle {
    /// The cell of a point behind the start, by the disc's word.
    fileprivate func cell(at offset: TimeSpan) -> Int {
        var passed = TimeSpan.zero
        for (index, cell) in cells.enumerated() where cell.angle <= 1 {
            passed = passed + cell.duration
            if offset < passed { return index }
        }
        return max(0, cells.count - 1)
    }
}
