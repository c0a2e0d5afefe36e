public import AetherCore
public import AetherTerminal

/// A window of the chrome as a view wants it: where, and what is written in it. Views are functions from the scene to panes.
public struct Pane: Sendable, Equatable {
    /// A stretch of text in one role, placed from the pane's corner.
    public struct Run: Sendable, Equatable {
        public var column, row: Int
        public var text: String
        public var role: ChromeRole
    }

    public let window: WindowID
    public var rect: CellRect
    /// The ground.
    public var fill: ThemeRole
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
    /// What stands in place of a picture, under everything else.
    public static let soundText = WindowID(rawValue: -2)
    public static let spectrum = WindowID(rawValue: -1)
    public static let bar = WindowID(rawValue: 100)
    public static let flash = WindowID(rawValue: 110)
    public static let scrub = WindowID(rawValue: 120)
    public static let telemetry = WindowID(rawValue: 200)
    public static let cues = WindowID(rawValue: 240)
    public static let equalizer = WindowID(rawValue: 241)
    public static let notices = WindowID(rawValue: 242)
    public static let browser = WindowID(rawValue: 245)
    public static let menu = WindowID(rawValue: 250)
    public static let palette = WindowID(rawValue: 260)
    public static let help = WindowID(rawValue: 300)
}
