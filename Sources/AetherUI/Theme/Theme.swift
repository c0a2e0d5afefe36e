import AetherCore
public import AetherTerminal
import Glibc

/// How the chrome looks: a face for every role.
public struct Theme: Sendable, Equatable {
    /// The name in the file, or the file's own.
    public var name: String
    private var faces: [ThemeRole: ChromeFace]

    /// A theme in which every role looks as in the built-in one.
    public init(name: String) {
        self.name = name
        faces = Theme.standardFaces
    }

    /// The built-in theme; `themes/default.toml` says the same.
    public static let standard = Theme(name: "default")

    /// The face of a role.
    public subscript(role: ThemeRole) -> ChromeFace {
        get { faces[role] ?? ChromeFace() }
        set { faces[role] = newValue }
    }

    /// The colours for the screen's read-back. Without colours every role but the selected entry and the bars is reversed video, which stands out from any picture.
    public func palette(hasColor: Bool = true) -> ChromePalette {
        var palette = ChromePalette()
        for role in ThemeRole.allCases {
            // What is selected stands out from a reversed pane by not being reversed, and so do bars.
            let plain = role == .paneSelected || role == .spectrum ? self[role].style.subtracting(.reverse) : self[role].style.union(.reverse)
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
        guard let text = Theme.luminance(self[role].foreground), let ground = Theme.luminance(self[role].background) else {
            return nil
        }
        return (max(text, ground) + 0.05) / (min(text, ground) + 0.05)
    }

    /// Relative luminance by WCAG 2.
    private static func luminance(_ color: CellColor) -> Double? {
        guard color.isRGB else { return nil }
        func linear(_ value: UInt8) -> Double {
            let part = Double(value) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    }

    private static let standardFaces: [ThemeRole: ChromeFace] = {
        let ground = CellColor.rgb(0x16, 0x18, 0x1d), paper = CellColor.rgb(0xe8, 0xe6, 0xe3),
            dim = CellColor.rgb(0xa3, 0xa9, 0xb4)
        let accent = CellColor.rgb(0x7f, 0xd1, 0xff), amber = CellColor.rgb(0xff, 0xc8, 0x6b)
        let pane = CellColor.rgb(0x0f, 0x11, 0x15)
        func face(_ foreground: CellColor, _ background: CellColor, _ style: CellStyle = []) -> ChromeFace {
            ChromeFace(foreground: foreground, background: background, style: style)
        }
        return [
            .bar: face(paper, ground), .barTitle: face(paper, ground, .bold), .barTime: face(paper, ground),
            .barDetail: face(dim, ground), .barMessage: face(accent, ground), .barNotice: face(amber, ground, .bold),
            .progressPlayed: face(accent, ground), .progressBuffered: face(.rgb(0x5a, 0x6b, 0x7d), ground),
            .progressRest: face(.rgb(0x2e, 0x33, 0x3d), ground), .progressTick: face(.rgb(0xff, 0xff, 0xff), ground),
            .flash: face(paper, ground), .subtitle: face(.rgb(0xff, 0xff, 0xff), .rgb(0x00, 0x00, 0x00), .bold),
            .pane: face(paper, pane), .paneHeading: face(accent, pane, .bold), .paneLabel: face(dim, pane),
            .paneValue: face(paper, pane), .paneWarning: face(amber, pane, .bold), .paneKey: face(amber, pane),
            .spectrum: face(accent, pane), .paneSelected: face(pane, accent, .bold),
        ]
    }()
}
