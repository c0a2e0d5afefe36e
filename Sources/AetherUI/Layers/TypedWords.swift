import AetherCore
import AetherTerminal

/// The words that are typed to filter a list.
struct TypedWords: Sendable, Equatable {
    private(set) var text = ""

    /// Longer than what a person types to find something.
    private static let limit = 60

    init(_ text: String = "") { self.text = text }

    var isEmpty: Bool { text.isEmpty }

    /// Another letter; false where it says nothing new.
    mutating func type(_ character: Character) -> Bool {
        guard text.count < Self.limit, !(character == " " && (text.isEmpty || text.last == " ")) else { return false }
        text += character == " " ? " " : DisplayText.singleLine(String(character), limit: 8)
        return true
    }

    /// Takes the last letter back; false where there is none.
    mutating func erase() -> Bool { text.popLast() != nil }

    /// Each of them must be found, in whatever order; as `TypedWords.folded(_:)` has them.
    var folded: [String] { Self.folded(text).split(separator: " ").map(String.init) }

    /// A text without case, accents and widths: what is typed is found in this.
    static func folded(_ text: String) -> String { FoldedText.of(text) }
}
