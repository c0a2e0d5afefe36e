/// A change of registers by a command of a DVD. Pure.
enum MenuSetting: Sendable, Equatable {
    /// The ways in which a register is changed.
    enum Operator: Int, Sendable { case move = 1, swap, add, subtract, multiply, divide, remainder, random, and, or, exclusiveOr }

    case general(register: Int, Operator, MenuCommand.Operand, other: Int)
    /// Audio, subtitles and angle, those that are named.
    case streams(audio: MenuCommand.Operand?, subtitles: MenuCommand.Operand?, angle: MenuCommand.Operand?)
    /// A chain that is gone to after so many seconds.
    case timer(MenuCommand.Operand, chain: Int)
    /// A register as a value or as a counter of seconds.
    case counter(register: Int, MenuCommand.Operand, counts: Bool)
    case karaoke(MenuCommand.Operand)
    /// The selected button, in the upper six bits.
    case button(MenuCommand.Operand)

    init?(general fields: CommandFields, register: Int, other: Int, operand: Int) {
        guard let change = Operator(rawValue: fields[59, 4]) else { return nil }
        self = .general(
            register: fields[register, 4], change, fields.operand(fields[60, 1], operand), other: fields[other, 4])
    }

    init?(system fields: CommandFields) {
        let isNumber = fields[60, 1]
        func stream(_ highest: Int) -> MenuCommand.Operand? {
            guard fields[highest, 1] == 1 else { return nil }
            return isNumber == 1 ? .number(fields[highest - 1, 7]) : .register(fields[highest - 4, 4])
        }
        switch fields[59, 4] {
        case 1: self = .streams(audio: stream(39), subtitles: stream(31), angle: stream(23))
        case 2: self = .timer(fields.operand(isNumber, 47), chain: fields[30, 15])
        case 3:
            self = .counter(register: fields[19, 4], fields.operand(isNumber, 47), counts: fields[23, 1] == 1)
        case 4: self = .karaoke(fields.operand(isNumber, 31))
        case 6: self = .button(fields.operand(isNumber, 31))
        default: return nil
        }
    }
}
