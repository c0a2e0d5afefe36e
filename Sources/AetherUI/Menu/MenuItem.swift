public import AetherCore

/// Which list a menu shows.
public enum MenuKind: Hashable, Sendable, CaseIterable {
    case audio, subtitles, video, chapters, files, themes, titles, devices, renderers
    /// All that is opened from elsewhere, for a hand on the mouse.
    case player

    /// Its heading.
    var title: String {
        switch self {
        case .audio: "Audio"
        case .subtitles: "Subtitles"
        case .video: "Video"
        case .chapters: "Chapters"
        case .files: "Playlist"
        case .themes: "Themes"
        case .titles: "Titles"
        case .devices: "Audio devices"
        case .renderers: "Renderers"
        case .player: "Menu"
        }
    }
}

/// The effect of choosing an entry.
public enum MenuChoice: Equatable, Sendable {
    case audioTrack(TrackID)
    /// nil: no subtitles.
    case subtitleTrack(TrackID?)
    /// At the top; nil: none.
    case secondSubtitleTrack(TrackID?)
    case videoTrack(TrackID)
    /// By its place in the list, from 0.
    case chapter(Int)
    /// The same, of the list of files.
    case file(Int)
    case theme(String)
    /// By its number.
    case title(Int)
    /// By ALSA's name.
    case device(String)
    /// By its name on the command line.
    case renderer(String)
    case setting(SettingChange)
    case action(PlayerAction)
}

/// One line of a menu. Texts are safe to display.
public struct MenuItem: Sendable, Equatable {
    /// What it is, at the left.
    public let label: String
    /// What tells it from the others, at the right.
    public let detail: String
    /// It is what plays now.
    public let isPresent: Bool
    /// nil: a heading (or, without a label, a line) that cannot be chosen.
    public let choice: MenuChoice?

    /// An entry. `label` and `detail` may be a stranger's: they are cut at 200 scalars and stripped of what is not text.
    public init(_ label: String, detail: String = "", isPresent: Bool = false, choice: MenuChoice) {
        self.label = DisplayText.singleLine(label, limit: 200)
        self.detail = DisplayText.singleLine(detail, limit: 200)
        self.isPresent = isPresent
        self.choice = choice
    }

    private init(heading: String) {
        label = DisplayText.singleLine(heading, limit: 200)
        (detail, isPresent, choice) = ("", false, nil)
    }

    /// A line between two groups of entries.
    public static let separator = MenuItem(heading: "")

    /// A heading over a group of entries.
    public static func heading(_ text: String) -> MenuItem { MenuItem(heading: text) }

    /// Neither entry nor heading.
    var isSeparator: Bool { choice == nil && label.isEmpty }
}
