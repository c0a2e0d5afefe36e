public import AetherCore
public import AetherTerminal

/// A window of the chrome as a view wants it: where, and what is written in it. Views are functions from the scene to panes.
public struct Pane: Sendable, Equatable {
    /// A stretch of text in one role, placed from the pane's corner.
    public struct Run: Sendable, Equatable {
        /// Cells from the pane's corner.
        public var column, row: Int
        /// One line of text.
        public var text: String
        /// The colours and attributes of the text.
        public var role: ChromeRole
    }

    /// The window that shows the pane.
    public let window: WindowID
    /// The place on the screen, in cells.
    public var rect: CellRect
    /// The ground.
    public var fill: ThemeRole
    /// The texts, in the order of drawing.
    public var runs: [Run] = []

    /// An empty pane.
    public init(_ window: WindowID, at rect: CellRect, fill: ThemeRole) {
        self.window = window
        self.rect = rect
        self.fill = fill
    }

    /// Adds text.
    mutating func write(_ text: String, column: Int, row: Int, _ role: ThemeRole) {
        guard !text.isEmpty else { return }
        runs.append(Run(column: column, row: row, text: text, role: role.chromeRole))
    }
}

extension WindowID {
    /// The room of the transport bar beside audio without video, while the bar is hidden.
    public static let barGround = WindowID(rawValue: -3)
    /// The text that stands in place of a video, under everything else.
    public static let audioText = WindowID(rawValue: -2)
    /// The spectrum of audio without video.
    public static let spectrum = WindowID(rawValue: -1)
    /// The transport bar.
    public static let bar = WindowID(rawValue: 100)
    /// A message while the bar is hidden.
    public static let flash = WindowID(rawValue: 110)
    /// The thumbnail and time of scrubbing.
    public static let scrub = WindowID(rawValue: 120)
    /// The channels of a list, and the programmes of one.
    public static let channels = WindowID(rawValue: 142), guide = WindowID(rawValue: 143)
    /// The name of one of the channels side by side.
    static func mosaic(_ tile: Int) -> WindowID { WindowID(rawValue: 130 + tile) }
    /// The line around a pane.
    public static let edge = WindowID(rawValue: 190)
    /// The telemetry.
    public static let telemetry = WindowID(rawValue: 200)
    /// The subtitle list.
    public static let cues = WindowID(rawValue: 240)
    /// The equaliser.
    public static let equalizer = WindowID(rawValue: 241)
    /// The lines of a program.
    public static let script = WindowID(rawValue: 210)
    /// The facts of the source.
    public static let info = WindowID(rawValue: 243)
    /// The notices.
    public static let notices = WindowID(rawValue: 242)
    /// The file browser.
    public static let browser = WindowID(rawValue: 245)
    /// The fields of a login.
    public static let login = WindowID(rawValue: 251)
    /// The downloads.
    public static let downloads = WindowID(rawValue: 244)
    /// A menu.
    public static let menu = WindowID(rawValue: 250)
    /// The command palette.
    public static let palette = WindowID(rawValue: 260)
    /// The help.
    public static let help = WindowID(rawValue: 300)
}
