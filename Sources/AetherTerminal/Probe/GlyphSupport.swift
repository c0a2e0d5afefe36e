public import AetherCore

/// The block glyphs that a terminal draws itself. No question tells, and a font's glyphs leave gaps or are missing: so programs are known
/// by name and version, and of all others half-blocks are believed.
///
/// "Seen" means that the program was run with fonts that lack U+1FB00 and U+1CD00, and the glyphs joined without gaps.
public enum GlyphSupport {
    /// The finest glyphs of a program, from a version on.
    public static let table: [ProgramFact<DisplayTraits.Glyphs>] = [
        ProgramFact("kitty", .all, .quadrants, source: "kitty changelog: block elements are drawn since 0.1"),
        ProgramFact("kitty", .from("0.19.3"), .sextants, source: "kitty changelog, 0.19.0 and 0.19.3; seen with 0.26.5"),
        ProgramFact("kitty", .from("0.40.0"), .octants, source: "kitty changelog, 0.40.0"),
        ProgramFact("foot", .from("1.8"), .quadrants, source: "foot box-drawing.c: block elements"),
        ProgramFact("foot", .from("1.13"), .sextants, source: "foot box-drawing.c: symbols for legacy computing"),
        ProgramFact("foot", .from("1.20"), .octants, source: "foot changelog, 1.20; so in notcurses' termdesc.c"),
        ProgramFact("ghostty", .all, .sextants, source: "ghostty font/sprite: symbols for legacy computing since 1.0"),
        ProgramFact("ghostty", .from("1.2"), .octants, source: "ghostty release notes, 1.2: legacy computing supplement"),
        ProgramFact("WezTerm", .from("20210314"), .quadrants, source: "wezterm manual, custom_block_glyphs"),
        ProgramFact("WezTerm", .from("20210814"), .sextants, source: "wezterm manual, custom_block_glyphs"),
        ProgramFact(
            "WezTerm", .from("20250301"), .octants, source: "wezterm manual, custom_block_glyphs: U+1CC00, nightly builds"),
        // By the version of its library, which is all it says.
        ProgramFact("alacritty", .from("0.17"), .quadrants, source: "alacritty builtin_font.rs; seen with 0.11.0"),
        ProgramFact(
            "alacritty", .from("0.24.1"), .sextants, source: "alacritty pull request 7534, in 0.14.0 with library 0.24.1"),
        ProgramFact("Konsole", .from("22.12"), .sextants, source: "Konsole LineBlockCharacters.cpp; seen with 22.12.3"),
        ProgramFact("VTE", .from("7006"), .sextants, source: "VTE minifont; seen with 0.70.6"),
        ProgramFact("VTE", .from("7800"), .octants, source: "VTE release notes, 0.78: octants"),
        ProgramFact("contour", .from("0.4"), .sextants, source: "contour BoxDrawingRenderer.cpp"),
        ProgramFact("xterm.js", .from("5.5"), .sextants, source: "arewelegacycomputingyet.com: xterm.js draws that block"),
        ProgramFact("WindowsTerminal", .from("1.22"), .quadrants, source: "Windows Terminal 1.22: built-in block elements"),
    ]

    /// The finest that is known of a terminal.
    public static func glyphs(of identity: TerminalIdentity) -> DisplayTraits.Glyphs {
        table.filter { $0.holds(for: identity) }.map(\.value).max() ?? .halfBlocks
    }
}
