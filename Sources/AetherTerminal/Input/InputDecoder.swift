public import AetherCore

/// Bytes from a terminal to events: a parser that takes the stream in any pieces, keeps at most 64 KB of an unfinished
/// sequence (1 MB of a paste), and has a place for every byte: what it does not understand is swallowed whole, never a key.
///
/// Pure: time enters only through the caller, who asks `patience` after each `decode` and calls `resolve` when that long has
/// passed without a byte.
public struct InputDecoder: Sendable {
    /// Whether mouse reports count pixels (mode 1016 is on).
    public var pixelMouse = false
    /// CPR answers that are still to come. `CSI 1 ; 2 R` is both a cursor report and Shift-F3; while one is expected, it is
    /// the report.
    public var expectedCursorReports = 0

    /// Answers to a batch of questions are still to come, the last of them DA1: an ESC that comes alone is then more likely the
    /// beginning of one than the Escape key, and is waited for longer. Ends by itself with DA1.
    public var awaitsReplies = false

    private var state = DecoderState.ground
    private var collected: [UInt8] = []
    private var overflowed = false
    /// An ESC stands before the sequence: Alt, or the Escape key pressed just before it.
    private var escapePrefix = false
    /// The ESC was the last byte of a read: it came alone.
    private var isLoneEscape = false
    private var paste = PasteCollector()
    private var events: [InputEvent] = []

    /// Longest control sequence: 16 parameters of 5 digits with sub-parameters fit three times over.
    private static let sequenceLimit = 256
    /// Longest string that is kept; a palette answer has 30 bytes, an error of kitty's about 100.
    private static let stringLimit = 65536

    /// A decoder between two sequences.
    public init() {}

    /// The time to wait for more bytes before `resolve`; nil when nothing is incomplete.
    public var patience: TimeSpan? {
        switch state {
        case .ground: nil
        // 250 ms: a packet that was lost on a link is there again by then.
        case .escape where awaitsReplies: .milliseconds(250)
        case .csi where awaitsReplies && collected.isEmpty: .milliseconds(250)
        case .string where awaitsReplies && collected.isEmpty && !overflowed: .milliseconds(250)
        case .escape, .utf8: .milliseconds(40)
        case .ss3 where collected.isEmpty, .csi where collected.isEmpty: .milliseconds(40)
        // ESC ] and the like with nothing behind them are also Alt-], typed.
        case .string where collected.isEmpty && !overflowed: .milliseconds(40)
        // Half a sequence: its rest is on its way over a slow link. A second of silence says that it is not.
        case .ss3, .csi, .consoleFunction, .x10Mouse, .string, .stringEscape: .seconds(1)
        case .paste: .seconds(5)
        }
    }

    /// Inside a paste, which may take its time.
    var isInPaste: Bool { if case .paste = state { true } else { false } }

    /// The events that these bytes complete.
    public mutating func decode(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
        for byte in bytes { take(byte) }
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// Nothing more came with the last bytes. Terminals write a key in one piece, so that an ESC at their end is more likely the Escape key
    /// than the half of an Alt: a letter that follows is a key of its own, however soon. What begins a sequence still goes on with it,
    /// for links and multiplexers cut where they like.
    public mutating func pause() {
        if case .escape = state { isLoneEscape = true }
    }

    /// No more bytes came within `patience`: what is incomplete becomes the key it may stand for (Escape, Alt-[ …), a paste ends,
    /// anything else is dropped.
    public mutating func resolve() -> [InputEvent] {
        switch state {
        case .ground, .utf8, .consoleFunction, .x10Mouse, .stringEscape: break
        case .escape:
            if escapePrefix { emit(.escape, []) }
            emit(.escape, [])
        case .ss3 where collected.isEmpty: emitAltIntroducer("O")
        case .csi where collected.isEmpty: emitAltIntroducer("[")
        case .string(let introducer) where collected.isEmpty && !overflowed:
            emitAltIntroducer(Character(Unicode.Scalar(introducer)))
        case .ss3, .csi, .string: break
        case .paste: events.append(.paste(paste.finish()))
        }
        reset()
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    private mutating func reset() {
        state = .ground
        collected.removeAll(keepingCapacity: true)
        overflowed = false
        escapePrefix = false
        isLoneEscape = false
    }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .ground: ground(byte, [])
        case .utf8(let character): go(on: character, byte)
        case .escape: afterEscape(byte)
        case .ss3: inSS3(byte)
        case .csi: inCSI(byte)
        case .consoleFunction: inConsoleFunction(byte)
        case .x10Mouse(let left):
            if left <= 1 { reset() } else { state = .x10Mouse(left - 1) }
        case .string(let introducer): inString(byte, introducer)
        case .stringEscape(let introducer):
            if byte == 0x5C {
                finishString(introducer)
            } else {
                // The string was cut off by another sequence.
                reset()
                state = .escape
                afterEscape(byte)
            }
        case .paste:
            if paste.take(byte) {
                events.append(.paste(paste.finish()))
                reset()
            }
        }
    }

    // MARK: Characters

    private mutating func ground(_ byte: UInt8, _ modifiers: KeyModifiers) {
        escapePrefix = false
        switch byte {
        case Escape.escapeByte: state = .escape
        case 0x20..<0x7F: emit(.character(Character(Unicode.Scalar(byte))), modifiers)
        case 0..<0x20, 0x7F:
            let (key, extra) = KeySequences.control(byte)
            emit(key, modifiers.union(extra))
        default:
            // nil: no character starts so.
            guard let character = CharacterBytes(first: byte) else { return }
            escapePrefix = modifiers.contains(.alt)
            state = .utf8(character)
        }
    }

