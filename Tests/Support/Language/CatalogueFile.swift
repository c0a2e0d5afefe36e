public import AetherCore

/// A catalogue as its translators have it (.po, .pot): the part of gettext's form that ours use.
public struct CatalogueFile: Sendable {
    /// A sentence and its translations: one, or one for each form of a count; "" while there is none.
    public struct Entry: Sendable, Equatable {
        /// The sentence of the sources.
        public var sentence: SourceSentence
        /// The forms.
        public var translations: [String]
        /// Marked as not looked at: `#, fuzzy`.
        public var isFuzzy: Bool
    }

    /// The entries behind the head.
    public private(set) var entries: [Entry] = []
    /// The head: a line for each of its fields.
    public private(set) var head = ""

    /// Reads a catalogue; nil where a line makes no sense.
    public init?(_ text: String) {
        var fields: [String: String] = [:], last = "", isFuzzy = false
        func entry() -> Entry? {
            guard let key = fields["msgid"] else { return nil }
            let forms = fields.keys.filter { $0.hasPrefix("msgstr") }.sorted().compactMap { fields[$0] }
            let sentence = SourceSentence(key: key, plural: fields["msgid_plural"], context: fields["msgctxt"] ?? "")
            return Entry(sentence: sentence, translations: forms, isFuzzy: isFuzzy)
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) + [Substring("")] {
            if line.hasPrefix("#") {
                if line.hasPrefix("#,"), line.contains("fuzzy") { isFuzzy = true }
            } else if line.isEmpty {
                if let entry = entry() {
                    if entry.sentence.key.isEmpty { head = entry.translations.first ?? "" } else { entries.append(entry) }
                }
                (fields, last, isFuzzy) = ([:], "", false)
            } else if line.hasPrefix("\"") {
                guard let more = Self.text(line) else { return nil }
                fields[last, default: ""] += more
            } else {
                guard let border = line.firstIndex(of: " "), let words = Self.text(line[line.index(after: border)...]) else {
                    return nil
                }
                last = String(line[..<border])
                fields[last] = words
            }
        }
    }

    private static func text(_ quoted: Substring) -> String? {
        guard quoted.count >= 2, quoted.hasPrefix("\""), quoted.hasSuffix("\"") else { return nil }
        var result = "", isEscaped = false
        for character in quoted.dropFirst().dropLast() {
            if isEscaped {
                result.append(character == "n" ? "\n" : character == "t" ? "\t" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// The template of sentences: each with the files that say it, in the order of their first place.
    public static func template(_ sentences: [(sentence: SourceSentence, files: [String])]) -> String {
        let head = """
            # The sentences of aether-tui. Made by `make catalogue`; CONTRIBUTING.md says how to translate.
            msgid ""
            msgstr ""
            "Project-Id-Version: aether-tui\\n"
            "MIME-Version: 1.0\\n"
            "Content-Type: text/plain; charset=UTF-8\\n"
            "Content-Transfer-Encoding: 8bit\\n"

            """
        return head
            + sentences.map { sentence, files in
                var lines = files.map { "#: \($0)" }
                if !sentence.context.isEmpty { lines.append("msgctxt \(quoted(sentence.context))") }
                lines.append("msgid \(quoted(sentence.key))")
                if let plural = sentence.plural {
                    lines += ["msgid_plural \(quoted(plural))", "msgstr[0] \"\"", "msgstr[1] \"\""]
                } else {
                    lines.append("msgstr \"\"")
                }
                return "\n" + lines.joined(separator: "\n") + "\n"
            }.joined()
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return "\"" + escaped.replacing("\t", with: "\\t") + "\""
    }

    /// The translations as a value, by which views can be looked at in the language.
    public var catalogue: Catalogue {
        let sentences = entries.map { ($0.sentence.name, $0.translations) }
        let countsZeroAsOne = head.contains("n > 1")
        return Catalogue(sentences: Dictionary(sentences) { first, _ in first }) { $0 == 1 || countsZeroAsOne && $0 == 0 ? 0 : 1 }
    }
}
