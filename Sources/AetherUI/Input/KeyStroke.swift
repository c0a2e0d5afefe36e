public import AetherTerminal

/// A key as a person presses it, whatever bytes the terminal sends for it.
public struct KeyStroke: Hashable, Sendable {
    /// The key; space is " ".
    public typealias Key = AetherTerminal.Key

    /// The modifiers that are held down with it.
    public typealias Modifiers = KeyModifiers

    /// The key without modifiers.
    public let key: Key
    /// The modifiers that are held.
    public let modifiers: Modifiers

    /// A stroke. For characters, shift is part of the character ("J", "?") and is dropped from the modifiers.
    public init(_ key: Key, _ modifiers: Modifiers = []) {
        self.key = key
        if case .character = key { self.modifiers = modifiers.subtracting(.shift) } else { self.modifiers = modifiers }
    }

    /// A stroke of a key that types something.
    public init(_ character: Character) { self.init(.character(character)) }

    /// The name in help and man page: "Shift+←", "Space", "j". Without Unicode "Shift+Left".
    public func label(unicode: Bool = true) -> String {
        var label = ""
        if modifiers.contains(.control) { label += "Ctrl+" }
        if modifiers.contains(.alt) { label += "Alt+" }
        if modifiers.contains(.shift) { label += "Shift+" }
        return label + name(unicode: unicode)
    }

    private func name(unicode: Bool) -> String {
        switch key {
        case .character(" "): "Space"
        case .character(let character): String(character)
        case .left: unicode ? "←" : "Left"
        case .right: unicode ? "→" : "Right"
        case .up: unicode ? "↑" : "Up"
        case .down: unicode ? "↓" : "Down"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .backspace: "Backspace"
        case .delete: "Del"
        case .insert: "Ins"
        case .enter: "Enter"
        case .escape: "Esc"
        case .tab: "Tab"
        case .function(let number): "F\(number)"
        }
    }
}