    private mutating func go(on character: CharacterBytes, _ byte: UInt8) {
        var character = character
        switch character.take(byte) {
        case .more: state = .utf8(character)
        case .cut:
            reset()
            take(byte)
        case .whole(let scalar):
            let modifiers: KeyModifiers = escapePrefix ? .alt : []
            reset()
            // C1 controls are no keys.
            if let scalar, scalar.value >= 0xA0 { emit(.character(Character(scalar)), modifiers) }
        }
    }

    private mutating func afterEscape(_ byte: UInt8) {
        switch byte {
        case Escape.escapeByte:
            if escapePrefix || isLoneEscape { emit(.escape, []) }
            escapePrefix = !isLoneEscape
            isLoneEscape = false
        case 0x5B: begin(.csi)
        case 0x4F: begin(.ss3)
        case 0x50, 0x58, 0x5D, 0x5E, 0x5F:
            if escapePrefix { emit(.escape, []) }
            escapePrefix = false
            begin(.string(byte))
        case 0x5C where !escapePrefix:
            // ST without a string: the end of one that was given up. As Alt-\ it would be a key that was never typed.
            reset()
        default:
            let isAlone = isLoneEscape
            if escapePrefix || isAlone { emit(.escape, []) }
            if escapePrefix && isAlone { emit(.escape, []) }
            reset()
            ground(byte, isAlone ? [] : .alt)
        }
    }

    private mutating func begin(_ next: DecoderState) {
        collected.removeAll(keepingCapacity: true)
        overflowed = false
        state = next
    }

    // MARK: Sequences

    private mutating func inSS3(_ byte: UInt8) {
        if byte == Escape.escapeByte {
            // ESC O and another ESC: Alt-O was typed, and something else follows.
            if collected.isEmpty { emitAltIntroducer("O") }
            reset()
            state = .escape
        } else if (0x30...0x39).contains(byte) || byte == 0x3B, collected.count < 8 {
            collected.append(byte)
        } else {
            let prefix = escapePrefix
            let found = KeySequences.ss3(final: byte, parameters: ControlSequence.numbers(collected[...]))
            reset()
            if let (key, modifiers) = found { emit(key, prefix ? modifiers.union(.alt) : modifiers) }
        }
    }

    private mutating func inCSI(_ byte: UInt8) {
        switch byte {
        case Escape.escapeByte:
            if collected.isEmpty { emitAltIntroducer("[") }
            reset()
            state = .escape
        case 0x18, 0x1A: reset()
        case 0x5B where collected.isEmpty: state = .consoleFunction
        case 0x4D where collected.isEmpty: state = .x10Mouse(3)
        case 0x24 where KeySequences.isRXVTNumber(collected): finishCSI(byte)
        case 0x20..<0x40:
            if collected.count < Self.sequenceLimit { collected.append(byte) } else { overflowed = true }
        case 0x40..<0x7F: finishCSI(byte)
        default: break  // controls and 8-bit bytes do not belong here; a real terminal would ignore them too
        }
    }

    private mutating func inConsoleFunction(_ byte: UInt8) {
        let prefix = escapePrefix
        reset()
        if byte == Escape.escapeByte { state = .escape }
        if (0x41...0x45).contains(byte) { emit(.function(Int(byte) - 0x40), prefix ? .alt : []) }
    }

    private mutating func finishCSI(_ final: UInt8) {
        let sequence = overflowed ? nil : ControlSequence(body: collected, final: final)
        let prefix = escapePrefix
        reset()
        guard let sequence else { return }
        if sequence.isPasteStart {
            if prefix { emit(.escape, []) }
            paste = PasteCollector()
            state = .paste
            return
        }
        if let report = report(sequence) {
            if prefix { emit(.escape, []) }
            events.append(report)
        } else if let (key, modifiers) = KeySequences.csi(sequence) {
            emit(key, prefix ? modifiers.union(.alt) : modifiers)
        } else if prefix {
            emit(.escape, [])
        }
    }

    /// A report of the terminal about itself; nil: a key, or an unknown sequence.
    private mutating func report(_ sequence: ControlSequence) -> InputEvent? {
        guard let reply = ReplyParser.reply(to: sequence, expectingCursor: expectedCursorReports > 0) else {
            let mouse = MouseReports.event(from: sequence, unit: pixelMouse ? .pixels : .cells)
            return mouse.map { .mouse($0) } ?? sequence.focus.map { .focus($0) }
        }
        if case .cursor = reply { expectedCursorReports = max(0, expectedCursorReports - 1) }
        if case .deviceAttributes = reply { awaitsReplies = false }
        return .reply(reply)
    }

    private mutating func inString(_ byte: UInt8, _ introducer: UInt8) {
        switch byte {
        case Escape.escapeByte: state = .stringEscape(introducer)
        case 0x18, 0x1A: reset()
        // BEL ends an OSC; elsewhere it is content.
        case 0x07 where introducer == 0x5D: finishString(introducer)
        default:
            if collected.count < Self.stringLimit { collected.append(byte) } else { overflowed = true }
        }
    }

    private mutating func finishString(_ introducer: UInt8) {
        let reply = overflowed ? nil : ReplyParser.reply(toString: collected, introducer: introducer)
        reset()
        if let reply { events.append(.reply(reply)) }
    }

    // MARK: Events

    private mutating func emit(_ key: Key, _ modifiers: KeyModifiers) {
        events.append(.key(KeyEvent(key, modifiers)))
    }

    private mutating func emitAltIntroducer(_ character: Character) {
        if escapePrefix { emit(.escape, []) }
        if isLoneEscape { emit(.escape, []) }
        emit(.character(character), isLoneEscape ? [] : .alt)
    }
}
