/// A sentence in the language of the person; in English where there is no translation. Any thread; without an allocation for a sentence
/// without values while the language is English, else well below a microsecond. `context` tells sentences apart that are the same in English.
public func translated(_ phrase: Phrase, context: String = "") -> String {
    phrase.filled(Language.text(phrase.key, context: context))
}

/// A sentence with a count, in the form that the language has for it. The values of the second one count.
public func translated(one: Phrase, other: Phrase, count: Int) -> String {
    guard let text = Language.plural(one.key, other.key, count) else {
        return count == 1 ? one.filled(one.key) : other.filled(other.key)
    }
    return other.filled(text)
}

/// A sentence of a table, which is translated where it is read. Only marks it for the catalogue.
public func phrase(_ phrase: Phrase) -> Phrase { phrase }
