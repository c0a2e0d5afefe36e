import AetherCore
import AetherTerminal

/// Keys as they are written in a file: "Space", "Ctrl+Left", "g g". What help prints is understood, too, in the language of the person.
enum KeyName {
    private static let named: [(name: String, key: KeyStroke.Key)] = [
        ("space", .character(" ")), ("left", .left), ("right", .right), ("up", .up), ("down", .down), ("home", .home),
        ("end", .end),
        ("pgup", .pageUp), ("pageup", .pageUp), ("pgdn", .pageDown), ("pagedown", .pageDown), ("backspace", .backspace),
        ("del", .delete),
        ("delete", .delete), ("ins", .insert), ("insert", .insert), ("enter", .enter), ("esc", .escape), ("escape", .escape),
        ("tab", .tab), ("plus", .character("+")), ("brace-left", .character("{")), ("brace-right", .character("}")), ("←", .left),
        ("→", .right), ("↑", .up), ("↓", .down),
    ]

    /// The longest chord.
    static let longest = 3

    /// One to three strokes with spaces between; nil when that is no key.
    static func strokes(_ text: String) -> [KeyStroke]? {
        let parts = text.split(separator: " ").map { stroke(String($0)) }
        guard (1...longest).contains(parts.count) else { return nil }
        let strokes = parts.compactMap { $0 }
        return strokes.count == parts.count ? strokes : nil
    }

    /// Names that can be offered for one that is not known.
    static let words = named.map(\.name).filter { $0.count > 2 }

    /// The fault of a text that is neither key nor chord.
    static func complaint(_ text: String) -> String {
        let parts = text.split(separator: " ")
        // "Page Up" is a name in two words rather than a chord.
        let joined = parts.joined()
        if parts.count > 1, key(joined) != nil { return translated("is not a key; did you mean \"\(joined)\"?") }
        if parts.count > longest { return translated("is a chord of more than \(longest) keys") }
        guard let wrong = parts.first(where: { stroke(String($0)) == nil }) else { return translated("names no key") }
        let names = wrong.split(separator: "+").map(String.init)
        let modifiers = ["ctrl", "alt", "shift"]
        if let modifier = names.dropLast().first(where: { !modifiers.contains($0.lowercased()) }) {
            let near = ConfigError.suggestion(for: modifier, among: modifiers)
            return translated("is not a key") + (near.isEmpty ? translated("; before a key stand Ctrl+, Alt+ or Shift+") : near)
        }
        let near = names.last.map { ConfigError.suggestion(for: $0, among: words) } ?? ""
        return translated("is not a key")
            + (near.isEmpty ? translated("; keys are called x, Space, PgUp, F1, Ctrl+x and the like") : near)
    }

    private static func stroke(_ text: String) -> KeyStroke? {
        var rest = Substring(text)
        var modifiers: KeyStroke.Modifiers = []
        let prefixes: [(String, KeyStroke.Modifiers)] = [("ctrl+", .control), ("alt+", .alt), ("shift+", .shift)]
        while let found = prefixes.first(where: { rest.lowercased().hasPrefix($0.0) && rest.count > $0.0.count }) {
            modifiers.insert(found.1)
            rest = rest.dropFirst(found.0.count)
        }
        guard let key = key(String(rest)) else { return nil }
        // Shift is in a character already: Shift+a is A.
        if modifiers.contains(.shift), case .character(let character) = key {
            guard character.isLetter, let upper = character.uppercased().first else { return nil }
            return KeyStroke(.character(upper), modifiers)
        }
        return KeyStroke(key, modifiers)
    }

    private static func key(_ name: String) -> KeyStroke.Key? {
        if name.count == 1, let character = name.first, !character.isWhitespace {
            return named.first { $0.name == name }?.key ?? .character(character)
        }
        if let found = named.first(where: { $0.name == name.lowercased() }) { return found.key }
        let printed = named.first { entry in
            [true, false].contains { KeyStroke(entry.key).label(unicode: $0).lowercased() == name.lowercased() }
        }
        if let printed { return printed.key }
        guard name.lowercased().hasPrefix("f"), let number = Int(name.dropFirst()), (1...35).contains(number) else { return nil }
        return .function(number)
    }
}
