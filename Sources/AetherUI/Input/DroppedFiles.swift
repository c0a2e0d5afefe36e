import AetherSources

/// The text that a terminal pastes when files are dropped onto it: their paths or `file:` URLs, quoted as for a shell where that needs it. Other
/// texts are none. Pure.
struct DroppedFiles: Equatable {
    let locations: [MediaLocation]

    /// More at once are a slip of the hand.
    private static let limit = 64
    /// The longest path that Linux knows, for each of them.
    private static let lengthLimit = limit * 4096

    init(_ text: String) {
        let text = text.utf8.count <= Self.lengthLimit ? text : ""
        var words = Self.words(text).prefix(Self.limit).map { $0 }
        // Some terminals do not quote: one path with spaces.
        if words.count > 1, words[0].hasPrefix("/"), !text.contains(where: { "'\"\\".contains($0) }),
            words.dropFirst().allSatisfy({ !Self.isPlace($0) })
        {
            words = [text.split(whereSeparator: \.isNewline).first.map(String.init) ?? text]
        }
        locations = words.allSatisfy(Self.isPlace) ? words.map { MediaLocation.parse($0) } : []
    }

    private static func isPlace(_ word: String) -> Bool {
        word.hasPrefix("/") || ["file:///", "https://", "http://"].contains { word.lowercased().hasPrefix($0) }
    }

    /// The words, as a shell splits them.
    private static func words(_ text: String) -> [String] {
        var words: [String] = [], word = "", isWord = false, isEscaped = false
        var quote: Character?
        for character in text {
            if isEscaped {
                word.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                (isEscaped, isWord) = (true, true)
            } else if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == "'" || character == "\"" {
                (quote, isWord) = (character, true)
            } else if character.isWhitespace {
                if isWord { words.append(word) }
                (word, isWord) = ("", false)
            } else {
                word.append(character)
                isWord = true
            }
        }
        return isWord ? words + [word] : words
    }
}
