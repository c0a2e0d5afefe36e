import AetherCore

/// Whether the transport bar is shown, until when, and which time it shows.
public struct BarState: Sendable, Equatable {
    /// Whether the bar comes and goes by itself or is switched off.
    public enum Mode: Sendable, Equatable { case automatic, off }

    var mode = Mode.automatic
    /// The time until which an automatic bar stays during playback.
    var hidesAt: HostTime
    var isVisible = false
    /// An automatic bar does not hide.
    var stays = false
    /// A source that opens as fast as a local file brings its first frame before this: the bar is not flashed until then.
    var quietUntil: HostTime
    var showsRemaining = false
    /// In place of the remaining time of a recording: when the present moment was made, where the source says so.
    var showsTimeOfDay = false
    /// The clock of the wall at the last look at the engine, in seconds since 1970, for the borders of programmes; 0 before.
    var unix: Int64 = 0
    /// The person has said whether the bar is there, and which time it shows.
    var hasChosenMode = false, hasChosenTime = false

    /// 4 s: long enough to read the bar twice, short enough not to sit through a scene.
    static let stay = TimeSpan.seconds(4)
    /// 0.5 s: past that a person wonders whether anything happens.
    static let quietStart = TimeSpan.milliseconds(500)

    /// The first frame is shown bare: a key, a pause or a slow source brings the bar.
    init(now: HostTime) { (hidesAt, quietUntil) = (now, now + Self.quietStart) }

    /// Two rows where they leave the video at least four, and something fits into the upper one.
    static func rows(on size: CellSize) -> Int { size.rows >= 6 && size.columns >= 24 ? 2 : 1 }

    /// Brings an automatic bar back for a while.
    mutating func touch(_ now: HostTime) {
        if mode == .automatic { hidesAt = now + Self.stay }
    }

    /// Keeps an automatic bar until a time at least.
    mutating func stay(until time: HostTime) {
        if mode == .automatic { hidesAt = max(hidesAt, time) }
    }

    /// Switches the bar on or off.
    mutating func switchOn(_ isOn: Bool) {
        hasChosenMode = true
        mode = isOn ? .automatic : .off
        if !isOn { isVisible = false }
    }
}
