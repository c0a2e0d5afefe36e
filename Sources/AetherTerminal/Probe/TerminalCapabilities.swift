public import AetherCore

/// The capabilities of a terminal, as far as it and its environment told them. A value; made by `CapabilityProbe`.
public struct TerminalCapabilities: Sendable, Hashable {
    /// An sRGB colour, 8 bits a component.
    public struct Colour: Sendable, Hashable {
        /// Components, 0…255.
        public let red, green, blue: UInt8
    }

    /// The terminal's identity; inside tmux, tmux.
    public var identity = TerminalIdentity()
    /// The terminal that tmux is shown in, as tmux knows it; nil outside tmux, and where it does not know.
    public var outerIdentity: TerminalIdentity?
    /// The cursor can be placed; no image can be shown otherwise.
    public var isAddressable = true
    /// Inside tmux, or what says that it is.
    public var isTmux = false
    /// Across SSH, by the environment; what a terminal did with memory of ours refutes it.
    public var isRemote = false
    /// Answers DSR 5 (CSI 5 n): a fence behind which everything sent before has been read.
    public var answersStatus = false
    /// Frames may go inside mode 2026.
    public var synchronizedUpdate = false
    /// Mouse reports may count pixels (mode 1016).
    public var sgrPixelMouse = false
    /// kitty's keyboard protocol is spoken.
    public var keyboardProtocol = false
    /// Answer to CSI 16 t.
    public var cellPixelSize: PixelSize?
    /// Answer to CSI 14 t.
    public var windowPixelSize: PixelSize?
    /// Sixel images are understood (DA1 has a 4).
    public var sixel = false
    /// Colour registers for sixel images, 2…65535; nil when not said.
    public var sixelRegisters: Int?
    /// The largest sixel image; nil when not said.
    public var sixelLimit: PixelSize?
    /// Whether sixel scrolling is off at start (DECSDM is set); nil when not said.
    public var sixelDisplayMode: Bool?
    /// The terminal turns words that are read from right to left round by itself.
    public var turnsWords = false
    /// Kitty graphics are understood, sent in-line at least; inside tmux only if they can be placed there too.
    public var kittyGraphics = false
    /// The terminal has read a pixel out of POSIX shared memory.
    public var kittySharedMemory = false
    /// Frames of a kitty image can be changed in place; known by program and version.
    public var kittyFrameEdits = false
    /// Kitty images can be marked as short-lived; known by program and version.
    public var kittyTransient = false
    /// Inline images of iTerm2 are understood; known by program and version.
    public var inlineImages = false
    /// The finest block glyphs that the terminal draws itself; known by program and version.
    public var glyphs = DisplayTraits.Glyphs.halfBlocks
    /// The background of the terminal; nil when not said.
    public var background: Colour?
    /// Characters may be sent as UTF-8; ASCII only otherwise.
    public var utf8 = true
    /// The number of colours to use.
    public var colourDepth = ColourDepth.indexed16
    /// Whether the terminal answered anything.
    public var answered = false
    /// Quirks known by name that were applied: "mlterm: cells with 24-bit colours are drawn wrong".
    public var quirks: [String] = []
    /// One sentence for each decision: "24bit: the terminal kept a 24-bit colour".
    public var reasons: [String] = []

    /// A terminal of which nothing is known.
    public init() {}
}
