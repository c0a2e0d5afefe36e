/// The number of colours that a terminal can show. The raw values are the names on the command line.
public enum ColourDepth: String, Sendable, CaseIterable {
    /// 24-bit colours.
    case trueColor = "24bit"
    /// The 256 entries of xterm's palette.
    case indexed256 = "256"
    /// The 16 ANSI colours.
    case indexed16 = "16"
    /// The terminal's own foreground and background only.
    case mono
}
