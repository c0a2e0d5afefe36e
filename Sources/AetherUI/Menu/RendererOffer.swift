/// The renderers that this terminal can show, and the present one.
public struct RendererOffer: Sendable, Equatable {
    /// Names of the command line; none before the terminal has answered.
    public var names: [String] = []
    /// The name of the renderer in use; "" before the first frame.
    public var present = ""

    /// An offer; empty without arguments.
    public init(names: [String] = [], present: String = "") {
        (self.names, self.present) = (names, present)
    }

    /// The name of a renderer for people, with the pixels that it makes of a cell.
    static func label(_ name: String) -> String {
        switch name {
        case "halfblock": "Half-blocks, 1×2"
        case "quadrant": "Quadrants, 2×2"
        case "sextant": "Sextants, 2×3"
        case "octant": "Octants, 2×4"
        case "braille": "Braille, 2×4"
        case "ascii": "Letters"
        case "sixel": "Sixel images"
        case "kitty": "Kitty graphics"
        case "iterm2": "iTerm2 images"
        default: name
        }
    }
}
