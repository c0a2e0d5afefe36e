import AetherCore
import AetherMedia

/// The style of subtitles.
struct SubtitleStyle: Sendable, Equatable {
    /// The delay behind the file's times; earlier where it is negative.
    var delay = TimeSpan.zero
    /// Of letters drawn in pixels; 1 is the file's own.
    var scale = 1.0
    /// The lift of lines at the bottom, in percent of the frame.
    var position = 0.0
    /// The person's look.
    var look = SubtitleLook()

    /// The file's own.
    init() {}

    /// The style that a person has set.
    init(_ settings: PlaybackSettings) {
        (delay, scale, position) = (settings.subtitleDelay, settings.subtitleScale, settings.subtitlePosition)
        look = settings.subtitleLook
    }
}

/// The choice of subtitles and their style.
struct SubtitleChoice: Sendable, Equatable {
    var track: TrackID?
    /// Shown at the top.
    var secondary: TrackID?
    var style = SubtitleStyle()
    /// Bitmaps that are not marked as forced are left out.
    var forcedOnly = false

    /// Whether a cue is shown at all.
    func shows(_ cue: SubtitleCue) -> Bool {
        guard forcedOnly, case .image(let image) = cue.body else { return true }
        return image.isForced
    }

    /// The time of a cue at which the frame of `time` is seen.
    func cueTime(at time: MediaTime) -> MediaTime { time - style.delay }
}
