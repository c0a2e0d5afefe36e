import AetherCore

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
        case "halfblock": translated("Half-blocks, 1×2")
        case "quadrant": translated("Quadrants, 2×2")
        case "sextant": translated("Sextants, 2×3")
        case "octant": translated("Octants, 2×4")
        case "braille": translated("Braille, 2×4")
        case "ascii": translated("Letters")
        case "sixel": translated("Sixel images")
        case "kitty": translated("Kitty graphics")
        case "iterm2": translated("iTerm2 images")
        default: name
        }
    }
}
