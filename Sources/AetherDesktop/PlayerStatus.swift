public import AetherCore

/// The player's state as a desktop is told it: a value, made anew whenever the player's state changed.
public struct PlayerStatus: Sendable, Equatable {
    /// The state that the person asked for.
    public enum Transport: String, Sendable { case playing = "Playing", paused = "Paused", stopped = "Stopped" }

    /// The state of playback.
    public var transport = Transport.stopped
    /// Rises with each file.
    public var track = 0
    /// Rises with each seek.
    public var seeks = 0
    /// Safe to display, like artist and album; "" where it is unknown.
    public var title = "", artist = "", album = ""
    /// A file: or other URL of what is played.
    public var url: String?
    /// A file: URL of its cover.
    public var artURL: String?
    /// nil where it is unknown.
    public var duration: TimeSpan?
    /// The position at `positionAt`, from the start of the file.
    public var position = TimeSpan.zero
    /// The host time at which `position` was true.
    public var positionAt = HostTime(nanoseconds: 0)
    /// Whether the clock runs: it does not while something is waited for.
    public var isMoving = false
    /// Media seconds a second, 0.25 … 4.
    public var rate = 1.0
    /// 0 … 1.5; 1 is the file's own level.
    public var volume = 1.0
    /// The repeat mode.
    public var repeats = RepeatMode.off
    /// The list is shuffled.
    public var shuffles = false
    /// The commands that the player would obey now.
    public var canGoNext = false, canGoPrevious = false, canSeek = false

    /// The status of a player without a source.
    public init() {}

    /// True where this is the earlier status with only the clock run on, to half a second.
    public func isExpected(after earlier: PlayerStatus) -> Bool {
        var same = self
        (same.position, same.positionAt) = (earlier.position, earlier.positionAt)
        return same == earlier && (earlier.position(at: positionAt) - position(at: positionAt)).magnitude < .milliseconds(500)
    }

    /// The position now.
    public func position(at now: HostTime) -> TimeSpan {
        let moved = isMoving ? position + (now - positionAt).scaled(by: rate) : position
        return max(.zero, min(moved, duration ?? moved))
    }
}

/// A request of a desktop to the player.
public enum DesktopRequest: Sendable, Equatable {
    case play, pause, playPause, stop, next, previous, quit
    case seek(by: TimeSpan)
    /// A seek to this time from the start of the file.
    case setPosition(TimeSpan)
    case setVolume(Double)
    case setRate(Double)
    case setRepeats(RepeatMode)
    case setShuffles(Bool)
    /// Play this instead.
    case open(String)
}
