/// The machine of a DVD's menus: it carries the disc's commands out and says what is played next. It knows no clock and reads no bytes; each turn
/// ends after a bounded number of commands, whatever the disc says. Pure.
public struct MenuMachine: Sendable {
    /// The outcome of a turn.
    public enum Turn: Sendable, Equatable {
        /// A passage from its start on.
        case play(DiscPassage)
        /// The passage that was left, where it was left.
        case resume(DiscPassage)
        /// The passage goes on.
        case stay
        /// Playing ends: with a fault where the disc leads nowhere.
        case stop(DiscFault?)
    }

    /// A title that was left for a menu.
    private struct Resumption {
        let space: DiscPassage.Space
        let chain, cell: Int
        let registers: [MenuRegisters.Own: Int]
    }

    /// The next step of a turn.
    enum Step {
        case chain(Int, DiscPassage.Space, program: Int)
        case cell(Int)
        case tail
        case resume
        case stop(DiscFault?)
    }

    /// The registers, of which the player sets its own.
    public internal(set) var registers: MenuRegisters
    /// The passage that is played; nil before the first.
    public private(set) var passage: DiscPassage?
    let tables: any DiscTables
    private(set) var space = DiscPassage.Space.firstPlay
    /// The number of the chain and the chain itself.
    private(set) var number = 0
    private(set) var chain = ProgramChain()
    /// The cell that is played, by its place in the chain.
    private(set) var cell = 0
    /// The title set of the chain, or of the one before.
    private(set) var set = 1
    private var resumption: Resumption?
    /// Commands that are left of this turn.
    private var budget = 0
    /// Real menus take some dozen. Two thousand are carried out in a millisecond.
    private static let commandLimit = 2000
    private static let stepLimit = 200

    /// The machine of a disc, for a person who reads a language: two letters.
    public init(tables: any DiscTables, language: String = "en") {
        (self.tables, registers) = (tables, MenuRegisters(language: language))
    }

    // MARK: - Turns

    /// Begins the disc as it says.
    public mutating func begin() -> Turn {
        tables.firstPlay == nil ? turn(menuStep(.title, in: .manager) ?? titleStep(1)) : turn(.chain(0, .firstPlay, program: 1))
    }

    /// Plays a title from its start.
    public mutating func play(title: Int) -> Turn { turn(titleStep(title)) }

    /// The passage has ended, and its last frame has stayed as long as it is to.
    public mutating func passageEnded() -> Turn {
        guard let passage else { return .stop(nil) }
        let last = passage.cells.last { chain.cells.indices.contains($0) && isPlayed(chain.cells[$0]) } ?? cell
        cell = last
        budget = Self.commandLimit
        let command = chain.cells.indices.contains(last) ? chain.cells[last].command : 0
        if chain.ofCells.indices.contains(command - 1), let target = run([chain.ofCells[command - 1]]) {
            return step(for: target).map { turn($0, budget: budget) } ?? .stay
        }
        return turn(.cell(passage.cells.upperBound), budget: budget)
    }

    /// Carries out the command of a button while a cell is played.
    public mutating func perform(_ command: MenuCommand, at cell: Int) -> Turn {
        self.cell = cell
        budget = Self.commandLimit
        guard let target = run([command]), let step = step(for: target) else { return .stay }
        return turn(step, budget: budget)
    }

    /// Goes to a kind of menu from a cell; nil where the disc has none. A title that is left can be resumed.
    public mutating func menu(_ kind: MenuTable.Kind, from cell: Int) -> Turn? {
        self.cell = cell
        let candidates: [(MenuTable.Kind, DiscPassage.Space)] =
            kind == .title
            ? [(.title, .manager), (.root, .menus(set: set))]
            : [(kind, .menus(set: set)), (.root, .menus(set: set)), (.title, .manager)]
        for (kind, space) in candidates {
            guard let step = menuStep(kind, in: space) else { continue }
            leave(returningTo: 0)
            return turn(step)
        }
        return nil
    }

    /// Goes to what lies above the present chain; nil where nothing does.
    public mutating func goUp(from cell: Int) -> Turn? {
        self.cell = cell
        if chain.upper != 0, space != .firstPlay {
            leave(returningTo: 0)
            return turn(.chain(chain.upper, space, program: 1))
        }
        switch space {
        case .firstPlay: return nil
        case .titles: return menu(.root, from: cell)
        case .menus, .manager:
            guard let step = menuStep(.title, in: .manager) ?? menuStep(.root, in: .menus(set: set)) else { return nil }
            if case .chain(let found, let place, _) = step, found == number, place == space { return nil }
            return turn(step)
        }
    }

    /// Goes back to the title that was left for a menu; nil where none was.
    public mutating func resume() -> Turn? { resumption == nil || !space.isMenu ? nil : turn(.resume) }

