/// The language that a person has chosen, by an option or by the variables of the environment, as gettext takes it.
public struct LanguageChoice: Sendable, Equatable {
    /// The locale of messages; where the machine does not have it, `plain` is taken.
    let locale: String
    /// The languages, best first: the variable LANGUAGE.
    let languages: String

    /// A locale that glibc always has, and in which it obeys LANGUAGE: in "C" it does not, and from 2.39 on in no "C.…", either. With a territory
    /// the name is another one, and what is found by it is C.UTF-8.
    static let plain = "C_C.UTF-8"

    /// nil: English. `option`: the code of a language, or nil for what the variables say, of which the first that is set counts: LC_ALL, LC_MESSAGES,
    /// LANG. LANGUAGE goes before them where they name any language at all.
    init?(option: String? = nil, _ variable: (String) -> String?) {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        let locale = option == nil ? ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { value($0) }.first ?? "C" : Self.plain
        let isPlain = ["c.utf-8", "c.utf8"].contains(locale.lowercased())
        guard !["C", "POSIX"].contains(locale) else { return nil }
        let own = isPlain ? nil : locale.split(whereSeparator: { $0 == "." || $0 == "@" }).first.map(String.init)
        // gettext would go on to the next language where it finds no catalogue, and of English there is none.
        let wanted = (option ?? value("LANGUAGE") ?? own ?? "").split(separator: ":").prefix { !Self.isEnglish($0) }
        guard !wanted.isEmpty else { return nil }
        (self.locale, languages) = (isPlain ? Self.plain : locale, wanted.joined(separator: ":"))
    }

    private static func isEnglish(_ name: some StringProtocol) -> Bool {
        let code = name.prefix { $0.isLetter }.lowercased()
        return ["en", "c", "posix", "english"].contains(code)
    }
}
