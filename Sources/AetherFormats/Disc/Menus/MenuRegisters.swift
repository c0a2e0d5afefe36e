/// The registers of a DVD's machine, 16 bits each: sixteen for the disc's own use, of which each may count seconds, and the player's. Pure.
public struct MenuRegisters: Sendable, Equatable {
    /// The player's registers that are spoken of by name.
    enum Own: Int { case language, audio, subtitles, angle, title, titleOfSet, chain, part, button, timer, timerChain }

    private var general: [Int]
    private var isCounter: [Bool]
    private var own: [Int]
    /// Seconds of which the counters know.
    private var seconds = 0
    /// The numbers that `random` gives go on from here.
    private var seed: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The registers of a player that was just switched on, for a person who reads a language: two letters.
    public init(language: String = "en") {
        general = [Int](repeating: 0, count: 16)
        isCounter = [Bool](repeating: false, count: 16)
        own = [Int](repeating: 0, count: 24)
        let letters = language.utf8.count == 2 ? language.lowercased() : "en"
        let code = letters.utf8.reduce(0) { $0 << 8 | Int($1) }
        (own[0], own[1], own[2], own[3], own[7], own[8]) = (code, 15, 62, 1, 1, 1 << 10)
        // No parental level is set; a wide screen; AC-3; region 1, since the discs that ask for one are made for that.
        (own[13], own[14], own[15], own[16], own[18], own[20]) = (15, 0x0C00, 0x4000, code, code, 1)
    }

    subscript(_ register: Own) -> Int {
        get { own[register.rawValue] }
        set { own[register.rawValue] = newValue & 0xFFFF }
    }

    /// A general register from 0 on, or one of the player's from 128 on; others are zero.
    subscript(code: Int) -> Int {
        get {
            if code & 0x80 != 0 { return own.indices.contains(code & 0x1F) ? own[code & 0x1F] : 0 }
            let value = general[code & 15]
            return isCounter[code & 15] ? (value + seconds) & 0xFFFF : value
        }
        set {
            guard code & 0x80 == 0 else { return }
            general[code & 15] = (isCounter[code & 15] ? newValue - seconds : newValue) & 0xFFFF
        }
    }

    mutating func set(counter register: Int, to value: Int, counts: Bool) {
        isCounter[register & 15] = counts
        self[register & 15] = value
    }

    /// So many seconds have passed since the machine was made.
    mutating func advance(to seconds: Int) { self.seconds = max(self.seconds, seconds & 0xFFFF) }

    /// A number from 1 to a limit.
    mutating func random(upTo limit: Int) -> Int {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return limit < 1 ? 0 : Int(seed >> 33) % limit + 1
    }

    func value(of operand: MenuCommand.Operand) -> Int {
        switch operand {
        case .number(let number): number
        case .register(let register): self[register]
        }
    }

    func holds(_ comparison: MenuCommand.Comparison?) -> Bool {
        guard let comparison else { return true }
        let left = value(of: comparison.left), right = value(of: comparison.right)
        return switch comparison.operator {
        case .sharesBits: left & right != 0
        case .equals: left == right
        case .differs: left != right
        case .isAtLeast: left >= right
        case .isAbove: left > right
        case .isAtMost: left <= right
        case .isBelow: left < right
        }
    }

    mutating func apply(_ setting: MenuSetting) {
        switch setting {
        case .general(let register, let change, let operand, let other):
            if change == .swap {
                let value = self[other]
                self[other] = self[register]
                return self[register] = value
            }
            self[register] = result(of: change, self[register], value(of: operand))
        case .streams(let audio, let subtitles, let angle):
            if let audio { self[.audio] = value(of: audio) }
            if let subtitles { self[.subtitles] = value(of: subtitles) }
            if let angle { self[.angle] = value(of: angle) }
        case .timer(let operand, let chain):
            self[.timer] = value(of: operand)
            self[.timerChain] = chain
        case .counter(let register, let operand, let counts): set(counter: register, to: value(of: operand), counts: counts)
        case .karaoke(let operand): own[11] = value(of: operand)
        case .button(let operand): self[.button] = value(of: operand)
        }
    }

    private mutating func result(of change: MenuSetting.Operator, _ left: Int, _ right: Int) -> Int {
        switch change {
        case .move, .swap: right
        case .add: min(left + right, 0xFFFF)
        case .subtract: max(left - right, 0)
        case .multiply: min(left * right, 0xFFFF)
        case .divide: right == 0 ? 0xFFFF : left / right
        case .remainder: right == 0 ? 0xFFFF : left % right
        case .random: random(upTo: right)
        case .and: left & right
        case .or: left | right
        case .exclusiveOr: left ^ right
        }
    }
}
