public import AetherCore
import AetherMedia

/// The subtitles that a surface wants in the frame, and not as text.
public enum SubtitleBurning: Sendable, Equatable {
    /// Nothing: the surface draws cues itself.
    case none
    /// What cells cannot show: pictures, and of ASS scripts drawings, karaoke and what moves.
    case pictures
    /// Pictures, and ASS scripts as their makers styled them.
    case styled
    /// Everything, plain texts too in a plain look: for stills.
    case whole

    /// Whether a cue is in the picture.
    public func contains(_ cue: SubtitleCue) -> Bool {
        if case .image = cue.body { return self != .none }
        switch self {
        case .none: return false
        case .styled: return cue.markup != nil
        case .whole: return true
        case .pictures: return cue.markup.map { Self.needsPixels($0) } ?? false
        }
    }

    /// Drawings (`\p1`), karaoke (`\k`), moves, transforms and clips.
    private static func needsPixels(_ markup: String) -> Bool {
        guard markup.contains("\\") else { return false }
        for tag in markup.split(separator: "\\").dropFirst() {
            if tag.hasPrefix("move(") || tag.hasPrefix("clip(") || tag.hasPrefix("iclip(") || tag.hasPrefix("t(") { return true }
            if tag.hasPrefix("k") || tag.hasPrefix("K") { return true }
            if tag.first == "p", let digit = tag.dropFirst().first, ("1"..."9").contains(digit) { return true }
        }
        return false
    }
}

/// How subtitles are shown.
struct SubtitleStyle: Sendable, Equatable {
    /// How much later than the file says they are shown; earlier where it is negative.
    var delay = TimeSpan.zero
    /// Of letters drawn in pixels; 1 is the file's own.
    var scale = 1.0
    /// How much higher than usual lines at the bottom stand, in percent of the frame.
    var position = 0.0

    /// The file's own.
    init() {}

    /// As a person has set it.
    init(_ settings: PlaybackSettings) {
        (delay, scale, position) = (settings.subtitleDelay, settings.subtitleScale, settings.subtitlePosition)
    }
}

/// Which subtitles are shown, and how.
struct SubtitleChoice: Sendable, Equatable {
    var track: TrackID?
    /// Shown at the top.
    var secondary: TrackID?
    var style = SubtitleStyle()
    /// Pictures that are not marked as forced are left out.
    var forcedOnly = false

    /// Whether a cue is shown at all.
    func shows(_ cue: SubtitleCue) -> Bool {
        guard forcedOnly, case .image(let image) = cue.body else { return true }
        return image.isForced
    }

    /// The time of a cue at which the picture of `time` is seen.
    func cueTime(at time: MediaTime) -> MediaTime { time - style.delay }
}
