import AetherCore
import ArgumentParser
import Glibc

/// A command line without a subcommand: a source alone is served.
enum BareSource {
    /// The arguments with the subcommand that is meant; `--language` may stand before it. A name of one of ours means that, also where a file is called so.
    static func arguments(_ arguments: [String]) -> [String] {
        let option = "--language"
        let rest = arguments.first == option ? arguments.dropFirst(2) : arguments.drop { $0.hasPrefix(option + "=") }
        guard let first = rest.first, !first.hasPrefix("-") else { return arguments }
        let names = AetherCtl.configuration.subcommands.map { $0._commandName } + ["help"]
        let isThere = first.contains("://") || access(PathText.cString(first), F_OK) == 0
        guard !names.contains(first), isThere else { return arguments }
        return Array(arguments[..<rest.startIndex]) + ["serve"] + rest
    }
}
