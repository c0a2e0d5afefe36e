public import AetherCore
public import AetherEngine

/// An effect that the app carries out, in order.
public enum AppEffect: Sendable, Equatable {
    /// Tell the engine.
    case send(PlayerCommand)
    /// The file came to its end: open the next, start over, or quit. Said once per file and end.
    case fileEnded
    /// The file broke or could not be opened. Said once per file.
    case fileFailed(MediaError)
    /// So many files on in the list, or back.
    case stepFile(Int)
    /// To a file of the list, from 0.
    case playFile(Int)
    /// Take that file out of the list, or move it to another place in it; from 0.
    case removeFile(Int)
    case moveFile(Int, to: Int)
    /// Say what the track says, for a step of so many cues in it.
    case stepCue(TrackID, Int)
    /// Move the subtitles of the track in time by so many cues.
    case alignCue(TrackID, Int)
    /// Tell programs that a key of theirs was pressed.
    case tellBinding(String)
    /// Write the list into a file.
    case savePlaylist
    /// The repeat mode, and whether the order is random.
    case setRepeats(RepeatMode)
    case setShuffled(Bool)
    /// Say the names of all themes.
    case listThemes
    /// Have the engine ask which devices audio could be sent to.
    case listDevices
    /// Let another renderer draw, by its name on the command line.
    case useRenderer(String)
    /// Put a theme on.
    case useTheme(String)
    /// A still of this place is wanted; the newest wish counts.
    case preview(MediaTime)
    /// None is wanted any more.
    case endPreview
    /// A request of the browser.
    case browse(BrowserRequest)
    /// A request of the Debug face.
    case inspect(InspectorRequest)
    /// A request about the channels of a list.
    case television(TelevisionRequest)
    /// Save the frame of the source that is on screen.
    case saveStill
    /// Save the frame as the terminal shows it.
    case saveScreen
    /// Record what is played, to a file whose name says the title and the time.
    case startRecording(fromShown: Bool)
    /// A request about the login of a server.
    case login(LoginRequest)
    /// A request about downloads.
    case download(DownloadRequest)
    /// The request to another program is not wanted any more.
    case giveUp
    /// Restore the terminal and leave.
    case quit
    /// Something visible changed.
    case redraw
}
