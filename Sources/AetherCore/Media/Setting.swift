/// One of the things that a person can set of playback. The raw value names it in the history, and is the name of its option where there
/// is one.
public enum Setting: String, Sendable, CaseIterable {
    case rate = "speed"
    case volume
    case muted = "mute"
    case audioDelay = "audio-delay"
    case equalizer
    case channels
    case downmix
    case crossfeed
    case fit
    case aspect
    case zoom
    case pan
    case rotation = "rotate"
    case flip
    case panscan
    case adjustment = "colours"
    case toneMapping = "tone-map"
    case deinterlacing = "deinterlace"
    case videoFilters = "vf"
    case audioFilters = "af"
    case subtitleDelay = "subtitle-delay"
    case subtitleScale = "subtitle-size"
    case subtitlePosition = "subtitle-position"
    case subtitleLook = "subtitle-look"

    /// The history keeps it for each file.
    public var isKeptForEachFile: Bool {
        switch self {
        case .rate, .audioDelay, .equalizer, .channels, .aspect, .subtitleDelay: true
        default: false
        }
    }

    /// True for corrections of one file: the next one begins without them.
    public var endsWithTheFile: Bool { self == .subtitleDelay }
}
