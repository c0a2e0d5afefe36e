public import AetherCore
public import AetherEngine
public import AetherFormats
public import AetherLibrary
public import AetherTerminal

/// Everything that can happen to the front end.
public enum AppMessage: Sendable {
    /// A key was pressed.
    case key(KeyStroke)
    /// The mouse did something; in cells.
    case mouse(MouseEvent)
    /// Text was pasted: files were dropped onto the terminal, perhaps.
    case paste(String)
    /// The samples that are heard now, nil when that is not known: see `AppModel.spectrumDue`.
    case heard([Float]?)
    /// The words of the song were found beside it.
    case lyrics(Lyrics)
    /// What the track of the open list says: see `AppModel.listedTrack`.
    case cues(CueListing)
    /// What a track says, for a step of so many cues in it.
    case cueStep(CueListing, Int)
    /// An action from elsewhere than a key.
    case action(PlayerAction)
    /// A command from elsewhere than a key.
    case command(PlayerCommand)
    /// The terminal has another size.
    case resize(CellSize)
    /// The engine has published.
    case snapshot(EngineSnapshot)
    /// Time has passed: see `AppModel.nextWake`.
    case tick
    /// The theme that is in use, and whether settings or the command line name it.
    case theme(String, isGiven: Bool)
    /// What was chosen for the screen the last time.
    case screenChoices(ScreenChoices)
    /// The names of all themes, after `listThemes`.
    case themes([String])
    /// A sentence for the person watching.
    case notice(String)
    /// What is being waited for, until this says nil.
    case waiting(String?)
    /// The answer to something that took its time.
    case answer(String)
    /// A picture of the place that is looked at.
    case preview(ScrubPicture)
    /// When the pictures are from of which there is one already.
    case previewsReady([MediaTime])
    /// The terminal has told what it can show.
    case capabilities(ChromeCapabilities)
    /// What the files of the list are called, safe to display.
    case files([String])
    /// No file was named: the browser is the first screen.
    case noFile
    /// What was played before, the latest first.
    case recent([RecentFile])
    /// A picture out of a file that is selected in the browser.
    case glance(String, ScrubPicture)
    /// The directory that the browser waits for.
    case directory(DirectoryAnswer)
    /// Another file is being opened. Say this before the first snapshot of that file.
    case playlist(PlaylistPosition)
}

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
    /// That file out of the list, or to another place in it; from 0.
    case removeFile(Int)
    case moveFile(Int, to: Int)
    /// Say what the track says, for a step of so many cues in it.
    case stepCue(TrackID, Int)
    /// What is played again by itself, and whether the order is one that nobody knows.
    case setRepeats(RepeatMode)
    case setShuffled(Bool)
    /// Say the names of all themes.
    case listThemes
    /// Have the engine ask what sound could be sent to.
    case listDevices
    /// Let another renderer draw, by its name on the command line.
    case useRenderer(String)
    /// Put a theme on.
    case useTheme(String)
    /// A picture of this place is wanted; the newest wish counts.
    case preview(MediaTime)
    /// None is wanted any more.
    case endPreview
    /// What the browser asks for.
    case browse(BrowserRequest)
    /// Save the picture of the source that is on screen.
    case saveStill
    /// Save the picture as the terminal shows it.
    case saveScreen
    /// What is being asked of another program is not wanted any more.
    case giveUp
    /// Restore the terminal and leave.
    case quit
    /// Something visible changed.
    case redraw
}
