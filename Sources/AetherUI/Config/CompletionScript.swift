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
        return withAddresses(withoutHelpCommand(command.completionScript(for: kind)))
    }

    /// Prints the addresses of the history, without secrets.
    private static let addresses = "aetherctl history --urls --limit 200 2>/dev/null"

    /// Offers the addresses that were played beside the files, where something was typed of one. ArgumentParser has either files or words.
    static func withAddresses(_ script: String) -> String {
        // bash takes a word apart at its colons, and puts what is offered behind the last of them.
        let bash = """
            __aether-tui_add_addresses() {
                local word="${COMP_LINE:0:COMP_POINT}" colon='' address
                word="${word##*[[:space:]]}"
                [[ -n "${word}" ]] || return
                [[ "${COMP_WORDBREAKS}" == *:* && "${word}" == *:* ]] && colon="${word%"${word##*:}"}"
                while IFS= read -r address; do
                    [[ "${address}" == "${word}"* ]] && COMPREPLY+=("${address#"${colon}"}")
                done < <(\(addresses))
                return 0
            }

            complete -o filenames
            """
        let zsh = """
            __aether-tui_files() {
                local -a addresses
                [[ -n "${PREFIX}" ]] && addresses=(${(f)"$(\(addresses))"})
                (( ${#addresses} )) && compadd -- "${addresses[@]}"
                _files
            }

            if [[ "${funcstack[1]}" = _aether-tui ]]; then
            """
        let files = "    *)\n        __aether-tui_add_completions -f\n", positional = "-ge 1' -F"
        let fish = "complete -c 'aether-tui' -n '__aether-tui_should_offer_completions_for_positional \"aether-tui\" -ge 1'"
        return script.replacing(files, with: files + "        __aether-tui_add_addresses\n")
            .replacing("complete -o filenames", with: bash)
            .replacing("'*:file:_files'", with: "'*:file:__aether-tui_files'")
            .replacing("if [[ \"${funcstack[1]}\" = _aether-tui ]]; then", with: zsh)
            .replacing(positional, with: "\(positional)\n\(fish) -a '(\(addresses))'")
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
