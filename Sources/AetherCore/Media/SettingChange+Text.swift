/// Settings in words, for the history and the remote control. Numbers have a point and no unit: seconds, factors, percent of the frame.
extension SettingChange {
    /// The value in words; `init(_:text:)` reads it.
    public var text: String {
        switch self {
        case .rate(let value), .volume(let value), .zoom(let value), .subtitleScale(let value), .subtitlePosition(let value):
            "\(value)"
        case .videoFilters(let graph), .audioFilters(let graph): graph?.text ?? "none"
        case .rotation(let degrees): "\(degrees)"
        case .flip(let flip): flip.rawValue
        case .panscan(let share): "\(share)"
        case .crossfeed(let isOn): isOn ? "yes" : "no"
        case .subtitleLook(let look): look.description
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
        case .fit: return VideoView.Fit(rawValue: text).map { .fit($0) }
        case .aspect: return text == "source" ? .aspect(nil) : Double(text).map { .aspect($0) }
        case .zoom: return Double(text).map { .zoom($0) }
        case .pan:
            guard parts.count == 2, let x = Double(parts[0]), let y = Double(parts[1]) else { return nil }
            return .pan(x: x, y: y)
        case .adjustment:
            let numbers = parts.compactMap { Int($0) }
            guard parts.count == 4, numbers.count == 4, numbers.allSatisfy({ (-100...100).contains($0) }) else { return nil }
            return .adjustment(
                ColourAdjustment(brightness: numbers[0], contrast: numbers[1], saturation: numbers[2], gamma: numbers[3]))
        case .toneMapping: return ToneMapping(rawValue: text).map { .toneMapping($0) }
        case .deinterlacing:
            guard parts.count == 2, let mode = DeinterlaceMode(rawValue: parts[0]),
                let rate = DeinterlaceFieldRate(rawValue: parts[1])
            else { return nil }
            return .deinterlacing(Deinterlacing(mode: mode, fieldRate: rate))
        case .rotation: return Int(text).map { .rotation($0) }
        case .flip: return VideoView.Flip(rawValue: text).map { .flip($0) }
        case .panscan: return Double(text).map { .panscan($0) }
        case .crossfeed: return text == "yes" ? .crossfeed(true) : text == "no" ? .crossfeed(false) : nil
        case .subtitleLook: return SubtitleLook(text).map { .subtitleLook($0) }
        case .videoFilters: return filters(text, .video).map { .videoFilters($0) }
        case .audioFilters: return filters(text, .audio).map { .audioFilters($0) }
        case .subtitleDelay: return span(text).map { .subtitleDelay($0) }
        case .subtitleScale: return Double(text).map { .subtitleScale($0) }
        case .subtitlePosition: return Double(text).map { .subtitlePosition($0) }
        }
    }

    /// nil where the text is no graph of filters; a graph that is nil for "none".
    private static func filters(_ text: String, _ medium: FilterGraph.Medium) -> FilterGraph?? {
        if text.isEmpty || text == "none" { return .some(nil) }
        do throws(FilterFault) {
            return .some(try FilterGraph(text, medium))
        } catch {
            return nil
        }
    }

    /// Seconds; nil where they are no number, or days, which a `TimeSpan` may not hold.
    private static func span(_ text: String) -> TimeSpan? {
        Double(text).flatMap { abs($0) <= 86_400 ? .seconds($0) : nil }
    }
}
