public import AetherCore

/// How many colours the cells of a terminal have.
public enum TerminalColourDepth: String, Sendable, Hashable, CaseIterable {
    /// 24-bit.
    case trueColour = "24bit"
    case indexed256 = "256"
    case ansi16 = "16"
    /// Cursor addressing, no colours.
    case mono
    /// Not even cursor addressing: no picture can be shown.
    case none
}

/// Who the terminal says it is.
public struct TerminalIdentity: Sendable, Hashable {
    /// "kitty", "XTerm", "tmux"; "" when unknown.
    public let name: String
    /// "0.26.5"; "" when unknown.
    public let version: String

    /// An identity.
    public init(name: String = "", version: String = "") {
        self.name = name
        self.version = version
    }

    /// From an XTVERSION text: "XTerm(379)", "tmux 3.3a", "kitty(0.26.5)".
    public init(report: String) {
        let end = report.firstIndex { $0 == "(" || $0 == " " || $0 == "/" } ?? report.endIndex
        name = String(report[..<end])
        version = String(report[end...].drop { "( /".contains($0) }.prefix { $0 != ")" && $0 != " " })
    }

    /// Whether it is the program of that name, in any spelling of case.
    public func isProgram(_ program: String) -> Bool { name.lowercased() == program.lowercased() }
}

/// What a terminal can do, as far as it and its environment said. A value; made by `CapabilityProbe`.
public struct TerminalCapabilities: Sendable, Hashable {
    /// An sRGB colour, 8 bits a component.
    public struct Colour: Sendable, Hashable {
        /// Components, 0…255.
        public let red, green, blue: UInt8
    }

    /// Who it is.
    public var identity = TerminalIdentity()
    /// Frames may go inside mode 2026.
    public var synchronizedUpdate = false
    /// Mouse reports may count pixels (mode 1016).
    public var sgrPixelMouse = false
    /// Answer to CSI 16 t.
    public var cellPixelSize: PixelSize?
    /// Answer to CSI 14 t.
    public var windowPixelSize: PixelSize?
    /// Sixel pictures are understood (DA1 has a 4).
    public var sixel = false
    /// Colour registers for sixel pictures, 2…65535; nil when not said.
    public var sixelRegisters: Int?
    /// The largest sixel picture; nil when not said.
    public var sixelLimit: PixelSize?
    /// Whether sixel scrolling is off at start (mode 80, DECSDM); nil when not said.
    public var sixelDisplayMode: Bool?
    /// Kitty graphics are understood, sent in-line at least.
    public var kittyGraphics = false
    /// Answers `CSI 5 n`, so that what has arrived can be told from what was written.
    public var answersStatus = false
    /// Its background; nil when not said.
    public var background: Colour?
    /// Characters may be sent as UTF-8; ASCII only otherwise.
    public var utf8 = true
    /// How many colours to use.
    public var colourDepth = TerminalColourDepth.ansi16
    /// Whether the terminal answered anything.
    public var answered = false
    /// One sentence for each decision: "24bit: the terminal kept a 24-bit colour".
    public var reasons: [String] = []

    /// A terminal of which nothing is known.
    public init() {}
}
