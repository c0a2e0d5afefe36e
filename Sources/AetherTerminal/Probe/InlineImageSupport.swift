/// The terminals that understand iTerm2's inline images (OSC 1337 File). The protocol has no question whose answer says so.
public enum InlineImageSupport {
    /// A further condition.
    public enum Condition: Sendable {
        case none
        /// DA1 names sixel: xterm.js' add-on for images brings both, and is off in many a setup.
        case withSixel
    }

    /// The programs, with the first version.
    public static let table: [ProgramFact<Condition>] = [
        ProgramFact("iTerm2", .from("2.9"), .none, source: "iTerm2 documentation, inline images: since 2.9"),
        ProgramFact("iTerm.app", .from("2.9"), .none, source: "the same by TERM_PROGRAM"),
        ProgramFact("WezTerm", .from("20191124"), .none, source: "wezterm changelog, 20191124: imgcat"),
        ProgramFact("mintty", .from("2.9"), .none, source: "mintty release notes, 2.9.0"),
        ProgramFact("Konsole", .from("22.04"), .none, source: "Konsole Vt102Emulation.cpp: OSC 1337 since 22.04"),
        ProgramFact("rio", .from("0.1"), .none, source: "rio manual, iTerm2 image protocol"),
        ProgramFact("WarpTerminal", .all, .none, source: "Warp manual, image protocols"),
        ProgramFact("xterm.js", .all, .withSixel, source: "xterm.js addon-image: IIP beside sixel"),
        ProgramFact("vscode", .all, .withSixel, source: "VS Code 1.80: terminal.integrated.enableImages, by addon-image"),
    ]

    /// Whether a terminal has them.
    public static func isKnown(of identity: TerminalIdentity, hasSixel: Bool) -> Bool {
        table.contains { fact in fact.holds(for: identity) && (fact.value == .none || hasSixel) }
    }
}
