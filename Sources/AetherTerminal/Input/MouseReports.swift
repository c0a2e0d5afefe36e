/// SGR mouse reports (modes 1006 and 1016): `CSI < code ; x ; y M`, `m` for a release.
enum MouseReports {
    /// The report in a sequence, if it is one.
    static func event(from sequence: ControlSequence, unit: MouseEvent.Unit) -> MouseEvent? {
        guard sequence.prefix == 0x3C, sequence.intermediates.isEmpty, sequence.final == 0x4D || sequence.final == 0x6D,
            let code = sequence.value(0), let x = sequence.value(1), let y = sequence.value(2), code < 256
        else { return nil }
        var modifiers = KeyModifiers()
        if code & 4 != 0 { modifiers.insert(.shift) }
        if code & 8 != 0 { modifiers.insert(.alt) }
        if code & 16 != 0 { modifiers.insert(.control) }
        let (action, button) = meaning(of: code, released: sequence.final == 0x6D)
        return MouseEvent(action, button, x: max(0, x - 1), y: max(0, y - 1), modifiers, unit: unit)
    }

    private static func meaning(of code: Int, released: Bool) -> (MouseEvent.Action, MouseEvent.Button) {
        if code & 64 != 0 {
            let directions: [MouseEvent.Action] = [.scrollUp, .scrollDown, .scrollLeft, .scrollRight]
            return (directions[code & 3], .none)
        }
        let buttons: [MouseEvent.Button] = code & 128 != 0 ? [.other, .other, .other, .other] : [.left, .middle, .right, .none]
        let button = buttons[code & 3]
        if code & 32 != 0 { return (button == .none ? .move : .drag, button) }
        return (released || button == .none ? .release : .press, button)
    }
}
