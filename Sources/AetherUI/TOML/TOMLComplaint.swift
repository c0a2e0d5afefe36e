import AetherCore

/// A complaint about a line that is no TOML, for the person who wrote it: the mistake, and the right form. The library's own
/// words name its grammar.
enum TOMLComplaint {
    /// `library` is what the parser said, `line` the line that it said it of, from 1.
    static func reason(_ library: String, line number: Int, in text: String) -> String {
        let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
        let line = lines.indices.contains(number - 1) ? String(Substring(lines[number - 1])) : ""
        let said = library.dropFirst(library.hasPrefix("Error while parsing ") ? 20 : 0)
        func has(_ words: String) -> Bool { said.contains(words) }
        if has("cannot redefine") { return redefinition(String(said), line) }
        if said.hasPrefix("string") || said.hasPrefix("literal string") { return string(String(said), line) }
        if said.hasPrefix("table header") { return translated("a heading is a name in brackets, [profile.NAME] and the like") }
        if said.hasPrefix("array") { return translated("a list is in brackets with commas between: key = [\"a\", \"b\"]") }
        if has("expected '='") { return translated("the = after the key is missing: write key = value") }
        if has("expected value") { return translated("the value after the = is missing: write key = value") }
        if has("expected a comment or whitespace") {
            return translated("text after the value: one value per line, and # before a comment")
        }
        if has("expected keys") {
            return
                translated(
                    "a line begins with a key, a [heading] or #; quote a key that has other characters than letters, digits, - and _"
                )
        }
        return value(of: line)
    }

    private static func redefinition(_ said: String, _ line: String) -> String {
        let name = said.split(separator: "'").dropFirst().first.map { $0.filter { $0 != "\"" } } ?? "this"
        return said.contains("table")
            ? translated("[\(name)] appears twice: move its lines under the first one")
            : translated("\(name) is set twice: remove one of them")
    }

    private static func string(_ said: String, _ line: String) -> String {
        if said.contains("escape sequence") {
            return translated("unknown escape sequence: write \\\\ for a backslash, or put the text in 'single quotes'")
        }
        if said.contains("control characters") || said.contains("end-of-file") {
            return translated("the text is not closed: a quote is missing at its end")
        }
        return translated("unreadable text: \(said)")
    }

    /// A value that is neither number, true, false nor in quotes: nearly always a text without them.
    private static func value(of line: String) -> String {
        guard let equals = line.firstIndex(of: "=") else { return translated("the value is not a text, a number, true or false") }
        let key = line[..<equals].filter { $0 != " " && $0 != "\t" }
        var value = line[line.index(after: equals)...].prefix { $0 != "#" }.filter { $0 != "\r" && $0 != "\t" }
        while value.first == " " { value.removeFirst() }
        while value.last == " " { value.removeLast() }
        if ["true", "false"].contains(value.lowercased()) { return translated("write \(value.lowercased()) in small letters") }
        value.removeAll { "\"'\u{201C}\u{201D}\u{201E}\u{2018}\u{2019}".contains($0) }
        if value.utf8.count > 60 { value = value.prefix(40) + "\u{2026}" }
        if let first = value.first, "0123456789+-.".contains(first), value.allSatisfy({ "0123456789+-._eE".contains($0) }) {
            return translated("\(value) is not a number")
        }
        return translated("text needs straight quotes: \(key) = \"\(value)\"; numbers, true and false need none")
    }
}
