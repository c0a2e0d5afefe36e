public import AetherCore

/// Terminals that lie or stumble: what they say is overruled. Short on purpose; what a terminal answers is believed otherwise.
public enum Quirks {
    /// One known deviation.
    public struct Quirk: Sendable {
        /// As in XTVERSION or the environment, in any case.
        public let program: String
        /// Which versions, in words.
        public let versions: String
        /// What goes wrong, in words that can be shown.
        public let symptom: String
        /// Where that is known from.
        public let source: String
        /// What it changes.
        public let effect: Effect
    }

    /// What a quirk changes.
    public enum Effect: Sendable, Equatable {
        case colourDepth(TerminalColourDepth)
        case cellPixels(PixelSize)
    }

    /// All of them.
    public static let table: [Quirk] = [
        Quirk(
            program: "mlterm", versions: "to 3.9.5", symptom: "cells with 24-bit colours are drawn wrong",
            source: "chafa's terminal database", effect: .colourDepth(.indexed256)),
        Quirk(
            program: "Apple_Terminal", versions: "to 2.14",
            symptom: "24-bit colours are read as attributes (blink, wrong colours)",
            source: "Terminal.app's terminfo entry nsterm", effect: .colourDepth(.indexed256)),
        Quirk(
            program: "screen", versions: "4", symptom: "24-bit colours are read as attributes unless its truecolor option is on",
            source: "GNU screen manual, truecolor", effect: .colourDepth(.indexed256)),
        Quirk(
            program: "linux", versions: "all", symptom: "24-bit and 256 colours are reduced to 16, by a crude rule",
            source: "Linux drivers/tty/vt/vt.c", effect: .colourDepth(.ansi16)),
        Quirk(
            program: "WindowsTerminal", versions: "all",
            symptom: "TIOCGWINSZ has no pixels; sixel's virtual cell is 10x20 always",
            source: "chafa, discussion of Windows Terminal", effect: .cellPixels(PixelSize(width: 10, height: 20))),
    ]

    /// Those of a terminal.
    public static func of(_ identity: TerminalIdentity) -> [Quirk] { table.filter { identity.isProgram($0.program) } }
}
