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
    case fit(VideoView.Fit)
    /// Width to height of the whole frame, 0.1...10; nil for the file's own.
    case aspect(Double?)
    /// Times as large as `fit` says, 0.25...8.
    case zoom(Double)
    /// The part that is seen of a frame that is larger than its room, −1...1 from edge to edge.
    case pan(x: Double, y: Double)
    /// Clockwise degrees beside the source's own turn: 0, 90, 180 or 270.
    case rotation(Int)
    /// The mirroring of the turned frame.
    case flip(VideoView.Flip)
    /// The share of the bars that is filled by cutting edges off, 0...1.
    case panscan(Double)
    /// Each ear hears a little of the other's channel.
    case crossfeed(Bool)
    /// The look of subtitles in pixels.
    case subtitleLook(SubtitleLook)
    /// Brightness, contrast, saturation and gamma, −100...100 each.
    case adjustment(ColourAdjustment)
    /// The curve for HDR video; a standing frame is mapped anew.
    case toneMapping(ToneMapping)
    /// The deinterlacing: when, and at which rate.
    case deinterlacing(Deinterlacing)
    /// libavfilter's filters for video; nil for none.
    case videoFilters(FilterGraph?)
    /// libavfilter's filters for audio; nil for none.
    case audioFilters(FilterGraph?)
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
        case .rotation: .rotation
        case .flip: .flip
        case .panscan: .panscan
        case .crossfeed: .crossfeed
        case .subtitleLook: .subtitleLook
        case .adjustment: .adjustment
        case .toneMapping: .toneMapping
        case .deinterlacing: .deinterlacing
        case .videoFilters: .videoFilters
        case .audioFilters: .audioFilters
        case .subtitleDelay: .subtitleDelay
        case .subtitleScale: .subtitleScale
        case .subtitlePosition: .subtitlePosition
        }
    }

    /// The change within the setting's range; nil for NaN, which is no amount.
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
                ColourAdjustment(
                    brightness: colours.brightness, contrast: colours.contrast, saturation: colours.saturation,
                    gamma: colours.gamma))
        case .subtitleDelay(let delay): .subtitleDelay(Self.bounded(delay, .seconds(3600)))
        case .subtitleScale(let scale): Self.bounded(scale, 0.25...4).map { .subtitleScale($0) }
        case .rotation(let degrees): [0, 90, 180, 270].contains(degrees) ? self : nil
        case .panscan(let share): Self.bounded(share, 0...1).map { .panscan($0) }
        case .subtitleLook(let look): .subtitleLook(look.bounded)
        case .subtitlePosition(let position): Self.bounded(position, 0...100).map { .subtitlePosition($0) }
        case .videoFilters(let graph): graph?.medium == .audio ? nil : self
        case .audioFilters(let graph): graph?.medium == .video ? nil : self
        case .muted, .equalizer, .channels, .downmix, .fit, .toneMapping, .deinterlacing, .crossfeed, .flip: self
        }
    }

    private static func bounded(_ value: Double, _ range: ClosedRange<Double>) -> Double? {
        value.isNaN ? nil : min(max(value, range.lowerBound), range.upperBound)
    }

    private static func bounded(_ span: TimeSpan, _ limit: TimeSpan) -> TimeSpan { max(.zero - limit, min(span, limit)) }
}
