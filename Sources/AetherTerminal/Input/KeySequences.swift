/// The key tables: which bytes mean which key in xterm, kitty (CSI u), rxvt, VTE, the Linux console and their relatives.
enum KeySequences {
    typealias Found = (key: Key, modifiers: KeyModifiers)

    /// A control byte. Backspace and Enter come as either of two bytes, depending on the terminal.
    static func control(_ byte: UInt8) -> Found {
        switch byte {
        case 0x00: (.character(" "), .control)
        case 0x08, 0x7F: (.backspace, [])
        case 0x09: (.tab, [])
        case 0x0A, 0x0D: (.enter, [])
        case 0x01...0x1A: (.character(Character(Unicode.Scalar(byte + 0x60))), .control)
        case 0x1B: (.escape, [])
        default: (.character(Character(Unicode.Scalar(byte | 0x40))), .control)
        }
    }

    /// `ESC O final`: application cursor keys, keypad, F1–F4, rxvt's Ctrl-arrows.
    static func ss3(final: UInt8, parameters: [Int]) -> Found? {
        let modifiers = parameters.last.map { KeyModifiers(parameter: $0) } ?? []
        if let key = letter(final) { return (key, modifiers) }
        switch final {
        case 0x4D: return (.enter, modifiers)
        case 0x49: return (.tab, modifiers)
        case 0x20: return (.character(" "), modifiers)
        case 0x58: return (.character("="), modifiers)
        case 0x61...0x64: return ([.up, .down, .right, .left][Int(final) - 0x61], .control)
        // The keypad in application mode: the character 0x40 below.
        case 0x6A...0x79: return (.character(Character(Unicode.Scalar(final - 0x40))), modifiers)
        default: return nil
        }
    }

    /// A CSI sequence that is a key.
    static func csi(_ sequence: ControlSequence) -> Found? {
        guard sequence.prefix == nil else { return nil }
        if sequence.intermediates == [], [0x7E, 0x5E, 0x40].contains(sequence.final) { return numbered(sequence) }
        // rxvt's `CSI n $` reaches us with `$` as the final byte.
        if sequence.final == 0x24 { return numbered(sequence) }
        guard sequence.intermediates.isEmpty else { return nil }
        let modifiers = sequence.value(1).map { KeyModifiers(parameter: $0) } ?? []
        if isRelease(sequence) || hasSuper(sequence) { return nil }
        switch sequence.final {
        case 0x75: return unicodeKey(sequence)
        case 0x5A: return (.tab, modifiers.union(.shift))
        case 0x61...0x64 where sequence.parameters.isEmpty:
            return ([.up, .down, .right, .left][Int(sequence.final) - 0x61], .shift)
        default: return letter(sequence.final).map { ($0, modifiers) }
        }
    }

    /// Whether `CSI body $` is rxvt's shifted key rather than the middle of a mode report, which has two parameters.
    static func isRXVTNumber(_ body: [UInt8]) -> Bool {
        (1...2).contains(body.count) && body.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// The finals that `CSI` and `ESC O` share.
    private static func letter(_ final: UInt8) -> Key? {
        switch final {
        case 0x41: .up
        case 0x42: .down
        case 0x43: .right
        case 0x44: .left
        case 0x46: .end
        case 0x48: .home
        case 0x50...0x53: .function(Int(final) - 0x4F)
        default: nil
        }
    }

    private static let numberedKeys: [Int: Key] = {
        var keys: [Int: Key] = [
            1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
        ]
        // VT220's numbering has holes where the keyboard had gaps.
        let functions = [11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34]
        for (index, number) in functions.enumerated() { keys[number] = .function(index + 1) }
        return keys
    }()

    /// `CSI n ; modifiers ~`, and rxvt's `^` (Ctrl), `$` (Shift), `@` (both).
    private static func numbered(_ sequence: ControlSequence) -> Found? {
        guard let number = sequence.value(0), !isRelease(sequence) else { return nil }
        if number == 27, sequence.final == 0x7E, let code = sequence.value(2) {
            return shifted(code, KeyModifiers(parameter: sequence.value(1) ?? 1), alternate: code)
        }
        guard let key = numberedKeys[number] else { return nil }
        switch sequence.final {
        case 0x5E: return (key, .control)
        case 0x24: return (key, .shift)
        case 0x40: return (key, [.shift, .control])
        default: return (key, sequence.value(1).map { KeyModifiers(parameter: $0) } ?? [])
        }
    }

    /// kitty's event type 3, after a colon in the modifiers.
    private static func isRelease(_ sequence: ControlSequence) -> Bool {
        guard sequence.parameters.count > 1, sequence.parameters[1].count > 1 else { return false }
        return sequence.parameters[1][1] == 3
    }

    /// With super (8) or hyper (16): the window manager's, never a letter of ours.
    private static func hasSuper(_ sequence: ControlSequence) -> Bool { (max(1, sequence.value(1) ?? 1) - 1) & 24 != 0 }

    /// kitty's `CSI code : shifted : base ; modifiers u`.
    private static func unicodeKey(_ sequence: ControlSequence) -> Found? {
        guard let code = sequence.value(0) else { return nil }
        let numbers = sequence.parameters[0], modifiers = KeyModifiers(parameter: sequence.value(1) ?? 1)
        // Ctrl and a letter of another script is what the key would be on a Latin keyboard, as the kernel's line would have it.
        if code >= 0x80, !(57344...63743).contains(code), modifiers.contains(.control), numbers.count > 2, let base = numbers[2],
            (0x21..<0x7F).contains(base)
        {
            return shifted(base, modifiers, alternate: nil)
        }
        return shifted(code, modifiers, alternate: numbers.count > 1 ? numbers[1] : nil)
    }

    /// A key by its Unicode number, with shift moved from the modifiers into the character where it is known what shift makes.
    private static func shifted(_ code: Int, _ modifiers: KeyModifiers, alternate: Int?) -> Found? {
        switch code {
        case 9: return (.tab, modifiers)
        case 13: return (.enter, modifiers)
        case 27: return (.escape, modifiers)
        case 8, 127: return (.backspace, modifiers)
        case 57344...63743: return functional(code).map { ($0, modifiers) }
        default: break
        }
        guard code >= 0x20, !(0x80..<0xA0).contains(code), let plain = Unicode.Scalar(UInt32(code)) else { return nil }
        guard modifiers.contains(.shift), code != 0x20 else { return (.character(Character(plain)), modifiers) }
        if let alternate, alternate > 0x20, !(0x7F..<0xA0).contains(alternate),
            let scalar = Unicode.Scalar(UInt32(alternate))
        {
            return (.character(Character(scalar)), modifiers.subtracting(.shift))
        }
        let upper = plain.properties.uppercaseMapping
        if upper.unicodeScalars.count == 1, upper != String(plain), let first = upper.first {
            return (.character(first), modifiers.subtracting(.shift))
        }
        return (.character(Character(plain)), modifiers)
    }

    /// kitty's private-use numbers for the keypad and F13–F35; the rest (media keys, locks) are no keys of ours.
    private static func functional(_ code: Int) -> Key? {
        let keypad: [Key] = [
            .character("."), .character("/"), .character("*"), .character("-"), .character("+"), .enter, .character("="),
            .character(","), .left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .insert, .delete,
        ]
        switch code {
        case 57376...57398: return .function(code - 57376 + 13)
        case 57399...57408: return Unicode.Scalar(UInt32(code - 57399 + 0x30)).map { .character(Character($0)) }
        case 57409...57426: return keypad[code - 57409]
        default: return nil
        }
    }
}