    /// A title is played already: from here on it is the machine's, without the commands before it.
    public mutating func adopt(title: Int, cell: Int) {
        guard case .chain(let number, let space, _) = titleStep(title), let chain = tables.chain(number, in: space, language: 0)
        else {
            return
        }
        enter(chain, number, space)
        self.cell = cell
        passage = passage(from: min(cell, max(0, chain.cells.count - 1)))
    }

    /// The number of the selected button, from 1.
    public var button: Int {
        get { registers[.button] >> 10 }
        set { registers[.button] = min(max(newValue, 1), 36) << 10 }
    }

    /// So many seconds have passed, for the counters.
    public mutating func advance(to seconds: Int) { registers.advance(to: seconds) }

    // MARK: - Steps

    private mutating func turn(_ first: Step) -> Turn {
        budget = Self.commandLimit
        return turn(first, budget: budget)
    }

    /// The passage stays the machine's where a turn changes nothing, and is nobody's where all is over.
    private mutating func turn(_ first: Step, budget: Int) -> Turn {
        let former = self
        self.budget = budget
        let turn = walk(first)
        switch turn {
        case .play, .resume: break
        case .stay:
            let registers = registers
            self = former
            self.registers = registers
        case .stop: passage = nil
        }
        return turn
    }

    private mutating func walk(_ first: Step) -> Turn {
        var step = first
        for _ in 0..<Self.stepLimit {
            guard self.budget > 0 else { return .stop(.endless) }
            switch step {
            case .chain(let number, let space, let program):
                guard let chain = tables.chain(number, in: space, language: registers[.language]) else {
                    return .stop(.damaged("list of programmes"))
                }
                enter(chain, number, space)
                let first = chain.programs.indices.contains(program - 1) ? chain.programs[program - 1] : 0
                step = run(chain.before).flatMap { self.step(for: $0) } ?? .cell(first)
            case .cell(let index):
                if index >= chain.cells.count {
                    step = .tail
                    continue
                }
                cell = max(0, index)
                let passage = passage(from: cell)
                self.passage = passage
                return .play(passage)
            case .tail:
                let target = run(chain.behind).flatMap { self.step(for: $0) }
                step = target ?? (chain.next == 0 ? .stop(nil) : .chain(chain.next, space, program: 1))
            case .resume:
                guard let passage = takeResumption() else { return .stay }
                return .resume(passage)
            case .stop(let fault): return .stop(fault)
            }
        }
        return .stop(.endless)
    }

    private mutating func enter(_ chain: ProgramChain, _ number: Int, _ space: DiscPassage.Space) {
        (self.chain, self.number, self.space, cell) = (chain, number, space, 0)
        switch space {
        case .firstPlay, .manager: break
        case .menus(let set): self.set = set
        case .titles(let set):
            self.set = set
            registers[.chain] = number
            if let title = tables.title(ofChain: number, set: set) {
                registers[.titleOfSet] = title
                if let whole = tables.title(title, ofSet: set) { registers[.title] = whole }
            }
        }
    }

    /// Remembers the title that is left.
    mutating func leave(returningTo wanted: Int) {
        guard case .titles = space else { return }
        let kept: [MenuRegisters.Own] = [.title, .titleOfSet, .chain, .part, .button]
        resumption = Resumption(
            space: space, chain: number, cell: wanted > 0 ? wanted - 1 : cell,
            registers: Dictionary(uniqueKeysWithValues: kept.map { ($0, registers[$0]) }))
    }

    private mutating func takeResumption() -> DiscPassage? {
        guard let kept = resumption, let chain = tables.chain(kept.chain, in: kept.space, language: 0), !chain.cells.isEmpty
        else {
            return nil
        }
        resumption = nil
        enter(chain, kept.chain, kept.space)
        for (register, value) in kept.registers { registers[register] = value }
        cell = min(kept.cell, chain.cells.count - 1)
        passage = passage(from: cell)
        return passage
    }

    // MARK: - Commands

    /// Carries out a list until a command leads elsewhere; nil where it ends.
    private mutating func run(_ commands: [MenuCommand]) -> MenuTarget? {
        var line = 0
        while commands.indices.contains(line), budget > 0 {
            budget -= 1
            let command = commands[line]
            line += 1
            if command.order == .setsFirst, let setting = command.setting { registers.apply(setting) }
            let holds = registers.holds(command.comparison)
            if command.order != .setsFirst, holds, let setting = command.setting { registers.apply(setting) }
            guard holds || command.order == .goesAnyway, let target = command.target else { continue }
            switch target {
            case .line(let next): line = next - 1
            case .end: return nil
            case .step(.none, let button):
                select(button)
                return nil
            default: return target
            }
        }
        return nil
    }

    func isPlayed(_ cell: DiscCell) -> Bool { cell.angle == 0 || cell.angle == max(1, registers[.angle]) }

    mutating func select(_ button: Int) { if button != 0 { self.button = button } }
}
