/// The state of a decoder of a terminal's bytes within a sequence.
enum DecoderState: Sendable {
    case ground
    /// Inside a UTF-8 character.
    case utf8(CharacterBytes)
    case escape
    case ss3
    case csi
    /// Linux console's `CSI [ A` for F1–F5.
    case consoleFunction
    /// The three bytes of an X10 mouse report, which we never ask for.
    case x10Mouse(Int)
    case string(UInt8)
    /// ESC inside a string: `\` ends it.
    case stringEscape(UInt8)
    case paste
}
