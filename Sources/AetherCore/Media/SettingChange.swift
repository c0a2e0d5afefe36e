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
    case fit
    case aspect
    case zoom
    case pan
    case adjustment = "colours"
    case toneMapping = "tone-map"
    case deinterlacing = "deinterlace"
    case subtitleDelay = "subtitle-delay"
    case subtitleScale = "subtitle-size"
    case subtitlePosition = "subtitle-position"

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

/// A setting and its new value. Amounts out of range are brought inside by `checked`; `PlaybackSettings.apply` does that by itself.
public enum SettingChange: Sendable, Equatable {
    /// Speed of play with the pitch kept, 0.25...4.
    case rate(Double)
    /// A factor of the samples, 0...1.5; 1 is the file's own level.
    case volume(Double)
    /// Audio runs on unheard.
    case muted(Bool)
    /// Gains of the ten bands in dB.
    case equalizer(EqualizerCurve)
    /// Audio later (or earlier, negative) than the file says, −10...10 s.
    case audioDelay(TimeSpan)
    /// The channels that the audio device is asked for. Another layout opens it anew.
    case channels(SpeakerLayout)
    /// How loud channels are that go into fewer speakers.
    case downmix(Downmix)
    /// The way in which the frame is fitted into the window.
    case fit(PictureView.Fit)
    /// Width to height of the whole frame, 0.1...10; nil for the file's own.
    case aspect(Double?)
    /// Times as large as `fit` says, 0.25...8.
    case zoom(Double)
    /// The part that is seen of a frame that is larger than its room, −1...1 from edge to edge.
    case pan(x: Double, y: Double)
    /// Brightness, contrast, saturation and gamma, −100...100 each.
    case adjustment(PictureAdjustment)
    /// The curve for HDR video; a standing frame is mapped anew.
    case toneMapping(ToneMapping)
    /// The deinterlacing: when, and at which rate.
    case deinterlacing(Deinterlacing)
    /// Subtitles later (or earlier, negative) than the file says, an hour at most.
    case subtitleDelay(TimeSpan)
    /// Size of letters drawn in pixels, 0.25...4; 1 is the file's own.
    case subtitleScale(Double)
    /// The lift of lines at the bottom, 0...100 % of the frame.
    case subtitlePosition(Double)

    /// The setting that is changed.
    public var setting: Setting {
        switch self {
        case .rate: .rate
        case .volume: .volume
        case .muted: .muted
        case .equalizer: .equalizer
        case .audioDelay: .audioDelay
        case .channels: .channels
        case .downmix: .downmix
        case .fit: .fit
        case .aspect: .aspect
        case .zoom: .zoom
        case .pan: .pan
        case .adjustment: .adjustment
        case .toneMapping: .toneMapping
        case .deinterlacing: .deinterlacing
        case .subtitleDelay: .subtitleDelay
        case .subtitleScale: .subtitleScale
        case .subtitlePosition: .subtitlePosition
        }
    }

    /// The same within the setting's range; nil for NaN, which is no amount.
    public var checked: SettingChange? {
        switch self {
        case .rate(let rate): Self.bounded(rate, 0.25...4).map { .rate($0) }
        case .volume(let volume): Self.bounded(volume, 0...1.5).map { .volume($0) }
        case .audioDelay(let delay): .audioDelay(Self.bounded(delay, .seconds(10)))
        case .aspect(let aspect):
            // A shape out of range is damage, and not a wish for the longest.
            .aspect(aspect.flatMap { (0.1...10).contains($0) ? $0 : nil })
        case .zoom(let zoom): Self.bounded(zoom, 0.25...8).map { .zoom($0) }
        case .pan(let x, let y):
            Self.bounded(x, -1...1).flatMap { x in Self.bounded(y, -1...1).map { y in .pan(x: x, y: y) } }
        case .adjustment(let colours):
            .adjustment(
                PictureAdjustment(
                    brightness: colours.brightness, contrast: colours.contrast, saturation: colours.saturation,
                    gamma: colours.gamma))
        case .subtitleDelay(let delay): .subtitleDelay(Self.bounded(delay, .seconds(3600)))
        case .subtitleScale(let scale): Self.bounded(scale, 0.25...4).map { .subtitleScale($0) }
        case .subtitlePosition(let position): Self.bounded(position, 0...100).map { .subtitlePosition($0) }
        case .muted, .equalizer, .channels, .downmix, .fit, .toneMapping, .deinterlacing: self
        }
    }

