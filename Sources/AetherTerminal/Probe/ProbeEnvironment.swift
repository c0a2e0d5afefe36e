/// The environment's hints about the terminal: hints, weaker than the terminal's own answers, because variables leak from one
/// terminal into another that is started from it.
public struct ProbeEnvironment: Sendable {
    private let variables: [String: String]

    /// The process's environment, or a made-up one.
    public init(_ variables: [String: String]) { self.variables = variables }

    private func value(_ name: String) -> String { variables[name] ?? "" }
    private func has(_ name: String) -> Bool { !value(name).isEmpty }

    /// TERM.
    public var term: String { value("TERM") }
    /// NO_COLOR is set to anything.
    public var noColour: Bool { has("NO_COLOR") }
    /// COLORTERM promises 24 bits.
    public var promisesTrueColour: Bool { ["truecolor", "24bit"].contains(value("COLORTERM").lowercased()) }

    /// TERM says that the cursor cannot be placed.
    public var lacksCursorAddressing: Bool { term.isEmpty || ["dumb", "unknown", "network", "dialup"].contains(term) }

    /// The kernel's own console, which prints parts of queries that it does not know.
    public var isConsole: Bool { term == "linux" || term.hasPrefix("linux-") }

    /// Across SSH: what is sent goes over a link.
    public var isRemote: Bool { has("SSH_CONNECTION") || has("SSH_TTY") || has("SSH_CLIENT") }

    /// Running inside tmux, as far as it shows: across SSH there is only TERM, which GNU screen shares.
    public var isTmux: Bool {
        if has("STY") { return false }
        return has("TMUX") || term.hasPrefix("tmux") || term.hasPrefix("screen")
    }

    /// Surely inside tmux: GNU screen would print the wrapping of what tmux hands on.
    public var isSurelyTmux: Bool { isTmux && (has("TMUX") || term.hasPrefix("tmux")) }

    /// Inside tmux or GNU screen, which take an APC string for a title.
    public var isMultiplexedByTitle: Bool { isTmux || has("STY") }

    /// Whether tmux can be asked by its own program.
    public var hasTmuxSocket: Bool { has("TMUX") }

    /// Running inside tmux or GNU screen: variables of the outer terminal say nothing about this one.
    public var isMultiplexed: Bool {
        has("TMUX") || has("STY") || has("ZELLIJ") || term.hasPrefix("screen") || term.hasPrefix("tmux")
    }

    /// Whether the locale is a UTF-8 one; nil when no locale is set.
    public var localeIsUTF8: Bool? {
        guard let name = ["LC_ALL", "LC_CTYPE", "LANG"].map(value).first(where: { !$0.isEmpty }) else { return nil }
        let lowered = name.lowercased()
        return lowered.contains("utf-8") || lowered.contains("utf8")
    }

    /// The terminal by its variables, for those that do not answer XTVERSION.
    public var identity: TerminalIdentity {
        let version = value("TERM_PROGRAM_VERSION")
        if has("TMUX") { return TerminalIdentity(name: "tmux", version: value("TERM_PROGRAM") == "tmux" ? version : "") }
        if has("STY") { return TerminalIdentity(name: "screen") }
        if isConsole { return TerminalIdentity(name: "linux") }
        let byTerm = ["xterm-kitty": "kitty", "xterm-ghostty": "ghostty", "wezterm": "WezTerm", "mlterm": "mlterm"]
        if let name = byTerm[term] { return TerminalIdentity(name: name, version: name == "mlterm" ? value("MLTERM") : "") }
        for name in ["foot", "alacritty", "contour"] where term == name || term.hasPrefix(name + "-") {
            return TerminalIdentity(name: name)
        }
        if isMultiplexed { return TerminalIdentity() }
        if has("TERM_PROGRAM") { return TerminalIdentity(name: value("TERM_PROGRAM"), version: version) }
        let byVariable = [
            ("KITTY_WINDOW_ID", "kitty"), ("WEZTERM_PANE", "WezTerm"), ("WT_SESSION", "WindowsTerminal"), ("MLTERM", "mlterm"),
        ]
        if let match = byVariable.first(where: { has($0.0) }) { return TerminalIdentity(name: match.1) }
        if has("KONSOLE_VERSION") {
            return TerminalIdentity(name: "Konsole", version: Self.konsoleVersion(value("KONSOLE_VERSION")))
        }
        if has("VTE_VERSION") { return TerminalIdentity(name: "VTE", version: value("VTE_VERSION")) }
        return TerminalIdentity()
    }

    /// "221203" is 22.12.03.
    private static func konsoleVersion(_ text: String) -> String {
        guard text.utf8.count == 6, let number = Int(text) else { return text }
        return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
    }
}
