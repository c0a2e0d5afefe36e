import AetherCore
import AetherTerminal

/// The few colours that a theme is made of; the faces of all roles follow from them. The raw values are the keys under `[colors]`, and
/// names that a role's colour may refer to.
enum ThemeColor: String, CaseIterable, Sendable {
    /// Under the bar, and text on it.
    case ground, text
    /// Text that stands back.
    case dim
    /// The played part, the last action, the selection.
    case accent
    /// Errors, and keys in the help.
    case warning
    /// Under menus and panes.
    case pane
    /// The progress line: what is buffered, and the rest.
    case buffered, rest
    /// Chapter ticks.
    case tick
    case subtitle
    case subtitleGround = "subtitle-ground"
}

/// A colour for each of the names.
struct ThemeColors: Sendable, Equatable {
    private var colors: [ThemeColor: CellColor]

    subscript(color: ThemeColor) -> CellColor {
        get { colors[color] ?? .terminalDefault }
        set { colors[color] = newValue }
    }

    /// The colours of the built-in theme.
    static let standard = ThemeColors(colors: [
        .ground: .rgb(0x16, 0x18, 0x1d), .text: .rgb(0xe8, 0xe6, 0xe3), .dim: .rgb(0xa3, 0xa9, 0xb4),
        .accent: .rgb(0x7f, 0xd1, 0xff),
        .warning: .rgb(0xff, 0xc8, 0x6b), .pane: .rgb(0x0f, 0x11, 0x15), .buffered: .rgb(0x5a, 0x6b, 0x7d),
        .rest: .rgb(0x2e, 0x33, 0x3d), .tick: .rgb(0xff, 0xff, 0xff), .subtitle: .rgb(0xff, 0xff, 0xff),
        .subtitleGround: .rgb(0x00, 0x00, 0x00),
    ])

    private init(colors: [ThemeColor: CellColor]) { self.colors = colors }

    /// The face of each role in these colours.
    var faces: [ThemeRole: ChromeFace] {
        func face(_ foreground: ThemeColor, _ background: ThemeColor, _ style: CellStyle = []) -> ChromeFace {
            ChromeFace(foreground: self[foreground], background: self[background], style: style)
        }
        return [
            .bar: face(.text, .ground), .barTitle: face(.text, .ground, .bold), .barTime: face(.text, .ground),
            .barDetail: face(.dim, .ground), .barBadge: face(.dim, .rest), .barMessage: face(.accent, .ground),
            .barNotice: face(.warning, .ground, .bold),
            .progressPlayed: face(.accent, .ground), .progressBuffered: face(.buffered, .ground),
            .progressRest: face(.rest, .ground), .progressTick: face(.tick, .ground), .flash: face(.text, .ground),
            .subtitle: face(.subtitle, .subtitleGround, .bold), .pane: face(.text, .pane),
            .paneHeading: face(.accent, .pane, .bold), .paneLabel: face(.dim, .pane), .paneValue: face(.text, .pane),
            .paneWarning: face(.warning, .pane, .bold), .paneKey: face(.warning, .pane), .spectrum: face(.accent, .pane),
            .paneSelected: face(.pane, .accent, .bold),
        ]
    }
}
