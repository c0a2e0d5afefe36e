/// The place where a command of a DVD leads. Pure.
enum MenuTarget: Sendable, Equatable {
    /// Steps within what is played.
    enum Step: Int, Sendable {
        case none = 0, thisCell = 1, nextCell, formerCell
        case thisProgram = 5, nextProgram, formerProgram
        case thisChain = 9, nextChain, formerChain
        case upperChain = 12, tail
        case resume = 16
    }

    /// Another line of the same list of commands, from 1.
    case line(Int)
    /// The list of commands ends here.
    case end
    case step(Step, button: Int)
    case chain(Int)
    case part(Int, button: Int)
    case program(Int, button: Int)
    case cell(Int, button: Int)
    /// Playing ends.
    case exit
    /// A title by the disc's number.
    case title(Int)
    /// A title by the number in its set, from a chapter on.
    case titleOfSet(Int, part: Int)
    /// Another part of the disc; where it is called, playing can be resumed at that cell, or 0: the present one.
    case space(Space, returnsTo: Int?)

    /// The parts of a disc that have chains.
    enum Space: Sendable, Equatable {
        case firstPlay
        case managerMenu(Int)
        case managerChain(Int)
        /// A menu of a title set; 0: of the present one, and nil: of the title that is played.
        case setMenu(Int, set: Int, title: Int)
    }

    init?(line fields: CommandFields) {
        switch fields[51, 4] {
        case 1, 3: self = .line(fields[7, 8])
        case 2: self = .end
        default: return nil
        }
    }

    init?(step fields: CommandFields) {
        guard let step = Step(rawValue: fields[4, 5]) else { return nil }
        self = .step(step, button: fields[15, 6])
    }

    init?(link fields: CommandFields) {
        let button = fields[15, 6]
        switch fields[51, 4] {
        case 1: self.init(step: fields)
        case 4: self = .chain(fields[14, 15])
        case 5: self = .part(fields[9, 10], button: button)
        case 6: self = .program(fields[6, 7], button: button)
        case 7: self = .cell(fields[7, 8], button: button)
        default: return nil
        }
    }

    init?(jump fields: CommandFields) {
        let menu = fields[19, 4], cell = fields[31, 8]
        switch (fields[51, 4], fields[23, 2]) {
        case (1, _): self = .exit
        case (2, _): self = .title(fields[22, 7])
        case (3, _): self = .titleOfSet(fields[22, 7], part: 0)
        case (5, _): self = .titleOfSet(fields[22, 7], part: fields[41, 10])
        case (6, 0): self = .space(.firstPlay, returnsTo: nil)
        case (6, 1): self = .space(.managerMenu(menu), returnsTo: nil)
        case (6, 2): self = .space(.setMenu(menu, set: fields[31, 8], title: fields[39, 8]), returnsTo: nil)
        case (6, 3): self = .space(.managerChain(fields[46, 15]), returnsTo: nil)
        case (8, 0): self = .space(.firstPlay, returnsTo: cell)
        case (8, 1): self = .space(.managerMenu(menu), returnsTo: cell)
        case (8, 2): self = .space(.setMenu(menu, set: 0, title: 0), returnsTo: cell)
        case (8, 3): self = .space(.managerChain(fields[46, 15]), returnsTo: cell)
        default: return nil
        }
    }
}
