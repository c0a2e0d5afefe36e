import AetherCore

/// All that the player can do, to be found by a word: what is listed, what was typed, where the selection is. A value that draws nothing:
/// `PalettePane` draws it.
public struct Palette: Sendable {
    /// A line of the list.
    struct Entry: Sendable, Equatable {
        /// The meaning of Enter.
        enum Meaning: Sendable, Equatable {
            case perform(PlayerAction)
            /// The word wants a value: it is put into the line.
            case complete(String)
        }

        /// As a file of keys has it.
        let name: String
        /// The help page's words, or what the value is.
        let description: String
        let keys: String
        let meaning: Meaning
        /// The folded text in which typed words are found.
        let folded: String

        init(_ name: String, _ description: String, keys: String, synonyms: [String] = [], _ meaning: Meaning) {
            (self.name, self.description, self.keys, self.meaning) = (name, description, keys, meaning)
            folded = TypedWords.folded(([name, description] + synonyms).joined(separator: " "))
        }
    }

    /// The outcome of Enter.
    enum Outcome: Sendable, Equatable {
        case perform(PlayerAction)
        /// The person goes on typing, or reads why not.
        case stay
    }

    let entries: [Entry]
    private var typed = TypedWords()
    /// Indices of the entries that are found.
    private(set) var found: [Int]
    private var cursor = ListCursor()
    /// The reason why nothing was done, in a line.
    private(set) var complaint: String?
    /// The person chose a row: it counts more than what the letters alone would mean.
    private var hasMoved = false

    /// All actions: those that have keys, those that have none, then the words that take a value.
    init(_ keymap: Keymap, unicode: Bool = true) {
        var entries: [Entry] = []
        var listed: Set<PlayerAction> = []
        func list(_ action: PlayerAction, keys: String) {
            let name = ActionName.text(action)
            guard !name.isEmpty, listed.insert(action).inserted else { return }
            let words = ActionSentence.synonyms(action)
            entries.append(Entry(name, ActionSentence.text(action), keys: keys, synonyms: words, .perform(action)))
        }
        // Ten keys for ten parts of the video are one word with a value.
        for entry in keymap.entries where entry.bindings.count <= Self.mostBindings {
            for binding in entry.bindings {
                let keys = binding.strokes.map { $0.label(unicode: unicode) }.joined(separator: " ")
                list(binding.action, keys: keys.isEmpty ? entry.keysLabel(unicode: unicode) : keys)
            }
        }
        for entry in Keymap.standard.entries where entry.bindings.count <= Self.mostBindings {
            for binding in entry.bindings { list(binding.action, keys: "") }
        }
        for action in ActionName.listed { list(action, keys: "") }
        for (word, advice) in ActionName.valuedWords {
            entries.append(Entry(word, advice, keys: "", .complete(word + " ")))
        }
        self.entries = entries
        found = Array(entries.indices)
        cursor.begin(at: 0)
    }

    private static let mostBindings = 4

    /// The typed text.
    var query: String { typed.text }

    /// An index into `found`; -1 for none.
    var selection: Int { cursor.row }

    /// The action that Enter would do.
    var selected: Entry? { found.indices.contains(selection) ? entries[found[selection]] : nil }

    /// "2/50".
    var ordinal: String { "\(found.isEmpty ? 0 : selection + 1)/\(found.count)" }

    /// The words that stand where no line is found: the typed text may be an action with its value.
    var remark: String {
        do throws(ActionName.Problem) {
            return try ActionName.action(query) == nil ? translated("No such action") : translated("Enter: \(query)")
        } catch {
            let word = query.split(separator: " ").first.map(String.init) ?? ""
            return ActionName.valuedWords.contains { $0.word == word } ? error.reason : translated("No such action")
        }
    }

    // MARK: - Typing

    mutating func type(_ character: Character) {
        if typed.type(character) { find() }
    }

    mutating func erase() {
        if typed.erase() { find() }
    }

    /// The word of the selection, to be changed or given a value.
    mutating func complete() {
        guard let selected else { return }
        if case .complete(let text) = selected.meaning { begin(text) } else { begin(selected.name) }
    }

    /// Puts words into the line, to be typed on.
    private mutating func begin(_ text: String) {
        typed = TypedWords(text)
        find()
    }

    /// Every word that was typed must be in a line, in whatever order; what begins with it comes first.
    private mutating func find() {
        (complaint, hasMoved) = (nil, false)
        let whole = TypedWords.folded(query), words = typed.folded
        let matching = entries.indices.filter { index in words.allSatisfy { entries[index].folded.contains($0) } }
        let first = matching.filter { entries[$0].folded.hasPrefix(whole) }
        found = whole.isEmpty ? matching : first + matching.filter { !entries[$0].folded.hasPrefix(whole) }
        cursor.begin(at: found.isEmpty ? -1 : 0)
    }

    /// Enter: what was typed where that is an action, else what is selected, else why not.
    mutating func enter() -> Outcome {
        let text = query.split(separator: " ").joined(separator: " ")
        let word = text.split(separator: " ").first.map(String.init) ?? ""
        var reason = translated("Nothing was chosen")
        if !hasMoved, !text.isEmpty, text != "none" {
            do throws(ActionName.Problem) {
                if let action = try ActionName.action(text) { return .perform(action) }
            } catch {
                let isWord = ActionName.words.contains(word)
                reason = isWord ? error.reason : "\(text) \(error.reason)"
            }
        }
        // A word with a wrong value is not what happens to be listed under it: "seek x" is no "seek-exactly".
        let isWrong =
            !hasMoved && text.contains(" ") && ActionName.valuedWords.contains { $0.word == word }
            && selected?.folded.hasPrefix(TypedWords.folded(text)) == false
        if !isWrong, let selected {
            switch selected.meaning {
            case .perform(let action): return .perform(action)
            case .complete(let text): begin(text)
            }
            return .stay
        }
        complaint = DisplayText.singleLine(reason, limit: 200)
        return .stay
    }

    // MARK: - Moving

    /// Rows on or back; round the ends where it `wraps`.
    mutating func move(by rows: Int, wraps: Bool = false) {
        guard !found.isEmpty else { return }
        hasMoved = true
        cursor.move(by: rows, of: found.count, wraps: wraps)
    }

    /// Selects a row; false where there is none.
    mutating func select(_ index: Int) -> Bool {
        guard found.indices.contains(index) else { return false }
        (cursor.row, hasMoved) = (index, true)
        return true
    }

    /// The part that is seen in so many rows: it moves only as far as the selection makes it.
    func window(rows: Int) -> Range<Int> { cursor.window(rows: rows, of: found.count) }

    /// Keeps the part that is seen in so many rows as the one to move from. Say it after each change.
    mutating func settle(rows: Int) { cursor.settle(window(rows: rows)) }
}
