public import AetherCore

/// The output of a frame: as cells in the grid that the text is in, or as pixels beside it.
///
/// Cell renderers are an enum, for their loop over cells is specialised for each. Pixel renderers are called once a frame.
public enum FrameOutput: Sendable {
    case cells(FrameRenderer)
    case pixels(any PixelRenderer)

    /// The output that was chosen, for a terminal of those traits. `memory` is shared with a kitty on this machine; nil for none.
    public init(_ choice: EncoderChoice, traits: DisplayTraits, memory: (any SharedPixels)? = nil) {
        switch choice.renderer {
        case .sixel:
            // A terminal that says nothing has 256 registers, as every one since the VT340's 16: sixel was asked for by name.
            var sixel = traits.sixel ?? DisplayTraits.Sixel(registers: 256)
            if traits.sixel == nil { sixel.needsBottomReserve = false }
            self = .pixels(
                SixelRenderer(
                    registers: sixel.registers, limit: sixel.limit, isTmux: traits.isTmux,
                    reservesBottom: sixel.needsBottomReserve))
        case .kitty: self = .pixels(KittyRenderer(traits: traits.kitty ?? DisplayTraits.Kitty(), store: memory))
        case .iterm2: self = .pixels(InlineImageRenderer())
        case .halfblock, .quadrant, .sextant, .octant, .braille, .ascii: self = .cells(FrameRenderer(choice))
        }
    }

    /// The bytes that free the images in the terminal: for the way out, whatever happened.
    public var partingBytes: [UInt8] {
        if case .pixels(let renderer) = self { return renderer.partingBytes }
        return []
    }

    /// The rate control of moving video, without a budget yet.
    var rateControl: RateControl {
        switch self {
        case .cells: RateControl(budget: 0)
        case .pixels(let renderer): type(of: renderer).rateControl
        }
    }

    /// The name on the command line.
    public var name: String {
        switch self {
        case .cells(let renderer): renderer.name
        case .pixels(let renderer): type(of: renderer).name
        }
    }

    /// Raster pixels of one cell: a cell renderer's own number; all that a cell has where pixels are drawn, 10×20 where that is
    /// not known (what the VT340 had, and what terminals without pixels in TIOCGWINSZ assume).
    public func pixelsPerCell(cellPixels: PixelSize?) -> PixelSize {
        switch self {
        case .cells(let renderer): renderer.pixelsPerCell
        case .pixels: Self.cellPixels(cellPixels)
        }
    }

    /// Whether the frame is drawn in pixels.
    public var isPixels: Bool {
        if case .pixels = self { return true }
        return false
    }

    /// Pixels of a cell, or what stands for them.
    static func cellPixels(_ known: PixelSize?) -> PixelSize { known ?? PixelSize(width: 10, height: 20) }
}
