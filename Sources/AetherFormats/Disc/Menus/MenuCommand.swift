/// A command of a DVD: eight bytes, taken apart into what it compares, what it sets and where it goes. Every eight bytes are a command; what means
/// nothing does nothing. Pure.
public struct MenuCommand: Sendable, Equatable {
    /// The order of the three parts.
    enum Order: Sendable, Equatable {
        /// All where the comparison holds.
        case guarded
        /// The setting always, the going where the comparison holds.
        case setsFirst
        /// The setting where the comparison holds, the going always.
        case goesAnyway
    }

    /// A register, or a number in the command itself.
    enum Operand: Sendable, Equatable {
        case number(Int)
        /// 0 … 15: general; from 128 on: the player's.
        case register(Int)
    }

    /// A comparison of two values of 16 bits.
    struct Comparison: Sendable, Equatable {
        enum Operator: Int, Sendable { case sharesBits = 1, equals, differs, isAtLeast, isAbove, isAtMost, isBelow }
        let left, right: Operand
        let `operator`: Operator
    }

    let comparison: Comparison?
    let setting: MenuSetting?
    let target: MenuTarget?
    let order: Order
    private let bits: UInt64

    /// Reads the eight bytes of a command; those that are missing are zeros.
    public init(_ bytes: some Collection<UInt8>) {
        let head = Array(bytes.prefix(8)) + [UInt8](repeating: 0, count: max(0, 8 - bytes.count))
        self.init(bits: head.reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Reads a command as one number, its first byte on top.
    public init(bits: UInt64) {
        self.bits = bits
        let fields = CommandFields(bits)
        let kind = fields[63, 3]
        switch kind {
        case 0:
            comparison = fields.comparison(left: fields[39, 8], right: fields.operand(fields[55, 1], 31))
            (setting, target, order) = (nil, MenuTarget(line: fields), .guarded)
        case 1:
            if fields[60, 1] == 1 {
                comparison = fields.comparison(left: fields[15, 8], right: .register(fields.register(7)))
                target = MenuTarget(jump: fields)
            } else {
                comparison = fields.comparison(left: fields[39, 8], right: fields.operand(fields[55, 1], 31))
                target = MenuTarget(link: fields)
            }
            (setting, order) = (nil, .guarded)
        case 2:
            comparison = fields.comparison(left: fields[15, 8], right: .register(fields.register(7)))
            (setting, target, order) = (MenuSetting(system: fields), MenuTarget(link: fields), .guarded)
        case 3:
            comparison = fields.comparison(left: fields[47, 8], right: fields.operand(fields[55, 1], 15))
            setting = MenuSetting(general: fields, register: 35, other: 19, operand: 31)
            (target, order) = (MenuTarget(link: fields), .guarded)
        case 4:
            comparison = fields.comparison(left: fields[51, 4], right: fields.operand(fields[55, 1], 31))
            setting = MenuSetting(general: fields, register: 51, other: 35, operand: 47)
            (target, order) = (MenuTarget(step: fields), .setsFirst)
        case 5, 6:
            let isNumber = fields[60, 1] == 1
            comparison =
                isNumber
                ? fields.comparison(left: fields[31, 8], right: .register(fields.register(23)))
                : fields.comparison(left: fields[39, 8], right: fields.operand(fields[55, 1], 31))
            setting = MenuSetting(general: fields, register: 51, other: 35, operand: 47)
            (target, order) = (MenuTarget(step: fields), kind == 5 ? .guarded : .goesAnyway)
        default: (comparison, setting, target, order) = (nil, nil, nil, .guarded)
        }
    }
}

/// The bits of a command, by the number of the highest of a field and its width.
struct CommandFields {
    private let bits: UInt64

    init(_ bits: UInt64) { self.bits = bits }

    subscript(highest: Int, width: Int) -> Int { Int(bits >> UInt64(highest - width + 1) & (1 << UInt64(width) - 1)) }

    /// A register by the eight bits from there on: one of the player's, of 24, or one of sixteen.
    func register(_ highest: Int) -> Int { Self.register(self[highest, 8]) }

    /// The number of 16 bits from there on, or the register that its lower half names.
    func operand(_ isNumber: Int, _ highest: Int) -> MenuCommand.Operand {
        isNumber == 1 ? .number(self[highest, 16]) : .register(register(highest - 8))
    }

    func comparison(left: Int, right: MenuCommand.Operand) -> MenuCommand.Comparison? {
        MenuCommand.Comparison.Operator(rawValue: self[54, 3]).map {
            MenuCommand.Comparison(left: .register(Self.register(left)), right: right, operator: $0)
        }
    }

    private static func register(_ code: Int) -> Int { code & 0x80 != 0 ? 0x80 | code & 0x1F : code & 0x0F }
}