    private static func bounded(_ value: Double, _ range: ClosedRange<Double>) -> Double? {
        value.isNaN ? nil : min(max(value, range.lowerBound), range.upperBound)
    }

    private static func bounded(_ span: TimeSpan, _ limit: TimeSpan) -> TimeSpan { max(.zero - limit, min(span, limit)) }
}

/// Settings in words, for the history and the remote control. Numbers have a point and no unit: seconds, factors, percent of the frame.
extension SettingChange {
    /// The value in words; `init(_:text:)` reads it.
    public var text: String {
        switch self {
        case .rate(let value), .volume(let value), .zoom(let value), .subtitleScale(let value), .subtitlePosition(let value):
            "\(value)"
        case .muted(let isMuted): isMuted ? "yes" : "no"
        case .equalizer(let curve): curve.description
        case .audioDelay(let delay), .subtitleDelay(let delay): "\(delay.seconds)"
        case .channels(let layout): layout.rawValue
        case .downmix(let downmix): downmix.rawValue
        case .fit(let fit): fit.rawValue
        case .aspect(let aspect): aspect.map { "\($0)" } ?? "source"
        case .pan(let x, let y): "\(x),\(y)"
        case .adjustment(let colours): "\(colours.brightness),\(colours.contrast),\(colours.saturation),\(colours.gamma)"
        case .toneMapping(let mapping): mapping.rawValue
        case .deinterlacing(let way): "\(way.mode.rawValue),\(way.fieldRate.rawValue)"
        }
    }

    /// Reads the value of a setting; nil for other words, and for amounts out of range.
    public init?(_ setting: Setting, text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard let change = Self.read(setting, text, parts), change.checked == change else { return nil }
        self = change
    }

    private static func read(_ setting: Setting, _ text: String, _ parts: [String]) -> SettingChange? {
        switch setting {
        case .rate: return Double(text).map { .rate($0) }
        case .volume: return Double(text).map { .volume($0) }
        case .muted: return text == "yes" ? .muted(true) : text == "no" ? .muted(false) : nil
        case .equalizer: return EqualizerCurve(text).map { .equalizer($0) }
        case .audioDelay: return span(text).map { .audioDelay($0) }
        case .channels: return SpeakerLayout(rawValue: text).map { .channels($0) }
        case .downmix: return Downmix(rawValue: text).map { .downmix($0) }
        case .fit: return PictureView.Fit(rawValue: text).map { .fit($0) }
        case .aspect: return text == "source" ? .aspect(nil) : Double(text).map { .aspect($0) }
        case .zoom: return Double(text).map { .zoom($0) }
        case .pan:
            guard parts.count == 2, let x = Double(parts[0]), let y = Double(parts[1]) else { return nil }
            return .pan(x: x, y: y)
        case .adjustment:
            let numbers = parts.compactMap { Int($0) }
            guard parts.count == 4, numbers.count == 4, numbers.allSatisfy({ (-100...100).contains($0) }) else { return nil }
            return .adjustment(
                PictureAdjustment(brightness: numbers[0], contrast: numbers[1], saturation: numbers[2], gamma: numbers[3]))
        case .toneMapping: return ToneMapping(rawValue: text).map { .toneMapping($0) }
        case .deinterlacing:
            guard parts.count == 2, let mode = DeinterlaceMode(rawValue: parts[0]),
                let rate = DeinterlaceFieldRate(rawValue: parts[1])
            else { return nil }
            return .deinterlacing(Deinterlacing(mode: mode, fieldRate: rate))
        case .subtitleDelay: return span(text).map { .subtitleDelay($0) }
        case .subtitleScale: return Double(text).map { .subtitleScale($0) }
        case .subtitlePosition: return Double(text).map { .subtitlePosition($0) }
        }
    }

    /// Seconds; nil where they are no number, or days, which a `TimeSpan` may not hold.
    private static func span(_ text: String) -> TimeSpan? {
        Double(text).flatMap { abs($0) <= 86_400 ? .seconds($0) : nil }
    }
}
