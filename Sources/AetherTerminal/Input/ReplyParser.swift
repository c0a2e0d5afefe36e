import AetherCore

/// Sequences and strings that are answers to our questions.
enum ReplyParser {
    /// The answer in a CSI sequence, if it is one.
    static func reply(to sequence: ControlSequence, expectingCursor: Bool) -> TerminalReply? {
        let values = sequence.values
        switch (sequence.prefix, sequence.intermediates, sequence.final) {
        case (0x3F, [], 0x63): return .deviceAttributes(values)
        case (0x3E, [], 0x63): return .secondaryAttributes(values)
        case (0x3F, [0x24], 0x79):
            guard values.count == 2, let state = TerminalReply.ModeState(rawValue: values[1]) else { return nil }
            return .mode(values[0], state)
        case (0x3F, [], 0x53):
            guard values.count >= 2 else { return nil }
            return .graphicsAttribute(item: values[0], status: values[1], values: Array(values.dropFirst(2)))
        case (0x3F, [], 0x75): return .keyboard(flags: values.first ?? 0)
        case (nil, [], 0x74): return windowReport(values)
        case (nil, [], 0x6E) where values == [0] || values == [3]: return .status(values == [0])
        case (nil, [], 0x52), (0x3F, [], 0x52):
            guard values.count >= 2, expectingCursor || sequence.prefix != nil || !couldBeF3(values) else { return nil }
            return .cursor(row: values[0], column: values[1])
        default: return nil
        }
    }

    /// The answer in a DCS, OSC or APC string (without introducer and terminator), if it is one.
    static func reply(toString body: [UInt8], introducer: UInt8) -> TerminalReply? {
        switch introducer {
        case 0x50: deviceControl(body)
        case 0x5D: systemCommand(body)
        case 0x5F: graphics(body)
        default: nil
        }
    }

    /// F3 with modifiers is `CSI 1 ; 2…16 R`.
    private static func couldBeF3(_ values: [Int]) -> Bool { values.count == 2 && values[0] == 1 && (2...16).contains(values[1]) }

    private static func windowReport(_ values: [Int]) -> TerminalReply? {
        guard values.count >= 3 else { return nil }
        switch values[0] {
        case 4: return .textAreaPixels(width: values[2], height: values[1])
        case 6: return .cellPixels(width: values[2], height: values[1])
        case 8: return .textAreaCells(columns: values[2], rows: values[1])
        default: return nil
        }
    }

    private static func deviceControl(_ body: [UInt8]) -> TerminalReply? {
        if body.starts(with: [0x3E, 0x7C]) { return .version(text(body.dropFirst(2))) }
        if body.starts(with: Array("1$r".utf8)) { return .setting(text(body.dropFirst(3))) }
        // tmux and a few others say 0 for what they do not know; the standard once had the two swapped, but then a text follows.
        if body.starts(with: Array("0$r".utf8)) { return .setting(nil) }
        return nil
    }

    private static func systemCommand(_ body: [UInt8]) -> TerminalReply? {
        let fields = body.split(separator: 0x3B, omittingEmptySubsequences: false)
        guard fields.count >= 2, let code = ControlSequence.number(fields[0]) else { return nil }
        let slot: TerminalReply.ColourSlot
        let value: ArraySlice<UInt8>
        switch code {
        case 10: (slot, value) = (.foreground, fields[1])
        case 11: (slot, value) = (.background, fields[1])
        case 4:
            guard fields.count >= 3, let index = ControlSequence.number(fields[1]) else { return nil }
            (slot, value) = (.palette(index), fields[2])
        default: return nil
        }
        guard let colour = colour(value) else { return nil }
        return .colour(slot, red: colour.0, green: colour.1, blue: colour.2)
    }

    /// X11's `rgb:r/g/b` (also `rgba:`) with 1–4 hexadecimal digits a component, scaled to 16 bits.
    private static func colour(_ text: ArraySlice<UInt8>) -> (UInt16, UInt16, UInt16)? {
        guard let colon = text.firstIndex(of: 0x3A), text.starts(with: Array("rgb".utf8)) else { return nil }
        let parts = text[(colon + 1)...].split(separator: 0x2F, omittingEmptySubsequences: false)
        guard parts.count >= 3 else { return nil }
        let components = parts.prefix(3).compactMap { digits -> UInt16? in
            guard (1...4).contains(digits.count), let value = Int(String(decoding: digits, as: UTF8.self), radix: 16), value >= 0
            else { return nil }
            return UInt16(value * 65535 / ((1 << (4 * digits.count)) - 1))
        }
        return components.count == 3 ? (components[0], components[1], components[2]) : nil
    }

    private static func graphics(_ body: [UInt8]) -> TerminalReply? {
        guard body.first == 0x47 else { return nil }
        let halves = body.dropFirst().split(separator: 0x3B, maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        func number(_ key: UInt8) -> Int {
            halves[0].split(separator: 0x2C).first { $0.starts(with: [key, 0x3D]) }
                .flatMap { ControlSequence.number($0.dropFirst(2)) } ?? 0
        }
        return .kittyGraphics(id: number(0x69), placement: number(0x70), message: text(halves[1]))
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        DisplayText.singleLine(String(decoding: bytes.prefix(1024), as: UTF8.self), limit: 200)
    }
}
