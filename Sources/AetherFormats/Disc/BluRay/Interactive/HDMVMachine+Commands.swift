/// The commands as they are carried out, and the ways between lists of them.
extension HDMVMachine {
    /// The number that commands have for the disc's beginning.
    static let firstTitle = 0xFFFF
    private static let timerLimit: UInt32 = 300

    /// The way on from a command.
    private enum Way {
        case next, skip
        case line(Int)
        case end
        case place(Place)
        case turn(Turn)
    }

    // MARK: - Lists

    /// Carries out a list from a place on, and those that it goes over to.
    mutating func run(_ start: Place) -> Turn {
        var place = start
        while budget > 0 {
            guard objects.indices.contains(place.object) else { return stop(.damaged("list of commands")) }
            let commands = objects[place.object].commands
            guard commands.indices.contains(place.line) else { return stop(nil) }
            budget -= 1
            switch carryOut(commands[place.line], at: place) {
            case .next: place.line += 1
            case .skip: place.line += 2
            case .line(let line): place.line = line
            case .end: return stop(nil)
            case .place(let other): place = other
            case .turn(let turn): return turn
            }
        }
        return stop(.endless)
    }

    /// Carries out the commands of a button.
    mutating func run(button commands: [HDMVCommand]) -> Turn {
        var line = 0
        while budget > 0, commands.indices.contains(line) {
            budget -= 1
            switch carryOut(commands[line], at: nil) {
            case .next: line += 1
            case .skip: line += 2
            case .line(let next): line = next
            case .end: budget = 0
            case .place(let place): return run(place)
            case .turn(let turn): return turn
            }
        }
        defer { point = nil }
        return point.map { .seek($0) } ?? .stay
    }

    private mutating func stop(_ fault: DiscFault?) -> Turn {
        (playing, passage) = (nil, nil)
        return .stop(fault)
    }

    /// One command. `place`: nil for a button's.
    private mutating func carryOut(_ command: HDMVCommand, at place: Place?) -> Way {
        let (first, second) = operands(of: command)
        switch command.action {
        case .none: return .next
        case .branch(let branch): return follow(branch, first, second, at: place)
        case .compare(let comparison): return Self.holds(comparison, first, second) ? .next : .skip
        case .set(let change):
            // A setting without a register to go to is not carried out.
            guard !command.isFirstNumber, command.operandCount > 1 else { return .next }
            let (value, other) = registers.result(change, first, second)
            registers.set(command.first, to: value)
            if other != second, !command.isSecondNumber { registers.set(command.second, to: other) }
            return .next
        case .system(let setting): return apply(setting, first, second, isButton: place == nil)
        }
    }

    private func operands(of command: HDMVCommand) -> (UInt32, UInt32) {
        func value(_ operand: UInt32, isNumber: Bool, isThere: Bool) -> UInt32 {
            guard isThere, !isNumber else { return isThere ? operand : 0 }
            switch command.action {
            // Two registers in one operand, each with bits of its own above.
            case .system(.streams), .system(.secondaryStreams):
                let low = registers[operand & 0xFFF] & 0xFFF, high = registers[operand >> 16 & 0xFFF] & 0xFFF
                return operand & 0xF000_F000 | high << 16 | low
            case .system(.page): return operand & 0xC000_0000 | registers[operand & 0xFFF] & 0x3FFF_FFFF
            default: return registers[operand]
            }
        }
        return (
            value(command.first, isNumber: command.isFirstNumber, isThere: command.operandCount > 0),
            value(command.second, isNumber: command.isSecondNumber, isThere: command.operandCount > 1)
        )
    }

    private static func holds(_ comparison: HDMVCommand.Comparison, _ first: UInt32, _ second: UInt32) -> Bool {
        switch comparison {
        case .bitsWithin: first & ~second == 0
        case .equals: first == second
        case .differs: first != second
        case .isAtLeast: first >= second
        case .isAbove: first > second
        case .isAtMost: first <= second
        case .isBelow: first < second
        }
    }

    // MARK: - Branches

    private mutating func follow(_ branch: HDMVCommand.Branch, _ first: UInt32, _ second: UInt32, at place: Place?) -> Way {
        let number = Int(first)
        switch branch {
        case .goto: return .line(number)
        case .break: return .end
        case .jumpObject:
            guard objects.indices.contains(number) else { return .next }
            (playing, passage) = (nil, nil)
            return .place(Place(object: number, line: 0))
        case .callObject:
            guard objects.indices.contains(number) else { return .next }
            suspend(place ?? playing)
            return .place(Place(object: number, line: 0))
        case .jumpTitle:
            guard index.program(ofTitle: number) != .none else { return .next }
            forget()
            return way(toTitle: number)
        case .callTitle:
            guard index.program(ofTitle: number) != .none else { return .next }
            suspend(place ?? playing)
            return way(toTitle: number)
        case .resume: return wayBack() ?? .next
        case .play: return play(number, .beginning, at: place)
        case .playItem: return play(number, .item(Int(second)), at: place)
        case .playMark: return play(number, .mark(Int(second)), at: place)
        case .terminate:
            guard place == nil else { return .next }
            guard let place = playing else { return .turn(stop(nil)) }
            (playing, passage) = (nil, nil)
            return .place(place)
        case .linkItem, .linkMark:
            if place == nil { point = branch == .linkItem ? .item(number) : .mark(number) }
            return .next
        }
    }

