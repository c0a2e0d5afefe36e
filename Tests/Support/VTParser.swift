/// Cuts a terminal's input into actions: ECMA-48 with DEC's private marks and UTF-8.
struct VTParser {
    enum Action: Equatable {
        case print(UInt32)
        case control(UInt8)
        /// ESC with intermediates and final byte.
        case escape(String)
        /// Private mark (or 0), parameters with their sub-parameters, intermediates, final byte, and the raw bytes before it.
        case csi(UInt8, [[Int?]], String, UInt8, [UInt8])
        /// Introducer and body of a string.
        case string(String)
        case malformed(String)
    }

    private enum State { case ground, escape, csi, string, stringEscape }
    private var state = State.ground
    private var body: [UInt8] = []
    private var scalar: UInt32 = 0
    private var minimum: UInt32 = 0
    private var missing = 0

    var isAtRest: Bool { state == .ground && missing == 0 }

    mutating func take(_ byte: UInt8) -> Action? {
        switch state {
        case .ground: return ground(byte)
        case .escape: return escape(byte)
        case .csi: return csi(byte)
        case .string:
            if byte == 0x1B {
                state = .stringEscape
            } else if byte == 0x07 && body.first == 0x5D {
                return endString()
            } else {
                body.append(byte)
            }
            return nil
        case .stringEscape:
            if byte == 0x5C { return endString() }
            state = .ground
            return .malformed("string ended by ESC \(byte)")
        }
    }

    private mutating func ground(_ byte: UInt8) -> Action? {
        if missing > 0 {
            guard byte & 0xC0 == 0x80 else {
                missing = 0
                return .malformed("UTF-8 cut by \(byte)")
            }
            scalar = scalar << 6 | UInt32(byte & 0x3F)
            missing -= 1
            if missing > 0 { return nil }
            if scalar < minimum || Unicode.Scalar(scalar) == nil { return .malformed("UTF-8 of \(scalar)") }
            return (0x80...0x9F).contains(scalar) ? .malformed("C1 control \(scalar)") : .print(scalar)
        }
        switch byte {
        case 0x1B:
            state = .escape
            body = []
            return nil
        case 0..<0x20, 0x7F: return .control(byte)
        case 0x20..<0x7F: return .print(UInt32(byte))
        case 0xC2..<0xE0: (scalar, missing, minimum) = (UInt32(byte & 0x1F), 1, 0x80)
        case 0xE0..<0xF0: (scalar, missing, minimum) = (UInt32(byte & 0x0F), 2, 0x800)
        case 0xF0..<0xF5: (scalar, missing, minimum) = (UInt32(byte & 0x07), 3, 0x10000)
        default: return .malformed("byte \(byte)")
        }
        return nil
    }

    private mutating func escape(_ byte: UInt8) -> Action? {
        switch byte {
        case 0x5B where body.isEmpty:
            state = .csi
            body = []
            return nil
        case 0x5D, 0x50, 0x5F, 0x58, 0x5E:
            if body.isEmpty {
                state = .string
                body = [byte]
                return nil
            }
            fallthrough
        case 0x30..<0x7F:
            state = .ground
            return .escape(String(decoding: body + [byte], as: UTF8.self))
        case 0x20..<0x30:
            body.append(byte)
            return nil
        default:
            state = .ground
            return .malformed("ESC \(byte)")
        }
    }

    private mutating func csi(_ byte: UInt8) -> Action? {
        guard (0x40..<0x7F).contains(byte) else {
            if byte < 0x20 || byte > 0x7E {
                state = .ground
                return .malformed("control \(byte) inside CSI")
            }
            body.append(byte)
            return nil
        }
        state = .ground
        return parsed(final: byte)
    }

    /// The sequence in `body`, read in one pass: a film is a hundred thousand of them a second.
    private func parsed(final: UInt8) -> Action {
        var mark: UInt8 = 0
        var parameters: [[Int?]] = []
        var field: [Int?] = [nil]
        var intermediates: [UInt8] = []
        for (index, byte) in body.enumerated() {
            switch byte {
            case 0x3C...0x3F where index == 0: mark = byte
            case 0x30...0x39: field[field.count - 1] = min(99_999, (field[field.count - 1] ?? 0) * 10 + Int(byte - 0x30))
            case 0x3A: field.append(nil)
            case 0x3B:
                parameters.append(field)
                field = [nil]
            default: intermediates.append(byte)
            }
        }
        if body.count > (mark == 0 ? 0 : 1) + intermediates.count { parameters.append(field) }
        return .csi(mark, parameters, String(decoding: intermediates, as: UTF8.self), final, body)
    }

    private mutating func endString() -> Action {
        state = .ground
        return .string(String(decoding: body, as: UTF8.self))
    }
}
