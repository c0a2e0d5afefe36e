import ArgumentParser
import Glibc

/// A command line without a subcommand: a source alone is served.
enum BareSource {
    /// The arguments with the subcommand that is meant. A name of one of ours means that, also where a file is called so.
    static func arguments(_ arguments: [String]) -> [String] {
        guard let first = arguments.first, !first.hasPrefix("-") else { return arguments }
        let names = AetherCtl.configuration.subcommands.map { $0._commandName } + ["help"]
        guard !names.contains(first), first.contains("://") || access(first, F_OK) == 0 else { return arguments }
        return ["serve"] + arguments
    }
}
