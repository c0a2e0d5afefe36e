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
    /// The cues of the track of the open list: see `AppModel.listedTrack`.
    case cues(CueListing)
    /// The cues of a track, for a step of so many cues in it.
    case cueStep(CueListing, Int)
    /// A program has bound a key, or gives it back.
    case binding(KeyStroke, String?)
    /// The lines that programs have on the screen.
    case scriptText([String])
    /// The cues of a track, of which so many are stepped over by moving the subtitles in time.
    case cueAlign(CueListing, Int)
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
    /// The choices for the screen of the last time.
    case screenChoices(ScreenChoices)
    /// The names of all themes, after `listThemes`.
    case themes([String])
    /// A sentence for the person watching.
    case notice(String)
    /// The words for what the player waits for, until this says nil.
    case waiting(String?)
    /// The answer to something that took its time.
    case answer(String)
    /// A still of the place that is looked at.
    case preview(ScrubStill)
    /// The times of the stills that there are already.
    case previewsReady([MediaTime])
    /// The terminal has told what it can show.
    case capabilities(ChromeCapabilities)
    /// The names of the files of the list, safe to display.
    case files([String])
    /// No file was named: the browser is the first screen.
    case noFile
    /// The files that were played before, the latest first.
    case recent([RecentFile])
    /// A still out of a file that is selected in the browser.
    case glance(String, ScrubStill)
    /// The meters of the audio that is heard now, for the Debug face's Audio tab.
    case metered(AudioView)
    /// The last requests to servers, for the Debug face's Buffers tab.
    case requests([NetworkRequest])
    /// A result of the inspection of the present file, for the Debug face.
    case inspected(InspectorFind)
    /// The facts of files, by their paths.
    case facts([String: FileFacts])
    /// The directory that the browser waits for.
    case directory(DirectoryAnswer)
    /// A server wants a login, which nobody knows but the person; the name that is known, "" for none.
    case loginAsked(LoginQuestion, user: String)
    /// The login for a directory of the browser is known now.
    case loginGiven(LoginQuestion)
    /// The downloads, as they are now.
    case downloads([DownloadEntry])
    /// News of the channels of a list.
    case television(TelevisionNews)
    /// The states of the channels beside the player's own.
    case mosaic([TileState])
    /// The channel of a number was asked for from elsewhere than a key.
    case channelNumber(Int)
    /// Another file is being opened. Say this before the first snapshot of that file.
    case playlist(PlaylistPosition)
}
