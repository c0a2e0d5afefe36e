import AetherCore

/// Everything a key can be bound to.
public enum PlayerAction: Hashable, Sendable {
    case togglePause
    /// Seconds back or forward: a key frame that is near at once, then the exact one.
    case seek(seconds: Double)
    /// Seconds back or forward, to the exact frame alone.
    case seekExactly(seconds: Double)
    /// Seeks to 0 … 100 % of the duration.
    case seekPercent(Double)
    case seekToStart, seekToEnd
    /// Frames forward (positive) or back.
    case stepFrame(Int)
    /// Chapters forward (positive) or back.
    case stepChapter(Int)
    /// Begin of a loop, end of it, no loop.
    case markLoop
    case slower, faster, normalSpeed
    case halfSpeed, doubleSpeed
    /// Seeks to the next subtitle (positive), or to the previous one.
    case stepCue(Int)
    case volumeDown, volumeUp, toggleMute
    /// Audio later by so many seconds; negative is earlier.
    case delayAudio(seconds: Double)
    /// The ten bands of the equaliser, and its presets one after the other.
    case toggleEqualizer, nextEqualizer
    case nextAudioTrack
    case nextSubtitleTrack, previousSubtitleTrack, toggleSubtitles
    /// The next track for the top of the frame, or none.
    case nextSecondSubtitleTrack
    /// Subtitles later by so many seconds; negative is earlier.
    case delaySubtitles(seconds: Double)
    /// Rows that subtitles move up; negative is down.
    case liftSubtitles(rows: Int)
    /// Letters drawn in pixels larger or smaller by a tenth.
    case growSubtitles(Int)
    /// The list of what the subtitles say, and the search in it.
    case toggleCueList, searchSubtitles
    /// One of the colour controls, by so much of ±100.
    case adjustVideo(ColourControl, Int)
    case resetColours
    /// Another way from a high dynamic range to the terminal's, one after the other.
    case nextToneMapping
    /// All of the frame, all of the screen, or both.
    case nextFit
    /// Another shape than the source says, one after the other.
    case nextAspect
    /// Larger or smaller by so many tenths of an octave.
    case zoomVideo(Int)
    /// Pans a frame that is larger than the screen.
    case panVideo(PanDirection)
    case resetView
    case toggleBar, toggleRemaining, toggleTelemetry, toggleHelp
    /// Another page of the telemetry pane.
    case nextTelemetryPage
    /// The menu of themes, and in it the next one.
    case nextTheme
    /// Files on in the list (positive) or back.
    case stepFile(Int)
    /// The list again, the present file again, or neither; shuffled, or the list's own order.
    case nextRepeat, toggleShuffle
    /// Opens a menu, closes it when it is open.
    case showMenu(MenuKind)
    /// Look for a place with the keys; the second time, go there.
    case scrub
    /// A file of the source's frame, or of what the terminal shows.
    case saveStill, saveScreen
    /// Begins to record what is played, ends the recording.
    case toggleRecording
    /// Begins to record, but a live source from the frame on screen instead of from what is broadcast now.
    case recordFromHere
    /// Downloads the source that plays, to play it without a network; the list of downloads.
    case keepSource, toggleDownloads
    /// The files of this machine, to play one; the list of all actions, to do one.
    case browse, palette
    /// The notices and errors, with their times.
    case toggleNotices
    /// The Debug face: what the file is made of, its samples, the buffers.
    case toggleInspector
    /// The channels of a list and the programmes of one.
    case toggleChannels, toggleGuide
    /// Up to four channels side by side.
    case toggleMosaic
    /// Channels on in the list (positive) or back.
    case stepChannel(Int)
    /// The channel before the present one.
    case lastChannel
    /// The selected or present channel becomes a favourite, or is none any more.
    case toggleFavourite
    /// A setting by its name, and its new value in words.
    case set(String, String)
    /// A setting that is a number, by so much.
    case add(String, Double)
    /// The next value of a setting that has a list of them.
    case cycle(String)
    /// Back to where the person was before the last seek; a place to go back to.
    case revertSeek, markPlace
    /// The position in a line; a bar that stays.
    case sayProgress, keepBar
    /// The telemetry for a moment.
    case glanceAtTelemetry
    /// A step in the menus of a disc, or to them.
    case discMenu(DiscMenuStep)
    case nextVideoTrack, nextTitle, toggleSecondSubtitles, toggleRepeatFile
    /// Subtitles in time so that the next of them (positive) is shown now, or the one before.
    case alignCue(Int)
    /// The facts of the source; the list as a file.
    case showInfo, savePlaylist
    /// The act of a program that bound a key, by the name that it gave.
    case tellProgram(String)
    case quit
}

/// A property of a frame's colours that a person can change.
public enum ColourControl: String, Sendable, CaseIterable {
    case brightness, contrast, saturation, gamma

    /// Its name, capitalised.
    var title: String {
        switch self {
        case .brightness: translated("Brightness")
        case .contrast: translated("Contrast")
        case .saturation: translated("Saturation")
        case .gamma: translated("Gamma")
        }
    }

    var more: String {
        switch self {
        case .brightness: translated("More brightness")
        case .contrast: translated("More contrast")
        case .saturation: translated("More saturation")
        case .gamma: translated("More gamma")
        }
    }

    var less: String {
        switch self {
        case .brightness: translated("Less brightness")
        case .contrast: translated("Less contrast")
        case .saturation: translated("Less saturation")
        case .gamma: translated("Less gamma")
        }
    }
}

/// The steps in the menus of a disc.
public enum DiscMenuStep: String, Sendable, CaseIterable {
    /// To the disc's menu, and from there back to the title; to the menu above.
    case open, parent
    /// To another button.
    case up, down, left, right
    /// The selected button is chosen.
    case choose
}

/// The directions of panning a frame that is larger than the screen.
public enum PanDirection: String, Sendable, CaseIterable {
    case left, right, up, down

    /// Panning there, as a person says it.
    var sentence: String {
        switch self {
        case .left: translated("Pan left")
        case .right: translated("Pan right")
        case .up: translated("Pan up")
        case .down: translated("Pan down")
        }
    }
}
