extension Keymap {
    /// A key, or keys one after the other, with another meaning.
    struct Change: Sendable, Equatable {
        /// One for a key, more for a chord.
        let strokes: [KeyStroke]
        /// nil: nothing any more.
        let action: PlayerAction?
    }

    /// The meaning of keys that were pressed one after the other.
    enum Meaning: Sendable, Equatable {
        case action(PlayerAction)
        /// More must follow.
        case beginning
        case nothing
    }

    /// A map with changes; of two changes of one key the later counts. A key that begins a chord has no meaning of its own any more.
    init(_ base: Keymap, changes: [Change]) {
        var single: [KeyStroke: PlayerAction?] = [:]
        var chords: [[KeyStroke]: PlayerAction] = base.chords
        for change in changes {
            if change.strokes.count == 1 {
                single[change.strokes[0]] = .some(change.action)
            } else {
                chords[change.strokes] = change.action
            }
        }
        for chord in chords.keys { single[chord[0]] = .some(nil) }
        var placed: Set<PlayerAction> = []
        var entries = base.entries.compactMap { entry -> Entry? in
            let bindings = entry.bindings.map { binding in
                placed.insert(binding.action)
                let kept = binding.strokes.filter { single[$0] == nil || single[$0] == .some(binding.action) }
                let added = single.filter { $0.value == binding.action && !kept.contains($0.key) }.map(\.key)
                return Binding(action: binding.action, strokes: kept + added.sorted { $0.label() < $1.label() })
            }
            guard bindings.contains(where: { !$0.strokes.isEmpty }) else { return nil }
            let isUnchanged = zip(bindings, entry.bindings).allSatisfy { $0.strokes == $1.strokes }
            return Entry(
                section: entry.section, description: entry.description, bindings: bindings, label: isUnchanged ? entry.label : nil
            )
        }
        let new = single.compactMap { stroke, action in action.flatMap { placed.contains($0) ? nil : (stroke, $0) } }
        for (stroke, action) in new.sorted(by: { $0.0.label() < $1.0.label() }) {
            entries.append(
                Entry(
                    section: action.section, description: ActionSentence.text(action),
                    bindings: [Binding(action: action, strokes: [stroke])],
                    label: nil))
        }
        for (chord, action) in chords.sorted(by: { Keymap.label($0.key) < Keymap.label($1.key) }) {
            entries.append(
                Entry(
                    section: action.section, description: ActionSentence.text(action),
                    bindings: [Binding(action: action, strokes: [])],
                    label: Keymap.label(chord)))
        }
        self.init(entries: entries, chords: chords)
        isStandard = changes.isEmpty
    }

    /// The meaning of the keys pressed so far.
    func meaning(of strokes: [KeyStroke]) -> Meaning {
        if strokes.count == 1, let action = action(for: strokes[0]) { return .action(action) }
        if let action = chords[strokes] { return .action(action) }
        return chords.keys.contains { $0.count > strokes.count && $0.starts(with: strokes) } ? .beginning : .nothing
    }

    /// "g g".
    static func label(_ strokes: [KeyStroke]) -> String { strokes.map { $0.label() }.joined(separator: " ") }
}
