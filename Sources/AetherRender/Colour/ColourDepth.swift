/// How many colours a terminal can show.
public enum ColourDepth: String, Sendable, CaseIterable {
    /// 24-bit colours.
    case trueColor
    /// The 256 entries of xterm's palette.
    case indexed256
    /// The 16 ANSI colours.
    case indexed16
    /// The terminal's own foreground and background only.
    case mono
}
