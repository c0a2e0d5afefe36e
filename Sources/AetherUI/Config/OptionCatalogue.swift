import ArgumentParser
import Foundation

/// The options of the command line as the settings file knows them: by their long names, taken from the parser itself, so that an
/// option that is added there is a setting at once.
struct OptionCatalogue: Sendable {
    /// One option.
    struct Option: Sendable, Equatable {
        let name: String
        let isFlag: Bool
        /// It may be given several times.
        var isRepeated = false
        /// The words that it takes; empty where that is not a choice among words.
        var words: [String] = []
        /// As it would be written; nil where there is none.
        let defaultValue: String?
        let abstract: String
    }

    let options: [Option]

    /// Those of the player.
    static let player = OptionCatalogue(of: PlayerOptions.self)

    /// What is said once and cannot be a setting: that nobody's certificate is looked at must not be forgotten.
    private static let unsettable: Set<String> = ["help", "version", "no-config", "print-config", "ipc", "insecure"]

    /// Those of any set of arguments.
    init(of type: (some ParsableArguments).Type) {
        do {
            _ = try type.parse(["--experimental-dump-help"])
            options = []
        } catch {
            let text = type.fullMessage(for: error)
            do {
                let dump = try JSONDecoder().decode(Dump.self, from: Data(text.utf8))
                options = dump.command.arguments.compactMap(\.option).filter { !OptionCatalogue.unsettable.contains($0.name) }
            } catch {
                preconditionFailure("ArgumentParser's help dump has another form: \(error)")
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

    private struct Dump: Decodable {
        let command: Command
        struct Command: Decodable { let arguments: [Argument] }
        struct Argument: Decodable {
            let kind: String
            let names: [Name]?
            let defaultValue: String?
            let abstract: String?
            let isRepeating: Bool?
            let allValues: [String]?
            struct Name: Decodable {
                let kind: String
                let name: String
            }

            var option: Option? {
                guard kind == "flag" || kind == "option", let long = names?.first(where: { $0.kind == "long" }) else {
                    return nil
                }
                return Option(
                    name: long.name, isFlag: kind == "flag", isRepeated: isRepeating ?? false, words: allValues ?? [],
                    defaultValue: defaultValue, abstract: abstract ?? "")
            }
        }
    }
}
