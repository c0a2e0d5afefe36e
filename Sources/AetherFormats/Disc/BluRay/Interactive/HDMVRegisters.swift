/// The registers of a Blu-ray player, 32 bits each: 4096 for the disc's own use, and the player's, of which commands set but a few and never by
/// their numbers. Pure.
public struct HDMVRegisters: Sendable, Equatable {
    /// The player's registers that are spoken of by name.
    public enum Own: Int, Sendable {
        /// The interactive graphics, the audio and the subtitles that are chosen.
        case graphics, audio, subtitles
        /// The angle, from 1.
        case angle
        /// The title: 0 is the menu of the disc, 0xFFFF its beginning.
        case title
        /// The chapter, from 1.
        case chapter
        /// The playlist that is played.
        case playlist
        /// The part of that, from 0.
        case item
        /// The point of that, in ticks of 45 kHz.
        case time
        /// Seconds until the list of commands that a timer names.
        case timer
        /// The selected button of the page; 0xFFFF: none.
        case button
        /// The page of buttons.
        case page
        /// Audio and video that are mixed in.
        case secondary = 14
    }

    /// The registers of the disc's own use.
    public static let generalCount = 4096
    /// Those of the player.
    public static let ownCount = 128
    /// The bit of a register's number that says that it is the player's.
    static let ownFlag: UInt32 = 0x8000_0000
    private var general = [UInt32](repeating: 0, count: generalCount)
    private var own: [UInt32]
    /// The numbers that `random` gives go on from here.
    private var seed: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The player's registers that a call keeps and `resume` brings back, and how far behind them they are kept.
    private static let kept = [4, 5, 6, 7, 8, 10, 11, 12], keptOffset = 32
    /// Settings that a disc may not touch.
    private static let settings = Set([13] + Array(15...21) + Array(23...31) + Array(48...61))

    /// The registers of a player that was just switched on, for a person who reads a language: three letters of ISO 639-2.
    public init(language: String = "eng") {
        var own = [UInt32](repeating: 0, count: Self.ownCount)
        let letters = language.utf8.prefix(3).reduce(0) { $0 << 8 | UInt32($1) }
        // Audio of all formats in all channels, region B, video of 25 frames a second, all letters of texts, profile 2 of version 2.
        let start: [Int: UInt32] = [
            0: 1, 1: 0xFF, 2: 0x0FFF_0FFF, 3: 1, 4: 0xFFFF, 5: 0xFFFF, 10: 0xFFFF, 12: 0xFF, 13: 0xFF, 14: 0xFFFF, 15: 0xAAAA,
            16: letters, 17: letters, 18: letters, 19: 0xFFFF, 20: 2, 29: 3, 30: 0x1_FFFF, 31: 0x0002_0200,
        ]
        for (number, value) in start { own[number] = value }
        for number in 48...61 { own[number] = .max }
        self.own = own
        forgetKept()
    }

    /// A register of the player.
    public subscript(_ register: Own) -> UInt32 {
        get { own[register.rawValue] }
        set { own[register.rawValue] = newValue }
    }

    /// A register by the number that a command has for it; 0 where there is none.
    public subscript(number: UInt32) -> UInt32 {
        let index = Int(number & ~Self.ownFlag)
        if number & Self.ownFlag != 0 { return own.indices.contains(index) ? own[index] : 0 }
        return general.indices.contains(index) ? general[index] : 0
    }

    /// Sets a register by the number that a command has for it. The player's and those that there are not stay as they are.
    mutating func set(_ number: UInt32, to value: UInt32) {
        guard number & Self.ownFlag == 0, general.indices.contains(Int(number)) else { return }
        general[Int(number)] = value
    }

    /// Sets a register of the player by its number, where that is no setting of a person's.
    mutating func set(own number: Int, to value: UInt32) {
        guard own.indices.contains(number), !Self.settings.contains(number) else { return }
        own[number] = value
    }

    // MARK: - Calls

    /// Keeps what a call leaves.
    mutating func keep() { for number in Self.kept { own[number + Self.keptOffset] = own[number] } }

    /// Brings back what a call has left.
    mutating func bringBack() {
        for number in Self.kept { own[number] = own[number + Self.keptOffset] }
        forgetKept()
    }

    /// Nothing is left to go back to.
    mutating func forgetKept() {
        for number in Self.kept {
            own[number + Self.keptOffset] = [4, 5, 10].contains(number) ? 0xFFFF : number == 12 ? 0xFF : 0
        }
    }

    // MARK: - Changes

    /// A change's results: of the first operand, and of the second, which only swapping changes.
    mutating func result(_ change: HDMVCommand.Change, _ first: UInt32, _ second: UInt32) -> (UInt32, UInt32) {
        let value: UInt32
        switch change {
        case .move: value = second
        case .swap: return (second, first)
        case .add:
            let (sum, isOver) = first.addingReportingOverflow(second)
            value = isOver ? .max : sum
        case .subtract: value = first > second ? first - second : 0
        case .multiply:
            let (product, isOver) = first.multipliedReportingOverflow(by: second)
            value = isOver ? .max : product
        case .divide: value = second == 0 ? .max : first / second
        case .remainder: value = second == 0 ? .max : first % second
        case .random: value = second == 0 ? 0 : random() % second + 1
        case .and: value = first & second
        case .or: value = first | second
        case .exclusiveOr: value = first ^ second
        // Bits that there are not are no bits.
        case .setBit: value = first | 1 << second
        case .clearBit: value = first & ~(1 << second)
        case .shiftLeft: value = first << second
        case .shiftRight: value = first >> second
        }
        return (value, second)
    }

    private mutating func random() -> UInt32 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt32(truncatingIfNeeded: seed >> 33)
    }

    // MARK: - Streams

    /// Takes the streams that a command names: audio and subtitles by one number, graphics and angle by the other, each with a bit that it counts.
    mutating func setStreams(_ first: UInt32, _ second: UInt32) {
        if first >> 31 == 1 { self[.audio] = first >> 16 & 0xFFF }
        if first >> 15 & 1 == 1 { self[.subtitles] = self[.subtitles] & ~0xFFF | first & 0xFFF }
        self[.subtitles] = self[.subtitles] & 0x7FFF_FFFF | (first & 0x4000) << 17
        if second >> 31 == 1 { self[.graphics] = second >> 16 & 0xFF }
        if second >> 15 & 1 == 1 { self[.angle] = second & 0xFF }
    }

    /// Takes the video, its size and the audio that are mixed in, and the subtitles of that video.
    mutating func setSecondaryStreams(_ first: UInt32, _ second: UInt32) {
        var mixed = self[.secondary]
        if first >> 31 == 1 { mixed = mixed & ~0xFF00 | (first & 0xFF) << 8 }
        if first >> 23 & 1 == 1 { mixed = mixed & ~0x0F00_0000 | (first >> 16 & 15) << 24 }
        if second >> 31 == 1 { mixed = mixed & ~0xFF | second >> 16 & 0xFF }
        self[.secondary] = mixed & 0x3FFF_FFFF | (first >> 30 & 1) << 31 | (second >> 30 & 1) << 30
        if second >> 15 & 1 == 1 { self[.subtitles] = self[.subtitles] & ~0x0FFF_0000 | (second & 0xFFF) << 16 }
    }
}
