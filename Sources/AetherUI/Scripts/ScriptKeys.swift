import AetherTerminal

/// Keys that programs have bound, over those of the player. A value.
struct ScriptKeys: Sendable {
    private let base: Keymap
    /// The names that the programs are told.
    private(set) var names: [KeyStroke: String] = [:]

    /// More than programs have to say, few enough for a list.
    private static let limit = 100

    init(over base: Keymap) { self.base = base }

    /// Binds a key, or gives it back with nil.
    mutating func bind(_ stroke: KeyStroke, to name: String?) {
        if name == nil || names.count < Self.limit || names[stroke] != nil { names[stroke] = name }
    }

    /// All keys: help, palette and menus list what programs have bound beside the player's own.
    var keymap: Keymap {
        names.isEmpty
            ? base : Keymap(base, changes: names.map { Keymap.Change(strokes: [$0.key], action: .tellProgram($0.value)) })
    }
}
