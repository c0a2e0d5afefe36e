/// The translations of one language, as a value: for those who look at a language without speaking it.
public struct Catalogue: Sendable {
    /// The translations by English sentence, with context and U+0004 before those that have one; of sentences with a count all forms.
    public let sentences: [String: [String]]
    private let form: @Sendable (Int) -> Int

    /// A catalogue. `form`: which of the forms a count takes.
    public init(sentences: [String: [String]], form: @escaping @Sendable (Int) -> Int) {
        (self.sentences, self.form) = (sentences, form)
    }

    func text(_ key: String, _ count: Int? = nil) -> String? {
        guard let forms = sentences[key] else { return nil }
        let number = count.map(form) ?? 0
        return forms.indices.contains(number) ? forms[number] : nil
    }
}
