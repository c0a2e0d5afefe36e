import AetherCore
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

    /// The name in help and man page: "Shift+←", "Space", "j". Without Unicode "Shift+Left". In the language of the person are keys that have
    /// another name on other keyboards; Enter, Esc, Tab and the modifiers are called so in hints of all languages.
    public func label(unicode: Bool = true) -> String {
        var label = ""
        if modifiers.contains(.control) { label += "Ctrl+" }
        if modifiers.contains(.alt) { label += "Alt+" }
        if modifiers.contains(.shift) { label += "Shift+" }
        return label + name(unicode: unicode)
    }

    private func name(unicode: Bool) -> String {
        func shown(_ name: String) -> String { Glyphs(isUnicode: unicode).shown(name) }
        return switch key {
        case .character(" "): shown(translated("Space", context: "key"))
        case .character(let character): String(character)
        case .left: unicode ? "←" : shown(translated("Left", context: "key"))
        case .right: unicode ? "→" : shown(translated("Right", context: "key"))
        case .up: unicode ? "↑" : shown(translated("Up", context: "key"))
        case .down: unicode ? "↓" : shown(translated("Down", context: "key"))
        case .home: shown(translated("Home", context: "key"))
        case .end: shown(translated("End", context: "key"))
        case .pageUp: shown(translated("PgUp", context: "key"))
        case .pageDown: shown(translated("PgDn", context: "key"))
        case .backspace: shown(translated("Backspace", context: "key"))
        case .delete: shown(translated("Del", context: "key"))
        case .insert: shown(translated("Ins", context: "key"))
        case .enter: "Enter"
        case .escape: "Esc"
        case .tab: "Tab"
        case .function(let number): "F\(number)"
        }
    }
}
