/// Everything a key can be bound to.
public enum PlayerAction: Hashable, Sendable {
    case togglePause
    /// Seconds back or forward, landing on a key frame when one is near.
    case seek(seconds: Int)
    /// Seconds back or forward, to the exact frame.
    case seekExactly(seconds: Int)
    /// To 0, 10 … 90 % of the duration.
    case seekPercent(Int)
    case seekToStart, seekToEnd
    /// Frames forward (positive) or back.
    case stepFrame(Int)
    /// Chapters forward (positive) or back.
    case stepChapter(Int)
    /// Begin of a loop, end of it, no loop.
    case markLoop
    case slower, faster, normalSpeed
    case volumeDown, volumeUp, toggleMute
    /// Sound later by so many seconds; negative is earlier.
    case delaySound(seconds: Double)
    case nextAudioTrack
    case nextSubtitleTrack, previousSubtitleTrack, toggleSubtitles
    /// The next track for the top of the picture, or none.
    case nextSecondSubtitleTrack
    /// Subtitles later by so many seconds; negative is earlier.
    case delaySubtitles(seconds: Double)
    /// Rows that subtitles move up; negative is down.
    case liftSubtitles(rows: Int)
    /// Letters drawn in pixels larger or smaller by a tenth.
    case growSubtitles(Int)
    case toggleBar, toggleRemaining, toggleTelemetry, toggleHelp
    /// Files on in the list (positive) or back.
    case stepFile(Int)
    /// Opens a menu, closes it when it is open.
    case showMenu(MenuKind)
    case quit
}
