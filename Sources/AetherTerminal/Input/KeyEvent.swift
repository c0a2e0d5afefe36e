/// A key, by what it means.
public enum Key: Hashable, Sendable {
    /// A character as typed: shift is in the character ("A", "?"), not in the modifiers.
    case character(Character)
    case up, down, left, right
    case home, end, pageUp, pageDown, insert, delete
    case backspace, enter, tab, escape
    /// F1…F35.
    case function(Int)
}

/// Modifier keys.
public struct KeyModifiers: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Modifiers by their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Shift, where it is not part of the character.
    public static let shift = KeyModifiers(rawValue: 1)
    /// Alt or Meta.
    public static let alt = KeyModifiers(rawValue: 2)
    /// Control.
    public static let control = KeyModifiers(rawValue: 4)

    /// From a parameter of xterm's and kitty's reports: 1 + shift 1, alt 2, control 4, super 8, hyper 16, meta 32.
    init(parameter: Int) {
        let bits = max(0, parameter &- 1)
        var modifiers = KeyModifiers(rawValue: UInt8(bits & 7))
        if bits & 32 != 0 { modifiers.insert(.alt) }
        self = modifiers
    }
}

/// A key press.
public struct KeyEvent: Hashable, Sendable {
    /// The key.
    public var key: Key
    /// The modifiers that were held down with it.
    public var modifiers: KeyModifiers

    /// A press of a key.
    public init(_ key: Key, _ modifiers: KeyModifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }
}

/// A mouse report.
public struct MouseEvent: Hashable, Sendable {
    /// The actions of a mouse.
    public enum Action: Hashable, Sendable { case press, release, drag, move, scrollUp, scrollDown, scrollLeft, scrollRight }
    /// The buttons; `other` is a fourth or later one.
    public enum Button: Hashable, Sendable { case left, middle, right, other, none }

    /// The unit of `x` and `y`.
    public enum Unit: Hashable, Sendable { case cells, pixels }

    /// The action.
    public var action: Action
    /// The button of a press, release or drag.
    public var button: Button
    /// The place from the top left corner, from 0, in `unit`s. 0…65535.
    public var x, y: Int
    /// The modifier keys that were held.
    public var modifiers: KeyModifiers

    /// The pointer's place in its cell from the left, 0 …< 1, where the terminal reports pixels; nil where only the cell is known.
    public var part: Double?

    /// Pixels where the decoder's `pixelMouse` is set, else cells.
    public var unit: Unit

    /// A report.
    public init(
        _ action: Action, _ button: Button = .none, x: Int, y: Int, _ modifiers: KeyModifiers = [], unit: Unit = .cells,
        part: Double? = nil
    ) {
        self.part = part
        self.action = action
        self.button = button
        self.x = x
        self.y = y
        self.unit = unit
        self.modifiers = modifiers
    }
}

/// An event that the terminal sent.
public enum InputEvent: Hashable, Sendable {
    case key(KeyEvent)
    case mouse(MouseEvent)
    /// Pasted text, as it was; at most 1 MB. Not safe to display.
    case paste(String)
    /// The window got or lost the keyboard.
    case focus(Bool)
    /// An answer to a question of ours.
    case reply(TerminalReply)
}