    /// A button plays no other playlist than the one that it lies over.
    private mutating func play(_ playlist: Int, _ start: HDMVPassage.Start, at place: Place?) -> Way {
        guard let place, playlist <= 99_999 else { return .next }
        playing = Place(object: place.object, line: place.line + 1)
        let passage = HDMVPassage(playlist: playlist, start: start, title: Int(registers[.title]))
        self.passage = passage
        registers[.playlist] = UInt32(playlist)
        registers[.item] = if case .item(let item) = start { UInt32(clamping: item) } else { 0 }
        return .turn(.play(passage))
    }

    /// Begins the commands of a title.
    mutating func enter(title: Int) -> Turn { turn(way(toTitle: title)) }

    private mutating func way(toTitle title: Int) -> Way {
        switch index.program(ofTitle: title) {
        case .movieObject(let object):
            (playing, passage) = (nil, nil)
            registers[.title] = UInt32(clamping: title)
            return .place(Place(object: object, line: 0))
        case .java: return .turn(stop(.java))
        case .none: return .turn(stop(.noMenu))
        }
    }

    private mutating func turn(_ way: Way) -> Turn {
        switch way {
        case .place(let place): run(place)
        case .turn(let turn): turn
        case .next, .skip, .line, .end: .stay
        }
    }

    // MARK: - Calls

    /// Keeps what plays, for a call. `place` is where its list goes on behind the playlist, or the command that calls.
    mutating func suspend(_ place: Place?) {
        registers.keep()
        suspension = place.map { Suspension(place: $0, passage: passage) }
        // An adopted playlist has no list, and is gone back to all the same.
        if place == nil, let passage { suspension = Suspension(place: Place(object: objects.count, line: 0), passage: passage) }
        (playing, passage) = (nil, nil)
    }

    /// Nothing is left to go back to.
    mutating func forget() {
        (suspension, playing, passage) = (nil, nil, nil)
        registers.forgetKept()
    }

    /// Goes back to what a call has left.
    mutating func takeSuspension() -> Turn { turn(wayBack() ?? .next) }

    /// To the playlist where one was played, else behind the command that called; nil where nothing was left.
    private mutating func wayBack() -> Way? {
        guard let kept = suspension else { return nil }
        suspension = nil
        registers.bringBack()
        guard let passage = kept.passage else { return .place(Place(object: kept.place.object, line: kept.place.line + 1)) }
        playing = objects.indices.contains(kept.place.object) ? kept.place : nil
        self.passage = passage
        wish = (Int(registers[.page]), Int(registers[.button]))
        return .turn(.resume(passage))
    }

    // MARK: - Settings

    private mutating func apply(_ setting: HDMVCommand.Setting, _ first: UInt32, _ second: UInt32, isButton: Bool) -> Way {
        switch setting {
        case .streams: registers.setStreams(first, second)
        case .secondaryStreams: registers.setSecondaryStreams(first, second)
        case .timer:
            let object = Int(first & 0xFFFF), length = second & 0xFFFF
            guard length > 0, length <= Self.timerLimit, objects.indices.contains(object) else {
                if length == 0 { (timer, registers[.timer]) = (nil, 0) }
                return .next
            }
            timer = (seconds + Int(length), object)
            registers[.timer] = length
        case .page:
            let button = first >> 31 == 1 ? first & 0xFFFF : nil, page = second >> 31 == 1 ? second & 0xFF : nil
            guard isButton else {
                if let button { (registers[.button], wish.button) = (button, Int(button)) }
                if let page { (registers[.page], wish.page) = (page, Int(page)) }
                return .next
            }
            give(.show(page: page.map { Int($0) }, button: button.map { Int($0) }))
            // The commands of a button end with its page.
            return .end
        case .enableButton: if isButton { give(.enable(Int(first & 0xFFFF))) }
        case .disableButton: if isButton { give(.disable(Int(first & 0xFFFF))) }
        case .popUpOff: if isButton { give(.popUpOff) }
        case .stillOn: if isButton { give(.still(true)) }
        case .stillOff: if isButton { give(.still(false)) }
        // This player shows no video of two views.
        case .outputMode: break
        }
        return .next
    }

    private mutating func give(_ order: PageOrder) {
        if orders.count < Self.orderLimit { orders.append(order) }
    }
}
