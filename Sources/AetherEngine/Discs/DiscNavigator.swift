import AetherCore
import AetherDiscs
import AetherFormats

/// A passage of a disc to be opened, and what was chosen for it.
struct PassagePlan: Sendable {
    let disc: DVD
    let passage: DiscPassage
    /// The button that is selected at first.
    var button = 1
    /// The tracks by the numbers that menus have for them; nil: as without menus.
    var audio: Int?
    /// No number: none.
    var subtitles: SubtitleWish?
    var angle = 1

    enum SubtitleWish: Sendable, Equatable { case none, stream(Int) }
}

/// The way through a disc's menus: its machine, and where titles were left. Lives in the control task.
struct DiscNavigator: Sendable {
    let disc: DVD
    private(set) var machine: MenuMachine
    /// The menus lead: what ends goes on where they say.
    var leads = false
    /// The title that was left for a menu, and how far it had come.
    private var left: (title: Int, passage: DiscPassage, offset: TimeSpan, isWhole: Bool)?
    private let beginning: HostTime

    /// The navigator of a disc; nil where it has no menus. `language`: two letters. The disc is one for itself, which nobody else reads.
    init?(_ disc: DVD, language: String?, now: HostTime) {
        guard disc.tables.hasMenus else { return nil }
        self.disc = disc
        beginning = now
        machine = MenuMachine(tables: disc.tables, language: language ?? "en")
    }

    /// Begins the disc as it says.
    mutating func begin() -> MenuMachine.Turn {
        leads = true
        return machine.begin()
    }

    /// What a person does, while a cell is played at a moment.
    mutating func obey(_ command: DiscMenuCommand, on board: MenuBoard, at time: MediaTime, now: HostTime) -> MenuMachine.Turn? {
        advance(to: now)
        let cell = board.cell(at: time)
        switch command {
        case .open: return machine.passage?.space.isMenu ?? true ? resumeOrRoot(cell) : machine.menu(.root, from: cell)
        case .goUp: return machine.goUp(from: cell)
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
            return acts ? machine.perform(button.command, at: cell) : .stay
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

    /// From a menu back to the title; where none was left, to the first menu.
    private mutating func resumeOrRoot(_ cell: Int) -> MenuMachine.Turn? { machine.resume() ?? machine.menu(.root, from: cell) }

    mutating func passageEnded(now: HostTime) -> MenuMachine.Turn {
        advance(to: now)
        return machine.passageEnded()
    }

    /// A button is activated because time is over.
    mutating func timeOut(_ number: Int, on board: MenuBoard, at time: MediaTime, now: HostTime) -> MenuMachine.Turn? {
        obey(.choose(number), on: board, at: time, now: now)
    }

    /// Other buttons have come, with this one selected.
    mutating func note(selected: Int) { machine.button = selected }

    private mutating func advance(to now: HostTime) { machine.advance(to: Int((now - beginning).seconds)) }

    // MARK: - Titles

    /// A title that was opened without menus is theirs from here on. Its first commands have set what the menus go by.
    mutating func adopt(title: Int, cell: Int) {
        guard !leads else { return }
        leads = true
        _ = machine.begin()
        machine.adopt(title: title, cell: cell)
    }

    /// Plays a title from its start.
    mutating func play(title: Int) -> MenuMachine.Turn { machine.play(title: title) }

    /// A title is left for a menu. `isWhole`: it was opened without menus.
    mutating func leave(title: Int, at offset: TimeSpan, isWhole: Bool) {
        guard let passage = machine.passage, !passage.space.isMenu else { return }
        left = (title, passage, offset, isWhole)
    }

    /// The point at which a title that is gone back to goes on; nil: at the cell of the passage.
    func point(of passage: DiscPassage) -> TimeSpan? {
        guard let left, left.passage.isSame(as: passage) else { return nil }
        return left.offset
    }

    /// The tracks that are played by now, by the numbers that menus have for them.
    mutating func note(audio: Int?, subtitles: Int?, areShown: Bool) {
        machine.note(audio: audio, subtitles: subtitles, areShown: areShown)
    }

    /// The plan of a passage by the machine's registers.
    func plan(_ passage: DiscPassage) -> PassagePlan {
        let streams = machine.streams
        var plan = PassagePlan(disc: disc, passage: passage, button: machine.button)
        plan.audio = streams.audio
        plan.subtitles = streams.subtitles.map { number in number.isShown ? .stream(number.stream) : .none }
        plan.angle = streams.angle
        return plan
    }
}
