import CLinux
import Glibc
import Synchronization

/// The language of what the program says to people: one for the process, chosen before anything is said. Until `begin` it is English.
public enum Language {
    /// Set for a task that looks at another language than the process's: what it makes out of sentences is in that one.
    @TaskLocal public static var catalogue: Catalogue?

    private static let isTranslated = Atomic<Bool>(false)

    /// Chooses the language by an option's value (nil: by the environment) and looks for its catalogue beside the program. Before any other thread
    /// exists: locale and environment are the process's. Of all locale categories only those of messages and of the encoding are set.
    public static func begin(_ option: String? = nil) {
        isTranslated.store(false, ordering: .relaxed)
        clinux_end_messages()
        guard let choice = LanguageChoice(option: option, { getenv($0).map { String(cString: $0) } }) else { return }
        // gettext reads it at each look-up.
        setenv("LANGUAGE", choice.languages, 1)
        let folder = folder(program: ChildProgram.own)
        guard clinux_begin_messages(choice.locale, folder) != 0 || clinux_begin_messages(LanguageChoice.plain, folder) != 0 else {
            return
        }
        // The head of a catalogue is the translation of nothing. Without one the C library's messages stay English, too.
        let isThere = "".withCString { clinux_translation($0).pointee != 0 }
        if isThere { isTranslated.store(true, ordering: .relaxed) } else { clinux_end_messages() }
    }

    /// The folder of the catalogues: beside PREFIX/bin and PREFIX/libexec/… there is PREFIX/share/locale, and a checkout that the program was built in
    /// has its own.
    static func folder(program: String?) -> String {
        let parts = program?.split(separator: "/") ?? []
        if let build = parts.lastIndex(where: { $0.hasPrefix(".build") }) {
            return "/" + (parts[..<build] + [".build", "locale"]).joined(separator: "/")
        }
        guard let top = parts.lastIndex(where: { $0 == "bin" || $0 == "libexec" }) else { return "/usr/share/locale" }
        return "/" + (parts[..<top] + ["share", "locale"]).joined(separator: "/")
    }

    /// The translation of an English sentence with its marks, or that sentence.
    static func text(_ key: String, context: String) -> String {
        if let catalogue { return catalogue.text(context.isEmpty ? key : context + separator + key) ?? key }
        guard isTranslated.load(ordering: .relaxed), !key.isEmpty else { return key }
        return (context.isEmpty ? key : context + separator + key).withCString { sentence in
            let found = clinux_translation(sentence)
            return found == sentence ? key : DisplayText.printable(String(cString: found))
        }
    }

    /// nil where there is no translation.
    static func plural(_ one: String, _ other: String, _ count: Int) -> String? {
        if let catalogue { return catalogue.text(one, count) }
        guard isTranslated.load(ordering: .relaxed) else { return nil }
        return one.withCString { one in
            other.withCString { other in
                let found = clinux_plural_translation(one, other, UInt(count.magnitude))
                return found == one || found == other ? nil : DisplayText.printable(String(cString: found))
            }
        }
    }

    /// gettext's, between context and sentence.
    private static let separator = "\u{4}"
}
