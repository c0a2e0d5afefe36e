/// Follows the terminal's parser through bytes that we send: whether it is between two sequences, and what would end the
/// one it is in. Pure; knows framing only, not meaning.
public struct OutputScanner: Sendable, Equatable {
    /// The states of the terminal's parser.
    public enum State: Sendable, Equatable {
        /// Between characters and sequences: anything may follow.
        case ground
        /// Inside a UTF-8 character, that many bytes to come.
        case character(Int)
        /// Behind ESC and its intermediates.
        case escape
        /// Inside a CSI sequence.
        case control
        /// Inside a DCS, OSC, APC, PM or SOS string.
        case string
        /// Behind an ESC inside a string: a backslash completes ST.
        case stringEscape
    }

    /// The parser's state after the bytes taken so far.
    public private(set) var state = State.ground

    /// A terminal in its ground state.
    public init() {}

    /// Takes one byte that was sent.
    public mutating func take(_ byte: UInt8) {
        switch state {
        case .ground: begin(byte)
        case .character(let left):
            guard byte & 0xC0 == 0x80 else { return begin(byte) }
            state = left <= 1 ? .ground : .character(left - 1)
        case .escape: afterEscape(byte)
        case .control:
            switch byte {
            case 0x1B: state = .escape
            case 0x18, 0x1A, 0x40...0x7E: state = .ground
            default: break
            }
        case .string:
            switch byte {
            case 0x1B: state = .stringEscape
            case 0x18, 0x1A: state = .ground
            default: break
            }
        case .stringEscape:
            if byte == 0x5C { state = .ground } else { afterEscape(byte) }
        }
    }

    /// The bytes that bring the terminal to its ground state from here without showing anything; empty where it is there.
    public var terminator: [UInt8] {
        switch state {
        case .ground: []
        case .character, .escape, .control: Escape.abortSequence
        case .string: Escape.stringTerminator
        case .stringEscape: [0x5C]
        }
    }

    private mutating func begin(_ byte: UInt8) {
        switch byte {
        case 0x1B: state = .escape
        case 0xC2...0xDF: state = .character(1)
        case 0xE0...0xEF: state = .character(2)
        case 0xF0...0xF4: state = .character(3)
        default: state = .ground
        }
    }

    private mutating func afterEscape(_ byte: UInt8) {
        switch byte {
        case 0x5B: state = .control
        case 0x50, 0x58, 0x5D, 0x5E, 0x5F: state = .string
        case 0x1B, 0x20..<0x30: state = .escape
        default: state = .ground
        }
    }
}
