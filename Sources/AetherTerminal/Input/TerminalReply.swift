/// An answer of the terminal to one of our questions. Texts are safe to display, numbers are 0…65535 unless said otherwise.
public enum TerminalReply: Hashable, Sendable {
    /// DECRQM's word on a mode.
    public enum ModeState: Int, Sendable {
        case notRecognized = 0, set, reset, permanentlySet, permanentlyReset

        /// Whether the mode can be used: it is known, and not nailed to off.
        public var isUsable: Bool { self == .set || self == .reset || self == .permanentlySet }
    }

    /// A colour whose value was asked for.
    public enum ColourSlot: Hashable, Sendable { case foreground, background, palette(Int) }

    /// XTVERSION: "XTerm(379)".
    case version(String)
    /// DA1: class of terminal and its extensions.
    case deviceAttributes([Int])
    /// DA2.
    case secondaryAttributes([Int])
    /// DECRPM of a private mode.
    case mode(Int, ModeState)
    case cellPixels(width: Int, height: Int)
    case textAreaPixels(width: Int, height: Int)
    case textAreaCells(columns: Int, rows: Int)
    /// CPR, counted from 1.
    case cursor(row: Int, column: Int)
    /// DSR 5: the terminal has read everything that came before the question; false when it says that it is broken.
    case status(Bool)
    /// The parts of kitty's keyboard protocol that are on: it is spoken.
    case keyboard(flags: Int)
    /// Answer to a kitty graphics command: ids of image and placement (0 when none), and "OK" or an error.
    case kittyGraphics(id: Int, placement: Int = 0, message: String)
    case colour(ColourSlot, red: UInt16, green: UInt16, blue: UInt16)
    /// XTSMGRAPHICS: item, status (0 = success), values.
    case graphicsAttribute(item: Int, status: Int, values: [Int])
    /// DECRQSS: the setting as the terminal would write it, nil when it refused.
    case setting(String?)
}
