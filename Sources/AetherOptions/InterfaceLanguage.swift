public import ArgumentParser

/// The languages that the programs speak: those of the catalogues in `po/`, and English.
public enum InterfaceLanguage: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// The language that the variables of the environment name.
    case auto
    /// The language of the sources.
    case english = "en"
    /// Of the catalogue de.po.
    case german = "de"
    /// Of the catalogue fr.po.
    case french = "fr"

    /// The code of the language; nil for that of the environment.
    public var code: String? { self == .auto ? nil : rawValue }

    /// The language that a command line names, before it is parsed: what is wrong with it is said in that one, too.
    public init(in arguments: [String]) {
        let words = Array(arguments.prefix { $0 != "--" }), name = "--language"
        let value = words.indices.reversed().lazy.compactMap { place -> String? in
            if words[place].hasPrefix(name + "=") { return String(words[place].dropFirst(name.count + 1)) }
            return words[place] == name && place + 1 < words.count ? words[place + 1] : nil
        }.first
        self = value.flatMap { InterfaceLanguage(rawValue: $0) } ?? .auto
    }
}
