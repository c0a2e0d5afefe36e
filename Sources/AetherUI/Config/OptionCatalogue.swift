import AetherCore
import ArgumentParser

/// The options of the command line as the settings file knows them: by their long names, taken from the parser itself, so that an
/// option that is added there is a setting at once.
struct OptionCatalogue: Sendable {
    /// One option.
    struct Option: Sendable, Equatable {
        let name: String
        let isFlag: Bool
        /// The option may be given several times.
        var isRepeated = false
        /// The words that it takes; empty where that is not a choice among words.
        var words: [String] = []
        /// As it would be written; nil where there is none.
        let defaultValue: String?
        let abstract: String

        /// Whether a value in a file means that nothing is set, which is how defaults without a value are printed.
        func isUnset(by value: String) -> Bool { value.isEmpty && !isFlag && defaultValue == nil }
    }

    let options: [Option]

    /// The options of the player; what they are for is said in the process's language, whatever the first to ask for them speaks.
    static let player = Language.$catalogue.withValue(nil) { OptionCatalogue(of: PlayerOptions.self) }

    /// Options that count once and cannot be settings: that no certificate is checked must not be forgotten, and a key is secret.
    static let unsettable: Set<String> = [
        "help", "version", "no-config", "print-config", "ipc", "insecure", "key", "record",
        "for", "at",
    ]

    /// The options of any set of arguments.
    init(of type: (some ParsableArguments).Type) {
        do {
            _ = try type.parse(["--experimental-dump-help"])
            options = []
        } catch {
            let text = type.fullMessage(for: error)
            do throws(JSON.Flaw) {
                guard let arguments = try JSON(text.utf8)["command"]?["arguments"]?.values else {
                    preconditionFailure("ArgumentParser's help dump has another form")
                }
                options = arguments.compactMap(OptionCatalogue.option).filter { !OptionCatalogue.unsettable.contains($0.name) }
            } catch {
                preconditionFailure("ArgumentParser's help dump is no JSON: \(error)")
            }
        }
    }

    func option(_ name: String) -> Option? { options.first { $0.name == name } }

    /// The settings in a command line, in its order; what is no option is left out.
    func settings(in arguments: [String]) -> [(option: Option, value: String)] {
        var result: [(option: Option, value: String)] = []
        var rest = arguments[...]
        while let word = rest.popFirst(), word != "--" {
            guard word.hasPrefix("--") else { continue }
            let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let option = option(String(parts[0])) else { continue }
            if option.isFlag {
                result.append((option, "true"))
            } else if parts.count == 2 {
                result.append((option, String(parts[1])))
            } else if let value = rest.popFirst() {
                result.append((option, value))
            }
        }
        return result
    }

    // MARK: - What the parser says of itself

    /// One argument of the dump; nil where it is no option with a long name.
    private static func option(_ argument: JSON) -> Option? {
        guard let kind = argument["kind"]?.text, kind == "flag" || kind == "option",
            let name = argument["names"]?.values?.first(where: { $0["kind"]?.text == "long" })?["name"]?.text
        else {
            return nil
        }
        return Option(
            name: name, isFlag: kind == "flag", isRepeated: argument["isRepeating"]?.flag ?? false,
            words: argument["allValues"]?.values?.compactMap(\.text) ?? [], defaultValue: argument["defaultValue"]?.text,
            abstract: argument["abstract"]?.text ?? "")
    }
}
