import AetherCore
import ArgumentParser
import Glibc

/// A command line without a subcommand: a source alone is served, options of `serve` before it or not.
enum BareSource {
    /// The arguments with the subcommand that is meant; options of all subcommands may stand before it. A name of one of ours means that, also where
    /// a file is called so.
    static func arguments(_ arguments: [String]) -> [String] {
        let rest = arguments[common(arguments)...], words = rest.prefix { $0 != "--" }
        let names = AetherCtl.configuration.subcommands.map { $0._commandName } + ["help", "-h", "--help"]
        guard let first = rest.first, !names.contains(first), !first.hasPrefix(completion) else { return arguments }
        // Behind an option there is the name of a subcommand, or else, before options of `serve`, its source.
        if isOption(first), words.contains(where: names.contains) { return arguments }
        let isServed =
            isOption(first) ? rest.contains { isThere($0) || !isOption($0) && isPath($0) } : isThere(first) || isPath(first)
        return isServed ? Array(arguments[..<rest.startIndex]) + ["serve"] + rest : arguments
    }

    /// The parser's own, whose value is the name of a shell.
    private static let completion = "--generate-completion-script"

    /// The number of words in front that all subcommands share.
    private static func common(_ arguments: [String]) -> Int {
        let language = "--language"
        var count = 0
        while count < arguments.count {
            let word = arguments[count]
            guard word == language || word.hasPrefix(language + "=") || word == AetherCtl.sandboxRefusal else { break }
            count += word == language ? 2 : 1
        }
        return min(count, arguments.count)
    }

    private static func isOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }

    /// A word that no subcommand is called like: the fault of that file is told.
    private static func isPath(_ word: String) -> Bool { word.contains("/") || word.contains(".") }

    private static func isThere(_ word: String) -> Bool {
        word == "-" || word.contains("://") || !isOption(word) && access(PathText.cString(word), F_OK) == 0
    }
}
