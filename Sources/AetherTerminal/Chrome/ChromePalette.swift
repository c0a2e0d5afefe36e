public import AetherCore

/// The role of a piece of text in the chrome, as a number; the palette says how it looks. 1 … 63: ncurses carries it as the number
/// of a colour pair, and the poorest terminfo entry we accept has 64 of them.
public struct ChromeRole: RawRepresentable, Hashable, Sendable {
    /// The number of the colour pair.
    public let rawValue: UInt8

    /// A role; numbers outside 1 … 63 become the nearest allowed one.
    public init(rawValue: UInt8) { self.rawValue = min(max(rawValue, 1), ChromeRole.last) }

    static let last: UInt8 = 63
}

/// The colours and attributes of a role.
public struct ChromeFace: Hashable, Sendable {
    /// The colours of the text and behind it.
    public var foreground, background: CellColor
    /// Attributes such as bold and underline.
    public var style: CellStyle

    /// A look; without arguments the terminal's own.
    public init(
        foreground: CellColor = .terminalDefault, background: CellColor = .terminalDefault, style: CellStyle = []
    ) {
        self.foreground = foreground
        self.background = background
        self.style = style
    }
}

/// The looks of all roles.
public struct ChromePalette: Sendable, Equatable {
    private var faces = [ChromeFace](repeating: ChromeFace(), count: Int(ChromeRole.last) + 1)

    /// Every role in the terminal's own colours.
    public init() {}

    /// The look of a role.
    public subscript(role: ChromeRole) -> ChromeFace {
        get { faces[Int(role.rawValue)] }
        set { faces[Int(role.rawValue)] = newValue }
    }

    /// The look for a pair number found in a cell; numbers that are no role get the terminal's own colours.
    func face(pair: Int) -> ChromeFace { faces.indices.contains(pair) ? faces[pair] : ChromeFace() }
}
