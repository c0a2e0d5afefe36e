/// The places to which the targets of commands lead.
extension MenuMachine {
    /// The step of a target; nil where that leads nowhere.
    mutating func step(for target: MenuTarget) -> Step? {
        switch target {
        case .line, .end: return nil
        case .step(let step, let button):
            select(button)
            return self.step(step)
        case .chain(let number): return .chain(number, space, program: 1)
        case .part(let part, let button):
            select(button)
            return partStep(part, ofTitle: registers[.titleOfSet])
        case .program(let program, let button):
            select(button)
            return chain.programs.indices.contains(program - 1) ? .cell(chain.programs[program - 1]) : nil
        case .cell(let cell, let button):
            select(button)
            return cell > 0 ? .cell(cell - 1) : nil
        case .exit: return .stop(nil)
        case .title(let title): return titleStep(title)
        case .titleOfSet(let title, let part):
            registers[.titleOfSet] = title
            if let whole = tables.title(title, ofSet: set) { registers[.title] = whole }
            return partStep(max(1, part), ofTitle: title)
        case .space(let place, let cell):
            guard let step = step(to: place) else { return .stop(.noMenu) }
            if let cell { leave(returningTo: cell) }
            return step
        }
    }

    private func step(_ step: MenuTarget.Step) -> Step? {
        let program = max(0, chain.programs.lastIndex { $0 <= cell } ?? 0)
        func start(_ program: Int) -> Step? {
            if program >= chain.programs.count { return .tail }
            return program < 0 || chain.programs.isEmpty ? nil : .cell(chain.programs[program])
        }
        func whole(_ number: Int) -> Step? { number == 0 ? nil : .chain(number, space, program: 1) }
        switch step {
        case .none: return nil
        case .thisCell: return .cell(cell)
        case .nextCell: return .cell(cellAfter(cell))
        case .formerCell: return .cell(cellBefore(cell))
        case .thisProgram: return start(program)
        case .nextProgram: return start(program + 1)
        case .formerProgram: return start(program - 1)
        case .thisChain: return .chain(number, space, program: 1)
        case .nextChain: return whole(chain.next)
        case .formerChain: return whole(chain.former)
        case .upperChain: return whole(chain.upper)
        case .tail: return .tail
        case .resume: return .resume
        }
    }

    private mutating func step(to place: MenuTarget.Space) -> Step? {
        switch place {
        case .firstPlay: return tables.firstPlay == nil ? nil : .chain(0, .firstPlay, program: 1)
        case .managerMenu(let kind):
            return MenuTable.Kind(rawValue: kind).flatMap { menuStep($0, in: .manager) } ?? menuStep(.title, in: .manager)
        case .managerChain(let number): return .chain(number, .manager, program: 1)
        case .setMenu(let kind, let wanted, let title):
            let place = DiscPassage.Space.menus(set: wanted == 0 ? set : wanted)
            let found = MenuTable.Kind(rawValue: kind).flatMap { menuStep($0, in: place) } ?? menuStep(.root, in: place)
            if found != nil, title != 0 { registers[.titleOfSet] = title }
            return found
        }
    }

    func menuStep(_ kind: MenuTable.Kind, in space: DiscPassage.Space) -> Step? {
        tables.menu(kind, in: space, language: registers[.language]).map { .chain($0, space, program: 1) }
    }

    mutating func titleStep(_ title: Int) -> Step {
        guard let place = tables.place(ofTitle: title),
            let found = tables.part(1, ofTitle: place.numberInSet, set: place.titleSet)
        else { return .stop(.damaged("list of titles")) }
        (registers[.title], registers[.titleOfSet], registers[.part]) = (title, place.numberInSet, 1)
        return .chain(found.chain, .titles(set: place.titleSet), program: found.program)
    }

    private mutating func partStep(_ part: Int, ofTitle title: Int) -> Step? {
        guard let found = tables.part(part, ofTitle: title, set: set) else { return nil }
        registers[.part] = part
        return .chain(found.chain, .titles(set: set), program: found.program)
    }

    // MARK: - Cells

    /// The first cell of an angle's block and those behind it are one place.
    private func block(of cell: Int) -> Range<Int> {
        guard chain.cells.indices.contains(cell) else { return cell..<cell + 1 }
        var first = cell, end = cell + 1
        while first > 0, chain.cells[first].angle > 1, chain.cells[first - 1].angle == chain.cells[first].angle - 1 { first -= 1 }
        while end < chain.cells.count, chain.cells[end].angle > 1, chain.cells[end].angle == chain.cells[end - 1].angle + 1 {
            end += 1
        }
        return first..<end
    }

    private func cellAfter(_ cell: Int) -> Int { block(of: cell).upperBound }
    private func cellBefore(_ cell: Int) -> Int { block(of: max(0, block(of: cell).lowerBound - 1)).lowerBound }

    /// The cells around one that are played without anything between them: commands and still frames end a passage.
    func passage(from cell: Int) -> DiscPassage {
        var first = 0, end = 0, still = 0
        while end < chain.cells.count {
            let block = block(of: end)
            end = block.upperBound
            let own = chain.cells[block].first { isPlayed($0) } ?? chain.cells[block.lowerBound]
            still = own.still
            guard own.still != 0 || own.command != 0, end < chain.cells.count else { continue }
            if cell < end { break }
            first = end
        }
        if end == chain.cells.count { still = max(still, chain.still) }
        var title: Int?
        if case .titles(let set) = space {
            title = tables.title(ofChain: number, set: set).flatMap { tables.title($0, ofSet: set) } ?? registers[.title]
        }
        return DiscPassage(
            space: space, chain: number, language: space.isMenu ? registers[.language] : 0, title: title, cells: first..<end,
            start: cell, still: still)
    }
}

/// The streams that menus have chosen.
extension MenuMachine {
    /// Audio by its number; nil: not chosen. Subtitles by their number, and whether they are shown; nil: not chosen. The angle, from 1.
    public var streams: (audio: Int?, subtitles: (stream: Int, isShown: Bool)?, angle: Int) {
        let audio = registers[.audio] & 15, subtitles = registers[.subtitles]
        let isUnset = subtitles & 0x3F >= 32 && subtitles & 0x40 == 0
        return (
            audio < 8 ? audio : nil, isUnset ? nil : (subtitles & 0x1F, subtitles & 0x40 != 0 && subtitles & 0x3F < 32),
            max(1, registers[.angle])
        )
    }

    /// A person has chosen other streams than the menus.
    public mutating func note(audio: Int?, subtitles: Int?, areShown: Bool) {
        if let audio { registers[.audio] = audio }
        if let subtitles { registers[.subtitles] = subtitles & 0x3F | (areShown ? 0x40 : 0) }
    }
}
