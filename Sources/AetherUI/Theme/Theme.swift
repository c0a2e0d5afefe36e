import AetherCore
public import AetherTerminal

/// The look of the chrome: a face for every role.
public struct Theme: Sendable, Equatable {
    /// The name in the file, or the file's own.
    public var name: String
    /// Whether its colours follow the frame.
    public var followsVideo = false
    private var colors: ThemeColors
    /// The faces that follow from the colours, and those that are set.
    private var standing: [ThemeRole: ChromeFace], faces: [ThemeRole: ChromeFace] = [:]

    /// A theme in which every role looks as in the built-in one.
    public init(name: String) { self.init(name: name, colors: .standard) }

    init(name: String, colors: ThemeColors) {
        self.name = name
        self.colors = colors
        standing = colors.faces
    }

    /// The theme in the colours of a frame, where it follows one.
    func following(_ mood: FrameMood?) -> Theme {
        guard followsVideo, let mood else { return self }
        var theme = Theme(name: name, colors: mood.tint(colors))
        theme.faces = faces
        theme.followsVideo = true
        return theme
    }

    /// Two themes are alike where name and colours are.
    public static func == (a: Theme, b: Theme) -> Bool {
        a.name == b.name && a.followsVideo == b.followsVideo && ThemeRole.allCases.allSatisfy { a[$0] == b[$0] }
    }

    /// The built-in theme; `themes/default.toml` says the same.
    public static let standard = Theme(name: "default")

    /// The face of a role.
    public subscript(role: ThemeRole) -> ChromeFace {
        get { faces[role] ?? standing[role] ?? ChromeFace() }
        set { faces[role] = newValue }
    }

    /// The colour behind transparent parts of a frame, as a pixel of `RasterImage`: the theme's ground, where that is the terminal's own, the
    /// terminal's, as far as it is known.
    func ground(over terminal: CellColor?) -> UInt32 {
        let own = colors[.ground], color = own.isRGB ? own : terminal ?? .terminalDefault
        guard color.isRGB else { return 0xFF00_0000 }
        return 0xFF00_0000 | UInt32(color.blue) << 16 | UInt32(color.green) << 8 | UInt32(color.red)
    }

    /// The colours for the screen's read-back. Without colours every role but the selected entry and the bars is reversed video, which stands out
    /// from any frame.
    public func palette(hasColor: Bool = true) -> ChromePalette {
        var palette = ChromePalette()
        for role in ThemeRole.allCases {
            // Selected rows stand out from a reversed pane by not being reversed, and so do bars.
            let plain =
                role == .paneSelected || role == .spectrum
                ? self[role].style.subtracting(.reverse) : self[role].style.union(.reverse)
            palette[role.chromeRole] = hasColor ? self[role] : ChromeFace(style: plain)
        }
        for role in ProgressRole.allCases {
            let face = ChromeFace(foreground: self[role.colors.over].foreground, background: self[role.colors.under].foreground)
            palette[role.chromeRole] = hasColor ? face : ChromeFace(style: .reverse)
        }
        return palette
    }

    /// WCAG 2 contrast of a role's text on its ground, 1 … 21; nil where a colour is the terminal's own and so unknown.
    public func contrast(_ role: ThemeRole) -> Double? {
        guard let text = Luminance.of(self[role].foreground), let ground = Luminance.of(self[role].background) else { return nil }
        return Luminance.contrast(text, ground)
    }
}
