public import ArgumentParser

/// The script that a shell reads to complete a command line.
///
/// ArgumentParser makes it, and has it offer a subcommand `help` that a player of files does not have: for zsh that makes a second rest of the
/// line beside the files, which zsh refuses ("doubled rest argument definition") at every Tab.
public enum CompletionScript {
    private static let option = "--generate-completion-script"

    /// The script that a command line asks for; nil where it asks for none, or for a shell that is not known.
    public static func asked(by arguments: [String], of command: (some ParsableCommand).Type) -> String? {
        let shell: String
        if arguments.count == 2, arguments[0] == option {
            shell = arguments[1]
        } else if arguments.count == 1, arguments[0].hasPrefix(option + "=") {
            shell = String(arguments[0].dropFirst(option.count + 1))
        } else {
            return nil
        }
        guard let kind = CompletionShell.allCases.first(where: { $0.rawValue == shell }) else { return nil }
        return withoutHelpCommand(command.completionScript(for: kind))
    }

    /// Lines that offer `help` as a command, in each shell's words.
    private static let marks = [
        "'(-): :->command'", "'(-)*:: :->arg'", "-d 'Show subcommand help information.'", "COMPREPLY+=($(compgen -W 'help' --",
    ]

    static func withoutHelpCommand(_ script: String) -> String {
        script.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { line in !marks.contains { line.contains($0) } }
            // bash: a branch must not be empty.
            .map { $0.hasSuffix("# Offer subcommand completions") ? $0 + "\n        :" : String($0) }
            .joined(separator: "\n")
    }
}
