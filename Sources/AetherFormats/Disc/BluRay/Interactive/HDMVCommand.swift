/// A command of a Blu-ray disc (HDMV): twelve bytes, which name what is done and two operands, each a number or a register. Every twelve bytes are a
/// command; what means nothing does nothing. Pure.
public struct HDMVCommand: Sendable, Equatable {
    /// The action of a command.
    enum Action: Sendable, Equatable {
        case branch(Branch)
        /// The next command is left out where it does not hold.
        case compare(Comparison)
        case set(Change)
        case system(Setting)
        case none
    }

    /// The commands that lead elsewhere.
    enum Branch: Int, Sendable {
        case goto = 0x01, `break`
        case jumpObject = 0x10, jumpTitle, callObject, callTitle, resume
        case play = 0x20, playItem, playMark, terminate, linkItem, linkMark
    }

    /// Comparisons of the first operand with the second, as numbers of 32 bits without a sign.
    enum Comparison: Int, Sendable {
        /// All bits of the first are in the second.
        case bitsWithin = 1
        case equals, differs, isAtLeast, isAbove, isAtMost, isBelow
    }

    /// Changes of the register that the first operand is.
    enum Change: Int, Sendable {
        case move = 1, swap, add, subtract, multiply, divide, remainder, random, and, or, exclusiveOr, setBit, clearBit, shiftLeft
        case shiftRight
    }

    /// Settings of the player and its menu.
    enum Setting: Int, Sendable {
        case streams = 1, timer, page, enableButton, disableButton, secondaryStreams, popUpOff, stillOn, stillOff, outputMode
    }

    /// Bytes of one.
    public static let size = 12
    private let head: UInt32
    /// The operands as they stand in the command.
    let first, second: UInt32

    /// A command by its three numbers.
    public init(_ head: UInt32, _ first: UInt32 = 0, _ second: UInt32 = 0) {
        (self.head, self.first, self.second) = (head, first, second)
    }

    init(_ bytes: DiscBytes, at place: Int) throws(DiscFault) {
        head = UInt32(truncatingIfNeeded: try bytes.long(place))
        first = UInt32(truncatingIfNeeded: try bytes.long(place + 4))
        second = UInt32(truncatingIfNeeded: try bytes.long(place + 8))
    }

    private func field(_ shift: UInt32, _ width: UInt32) -> Int { Int(head >> shift & (1 << width - 1)) }

    /// How many of the operands count.
    var operandCount: Int { field(29, 3) }
    /// The operand is the number itself, and no register.
    var isFirstNumber: Bool { field(23, 1) == 1 }
    /// The same of the second one.
    var isSecondNumber: Bool { field(22, 1) == 1 }

    /// The action that its bits name.
    var action: Action {
        let kind = field(24, 3)
        switch field(27, 2) {
        case 0: return Branch(rawValue: kind << 4 | field(16, 4)).map { .branch($0) } ?? .none
        case 1: return Comparison(rawValue: field(8, 4)).map { .compare($0) } ?? .none
        case 2 where kind == 0: return Change(rawValue: field(0, 5)).map { .set($0) } ?? .none
        case 2 where kind == 1: return Setting(rawValue: field(0, 5)).map { .system($0) } ?? .none
        default: return .none
        }
    }

    /// The playlist that it plays, where it says so by a number of its own.
    var statedPlaylist: Int? {
        guard case .branch(let branch) = action, [.play, .playItem, .playMark].contains(branch), isFirstNumber, first <= 99_999
        else { return nil }
        return Int(first)
    }

    /// The list of commands that it goes over to, where it says so by a number of its own.
    var statedObject: Int? {
        guard case .branch(let branch) = action, [.jumpObject, .callObject].contains(branch), isFirstNumber else { return nil }
        return Int(first)
    }
}
