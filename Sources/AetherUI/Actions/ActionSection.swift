import AetherCore

/// The subjects of actions, in the order of the help and of the menus.
public enum ActionSection: String, CaseIterable, Sendable {
    /// Playing, files and channels.
    case playback = "Playback"
    /// Places in the source.
    case seeking = "Seeking"
    case audio = "Audio"
    case subtitles = "Subtitles"
    case video = "Video"
    /// Bar and panes over the video, and stills, recordings and downloads of it.
    case display = "Display"

    /// The heading of the section.
    var title: String {
        switch self {
        case .playback: translated("Playback")
        case .seeking: translated("Seeking")
        case .audio: translated("Audio")
        case .subtitles: translated("Subtitles")
        case .video: translated("Video")
        case .display: translated("Display")
        }
    }

    /// The name of the menu of all its actions.
    var menuSentence: String {
        switch self {
        case .playback: translated("All actions: playback")
        case .seeking: translated("All actions: seeking")
        case .audio: translated("All actions: audio")
        case .subtitles: translated("All actions: subtitles")
        case .video: translated("All actions: video")
        case .display: translated("All actions: display")
        }
    }
}
