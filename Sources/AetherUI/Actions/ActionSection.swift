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
}
