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
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let shift = KeyModifiers(rawValue: 1)
    /// Alt or Meta.
    public static let alt = KeyModifiers(rawValue: 2)
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
    public var key: Key
    public var modifiers: KeyModifiers

    /// A press of a key.
    public init(_ key: Key, _ modifiers: KeyModifiers = []) {
        self.key = key
        self.modifiers = modifiers
    }
}

/// A mouse report.
public struct MouseEvent: Hashable, Sendable {
    /// What the mouse did.
    public enum Action: Hashable, Sendable { case press, release, drag, move, scrollUp, scrollDown, scrollLeft, scrollRight }
    public enum Button: Hashable, Sendable { case left, middle, right, other, none }

    public var action: Action
    /// The button of a press, release or drag.
    public var button: Button
    /// From the top left corner, from 0; pixels where the decoder's `pixelMouse` is set, else cells. 0…65535.
    public var x, y: Int
    public var modifiers: KeyModifiers

    /// A report.
    public init(_ action: Action, _ button: Button = .none, x: Int, y: Int, _ modifiers: KeyModifiers = []) {
        self.action = action
        self.button = button
        self.x = x
        self.y = y
        self.modifiers = modifiers
    }
}

/// What the terminal sent.
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
