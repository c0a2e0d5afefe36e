import AetherCore

/// Decides how many colours a terminal has, and says why. Evidence in the order of its weight: what cannot be, what the user
/// asked for, known lies, what the terminal did with a 24-bit colour, the environment's promise, its name, TERM.
enum ColourDepthPolicy {
    /// A terminal's answer when a 24-bit colour was set and asked back.
    enum Echo: Sendable { case kept, mapped }

    private static let trueColourPrograms: Set<String> = [
        "kitty", "foot", "wezterm", "ghostty", "alacritty", "konsole", "contour", "iterm2", "iterm.app", "windowsterminal",
        "mintty", "vscode", "rio", "xterm.js",
    ]

    /// Names in TERM of terminals that have had 256 colours for fifteen years, and answer no question where something lies between.
    private static let indexedFamilies = ["xterm", "screen", "tmux", "vte", "gnome", "konsole", "rxvt-unicode", "putty"]

    static func decide(
        environment: ProbeEnvironment, identity: TerminalIdentity, echo: Echo?
    ) -> (depth: ColourDepth, reason: String) {
        let term = environment.term
        if environment.lacksCursorAddressing { return (.mono, "TERM is ‘\(term)’: no cursor addressing") }
        if environment.noColour { return (.mono, "NO_COLOR is set") }
        for quirk in Quirks.of(identity) {
            if case .colourDepth(let depth) = quirk.effect { return (depth, quirk.sentence) }
        }
        switch echo {
        case .kept: return (.trueColor, "the terminal kept a 24-bit colour")
        case .mapped: return (.indexed256, "the terminal mapped a 24-bit colour to its palette")
        case nil: break
        }
        if environment.promisesTrueColour { return (.trueColor, "COLORTERM") }
        if trueColourPrograms.contains(identity.name.lowercased()) { return (.trueColor, "\(identity.name) has 24-bit colour") }
        // VTE_VERSION is 100 × minor: 24-bit colour came with 0.36.
        if identity.isProgram("VTE"), (Int(identity.version.filter(\.isNumber)) ?? 0) >= 3600 {
            return (.trueColor, "VTE \(identity.version) has 24-bit colour")
        }
        if term.hasSuffix("-direct") { return (.trueColor, "TERM is ‘\(term)’") }
        if term.contains("256color") { return (.indexed256, "TERM is ‘\(term)’") }
        if identity.isProgram("XTerm") || identity.isProgram("tmux") || identity.isProgram("VTE") {
            return (.indexed256, "\(identity.name) has 256 colours")
        }
        if ["vt52", "vt100", "vt102", "vt125", "vt220", "vt320", "vt420", "ansi-mono"].contains(term) {
            return (.mono, "TERM is ‘\(term)’")
        }
        if indexedFamilies.contains(where: { term == $0 || term.hasPrefix($0 + "-") || term.hasPrefix($0 + ".") }) {
            return (.indexed256, "TERM is ‘\(term)’: such terminals have 256 colours")
        }
        return (.indexed16, "TERM is ‘\(term)’, and nothing says more")
    }
}
