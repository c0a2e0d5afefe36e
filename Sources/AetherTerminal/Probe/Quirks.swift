public import AetherCore

/// Terminals that lie or stumble: what they say is overruled. Short on purpose; what a terminal answers is believed otherwise.
public enum Quirks {
    /// One known deviation.
    public struct Quirk: Sendable {
        /// The name as in XTVERSION or the environment, in any case.
        public let program: String
        /// The versions.
        public let versions: VersionRange
        /// The symptom, in words that can be shown.
        public let symptom: String
        /// The source of the fact.
        public let source: String
        /// The change that it makes.
        public let effect: Effect

        /// "mlterm: cells with 24-bit colours are drawn wrong".
        public var sentence: String { "\(program): \(symptom)" }
    }

    /// The change that a quirk makes.
    public enum Effect: Sendable, Equatable {
        case colourDepth(ColourDepth)
        /// The size of a cell, where the terminal does not say it.
        case cellPixels(PixelSize)
        /// Mode 80 set means that sixel scrolling is on.
        case sixelDisplayModeInverted
        /// Sixel images cannot be painted over: each replaces the cells that it lies on, clear pixels too.
        case noSixelUpdates
        /// The most sixel registers.
        case sixelRegisters(Int)
        /// Letters that are read from right to left are laid out so within each word, whatever order they are written in.
        case turnsWords
        /// A largest sixel image, where the terminal does not say it.
        case sixelLimit(PixelSize)
    }

    /// All quirks.
    public static let table: [Quirk] = [
        Quirk(
            program: "mlterm", versions: .all, symptom: "cells with 24-bit colours are drawn wrong",
            source: "chafa's terminal database; 3.9.0 answers DECRQSS with an index", effect: .colourDepth(.indexed256)),
        Quirk(
            program: "mlterm", versions: .all, symptom: "a sixel image wipes the cells below its clear pixels",
            source: "seen in 3.9.0: only what changed last was visible", effect: .noSixelUpdates),
        Quirk(
            program: "Apple_Terminal", versions: .all,
            symptom: "24-bit colours are read as attributes (blink, wrong colours)",
            source: "Terminal.app's terminfo entry nsterm", effect: .colourDepth(.indexed256)),
        Quirk(
            program: "screen", versions: .all, symptom: "24-bit colours are read as attributes unless its truecolor option is on",
            source: "GNU screen manual, truecolor", effect: .colourDepth(.indexed256)),
        Quirk(
            program: "linux", versions: .all, symptom: "24-bit and 256 colours are reduced to 16, by a crude rule",
            source: "Linux drivers/tty/vt/vt.c", effect: .colourDepth(.indexed16)),
        Quirk(
            program: "WindowsTerminal", versions: .all,
            symptom: "TIOCGWINSZ has no pixels; sixel's virtual cell is 10x20 always",
            source: "chafa, discussion of Windows Terminal", effect: .cellPixels(PixelSize(width: 10, height: 20))),
        Quirk(
            program: "XTerm", versions: .before("369"), symptom: "mode 80 has the opposite sense",
            source: "xterm changelog, patch 369; notcurses' termdesc.c", effect: .sixelDisplayModeInverted),
        Quirk(
            program: "foot", versions: .before("1.8.2"), symptom: "mode 80 has the opposite sense",
            source: "foot changelog, 1.8.2; notcurses' termdesc.c", effect: .sixelDisplayModeInverted),
        Quirk(
            program: "mintty", versions: .before("3.5.2"), symptom: "mode 80 has the opposite sense",
            source: "notcurses' termdesc.c", effect: .sixelDisplayModeInverted),
        Quirk(
            program: "XTerm", versions: .all, symptom: "sixel images end at 1000x1000 where nothing else is said",
            source: "xterm manual, maxGraphicSize", effect: .sixelLimit(PixelSize(width: 1000, height: 1000))),
        Quirk(
            program: "kitty", versions: .all, symptom: "words in Hebrew and Arabic are turned round once more",
            source: "kitty manual, force_ltr; seen in 0.26.5", effect: .turnsWords),
        Quirk(
            program: "mlterm", versions: .all, symptom: "sixel registers beyond 256 are an extension of its own",
            source: "mlterm vtemu: VT340 palette of 256; 3.9.0 answers 1024", effect: .sixelRegisters(256)),
    ]

    /// The quirks of a terminal.
    public static func of(_ identity: TerminalIdentity) -> [Quirk] {
        table.filter { identity.isProgram($0.program) && $0.versions.contains(identity.version) }
    }
}
