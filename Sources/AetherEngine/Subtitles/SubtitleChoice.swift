public import AetherCore
import AetherMedia

/// The subtitles that a surface wants in the frame, and not as text.
public enum SubtitleBurning: Sendable, Equatable {
    /// No subtitles: the surface draws cues itself.
    case none
    /// Cues that cells cannot show: bitmaps, and of ASS scripts drawings, karaoke and what moves.
    case pictures
    /// Bitmaps, and ASS scripts as their makers styled them.
    case styled
    /// Everything, plain texts too in a plain look: for stills.
    case whole

    /// Whether a cue is in the frame.
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

/// The style of subtitles.
struct SubtitleStyle: Sendable, Equatable {
    /// The delay behind the file's times; earlier where it is negative.
    var delay = TimeSpan.zero
    /// Of letters drawn in pixels; 1 is the file's own.
    var scale = 1.0
    /// The lift of lines at the bottom, in percent of the frame.
    var position = 0.0

    /// The file's own.
    init() {}

    /// The style that a person has set.
    init(_ settings: PlaybackSettings) {
        (delay, scale, position) = (settings.subtitleDelay, settings.subtitleScale, settings.subtitlePosition)
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
