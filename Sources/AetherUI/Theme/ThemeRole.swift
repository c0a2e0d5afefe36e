public import AetherTerminal

/// A role that a theme can colour. The raw values are the keys of a theme file.
public enum ThemeRole: String, CaseIterable, Sendable {
    /// The bar's ground, and plain text on it.
    case bar
    case barTitle = "bar-title"
    case barTime = "bar-time"
    /// Volume, speed, tracks.
    case barDetail = "bar-detail"
    /// Badges: size, codec and the like, in a word each.
    case barBadge = "bar-badge"
    /// The last action, and the engine's reports.
    case barMessage = "bar-message"
    case barNotice = "bar-notice"
    /// The three stretches of the progress line; only their foregrounds count.
    case progressPlayed = "progress-played"
    case progressBuffered = "progress-buffered"
    case progressRest = "progress-rest"
    /// Chapter ticks; only the foreground counts.
    case progressTick = "progress-tick"
    /// The one line that answers when the bar is hidden.
    case flash
    case subtitle
    /// The ground of menus and of the telemetry and help panes, and plain text on it.
    case pane
    case paneHeading = "pane-heading"
    case paneLabel = "pane-label"
    case paneValue = "pane-value"
    case paneWarning = "pane-warning"
    case paneKey = "pane-key"
    /// The bars of audio without video; only the foreground counts over the pane's ground.
    case spectrum
    /// The entry of a menu that would be chosen, and the line that is sung.
    case paneSelected = "pane-selected"

    /// The number that ncurses carries for it.
    public var chromeRole: ChromeRole { ChromeRole(rawValue: number) }

    private var number: UInt8 { UInt8((ThemeRole.allCases.firstIndex(of: self) ?? 0) + 1) }
}

/// The colour pairs of the progress line, made from the theme's foregrounds.
enum ProgressRole: UInt8, CaseIterable {
    case played = 40, buffered, rest
    case playedOverBuffered, playedOverRest, bufferedOverRest
    case tickOnPlayed, tickOnBuffered, tickOnRest

    var chromeRole: ChromeRole { ChromeRole(rawValue: rawValue) }

    /// The role whose foreground is drawn, and the role under it.
    var colors: (over: ThemeRole, under: ThemeRole) {
        switch self {
        case .played: (.progressPlayed, .progressPlayed)
        case .buffered: (.progressBuffered, .progressBuffered)
        case .rest: (.progressRest, .progressRest)
        case .playedOverBuffered: (.progressPlayed, .progressBuffered)
        case .playedOverRest: (.progressPlayed, .progressRest)
        case .bufferedOverRest: (.progressBuffered, .progressRest)
        case .tickOnPlayed: (.progressTick, .progressPlayed)
        case .tickOnBuffered: (.progressTick, .progressBuffered)
        case .tickOnRest: (.progressTick, .progressRest)
        }
    }
}
