public import AetherCore
public import AetherEngine

/// The list that a menu shows.
public enum MenuKind: Hashable, Sendable, CaseIterable {
    case audio, subtitles, video, chapters, files, themes, titles, devices, renderers
    /// All that is opened from elsewhere, for a hand on the mouse.
    case player
    /// All actions of a section of the help.
    case actions(ActionSection)

    /// Every menu.
    public static let allCases: [MenuKind] =
        [.audio, .subtitles, .video, .chapters, .files, .themes, .titles, .devices, .renderers, .player]
        + ActionSection.allCases.map(MenuKind.actions)

    /// The heading of the menu.
    var title: String {
        switch self {
        case .audio: translated("Audio")
        case .subtitles: translated("Subtitles")
        case .video: translated("Video")
        case .chapters: translated("Chapters")
        case .files: translated("Playlist")
        case .themes: translated("Themes")
        case .titles: translated("Titles")
        case .devices: translated("Audio devices")
        case .renderers: translated("Renderers")
        case .player: translated("Menu")
        case .actions(let section): translated("All actions: \(section.title)")
        }
    }
}

/// The effect of choosing an entry.
public enum MenuChoice: Equatable, Sendable {
    case audioTrack(TrackID)
    /// A file whose audio is played with the video: which one is asked by the browser.
    case audioFile
    /// nil: no subtitles.
    case subtitleTrack(TrackID?)
    /// A page of teletext; nil for those that are marked as subtitles.
    case teletextPage(Int?)
    /// At the top; nil: none.
    case secondSubtitleTrack(TrackID?)
    case videoTrack(TrackID)
    /// A quality of a source in segments, by its id; nil: the player chooses.
    case variant(String?, VariantTurn = .atBorder)
    /// By its place in the list, from 0.
    case chapter(Int)
    /// By its place in the list of files, from 0.
    case file(Int)
    case theme(String)
    /// By its number.
    case title(Int)
    /// By ALSA's name.
    case device(String)
    /// The plug-ins among the devices, one by one.
    case devicePlugIns
    /// By its name on the command line.
    case renderer(String)
    case setting(SettingChange)
    case action(PlayerAction)
}
