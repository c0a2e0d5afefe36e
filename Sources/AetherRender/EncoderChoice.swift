/// Which renderer draws the picture, and why. Pure.
public struct EncoderChoice: Sendable, Equatable {
    /// The renderers there are.
    public enum Renderer: String, Sendable, CaseIterable { case halfblock, ascii, quadrant, sextant, octant, braille }

    public let renderer: Renderer
    public let depth: ColourDepth
    /// For people: what spoke for it.
    public let reasons: [String]

    /// A choice that somebody else has made.
    public init(renderer: Renderer, depth: ColourDepth, reasons: [String] = []) {
        self.renderer = renderer
        self.depth = depth
        self.reasons = reasons
    }

    /// Decides. `requested` is the name of a renderer or nil for the best; nil is returned when the terminal cannot show what was
    /// requested, or this program cannot draw it.
    public static func choose(requested: String?, depth: ColourDepth, isUTF8: Bool) -> EncoderChoice? {
        guard let requested else {
            if !isUTF8 {
                return EncoderChoice(renderer: .ascii, depth: depth, reasons: ["the terminal does not take UTF-8: ASCII is left"])
            }
            if depth == .mono {
                return EncoderChoice(renderer: .ascii, depth: depth, reasons: ["without colours, letters show more shades than blocks"])
            }
            return EncoderChoice(renderer: .halfblock, depth: depth, reasons: ["UTF-8 and colours: half-blocks, two pixels a cell"])
        }
        guard let renderer = Renderer(rawValue: requested) else { return nil }
        if renderer != .ascii && !isUTF8 { return nil }
        return EncoderChoice(renderer: renderer, depth: depth, reasons: ["asked for on the command line"])
    }
}
