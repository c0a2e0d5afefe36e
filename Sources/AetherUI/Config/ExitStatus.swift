/// The status that the process exits with. After a signal it ends with that signal instead.
public enum ExitStatus: Int32, CaseIterable, Sendable {
    /// Played to the end, or quit.
    case played = 0
    /// Playback broke off midway.
    case playbackFailed = 1
    /// Nothing could be opened: no such file, not media, no decodable stream.
    case cannotOpen = 2
    /// The terminal cannot address its cursor, or lacks what was asked for.
    case terminalUnsuitable = 3
    /// The command line was not understood (EX_USAGE).
    case usage = 64
}
