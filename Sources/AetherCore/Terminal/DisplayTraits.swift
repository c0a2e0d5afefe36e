/// The display traits of a terminal that the choice of a renderer needs: made by `AetherTerminal`, used by `AetherRender`. Plain
/// data: by whom they were found out, and how, is not known here.
public struct DisplayTraits: Sendable, Equatable {
    /// The finest block glyphs that a terminal is known to draw itself, without gaps, whatever its font.
    public enum Glyphs: Int, Sendable, Comparable, CaseIterable {
        case halfBlocks, quadrants, sextants, octants

        /// Lower has fewer pixels in a cell.
        public static func < (a: Glyphs, b: Glyphs) -> Bool { a.rawValue < b.rawValue }
    }

    /// Sixel images.
    public struct Sixel: Sendable, Equatable {
        /// Colour registers, 2…1024.
        public var registers: Int
        /// The largest image in pixels; nil when not said.
        public var limit: PixelSize?
        /// An image that ends with the screen makes the terminal scroll, or that is unknown: its bottom must be left free.
        public var needsBottomReserve = true

        /// Sixel of so many registers.
        public init(registers: Int, limit: PixelSize? = nil) {
            self.registers = registers
            self.limit = limit
        }
    }

    /// Kitty graphics.
    public struct Kitty: Sendable, Equatable {
        /// Pixels may go through POSIX shared memory: the terminal has read ours.
        public var hasSharedMemory = false
        /// Rectangles of an image can be changed in place (`a=f,r=1`).
        public var hasFrameEdits = false
        /// `N=1`: images soon replaced are kept out of the terminal's disk cache.
        public var hasTransient = false
        /// Through tmux: sequences are wrapped for it, and Unicode placeholders say where the image lies.
        public var throughTmux = false

        /// Pixels in-line only.
        public init() {}
    }

    /// The number of colours of cells.
    public var depth: ColourDepth
    /// Characters may be sent as UTF-8.
    public var isUTF8: Bool
    /// Known block glyphs.
    public var glyphs = Glyphs.halfBlocks
    /// nil where there is none.
    public var sixel: Sixel?
    /// nil where there is none.
    public var kitty: Kitty?
    /// Inline images of iTerm2 (OSC 1337).
    public var hasInlineImages = false
    /// Inside tmux: no sequence may reach 1 MiB, and few sixel images are kept.
    public var isTmux = false
    /// Across SSH: every byte goes over a link of which nothing is known yet.
    public var isRemote = false
    /// Pixels of one cell; nil when unknown, and then pixel renderers assume 10×20.
    public var cellPixels: PixelSize?
    /// The reasons for these traits, for people.
    public var reasons: [String] = []

    /// A terminal of which only this is known.
    public init(depth: ColourDepth, isUTF8: Bool) {
        self.depth = depth
        self.isUTF8 = isUTF8
    }
}
