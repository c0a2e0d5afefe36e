import AetherCore
import AetherDesktop

/// A setting as people and programs name it: a property of the remote control, and the word behind `set`, `add` and `cycle`. Pure.
struct RemoteSetting {
    /// A value that is a part of a setting's.
    enum Part: Sendable {
        case brightness, contrast, saturation, gamma
        case font, fontSize, colour, borderColour, border, margin, overridesScripts
    }

    /// The values that it takes.
    enum Values: Sendable {
        case range(ClosedRange<Double>)
        /// The same, of a time in seconds.
        case seconds(ClosedRange<Double>)
        case words(Phrase)
    }

    let name: String
    let setting: Setting
    var part: Part?
    let values: Values
    /// The values that `cycle` goes through.
    var choices: [String] = []

    static let all = [
        RemoteSetting(name: "volume", setting: .volume, values: .range(0...150)),
        RemoteSetting(name: "muted", setting: .muted, values: .words(phrase("true or false")), choices: ["yes", "no"]),
        RemoteSetting(name: "speed", setting: .rate, values: .range(0.25...4)),
        RemoteSetting(name: "audio-delay", setting: .audioDelay, values: .seconds(-10...10)),
        RemoteSetting(name: "subtitle-delay", setting: .subtitleDelay, values: .seconds(-3600...3600)),
        RemoteSetting(
            name: "equalizer", setting: .equalizer,
            values: .words(phrase("flat, speech, bass, night, or gains of ten bands in dB"))),
        RemoteSetting(
            name: "channels", setting: .channels, values: .words(phrase("auto, stereo, 5.1 or 7.1")),
            choices: ["auto", "stereo", "5.1", "7.1"]),
        RemoteSetting(name: "downmix", setting: .downmix, values: .words(phrase("loud or safe")), choices: ["loud", "safe"]),
        RemoteSetting(name: "crossfeed", setting: .crossfeed, values: .words(phrase("yes or no")), choices: ["yes", "no"]),
        RemoteSetting(
            name: "vf", setting: .videoFilters, values: .words(phrase("filters of libavfilter such as hflip, or none"))),
        RemoteSetting(
            name: "af", setting: .audioFilters, values: .words(phrase("filters of libavfilter such as bass=g=6, or none"))),
        RemoteSetting(
            name: "fit", setting: .fit, values: .words(phrase("fit, fill or stretch")), choices: ["fit", "fill", "stretch"]),
        RemoteSetting(name: "aspect", setting: .aspect, values: .words(phrase("source, or width to height, 0.1 to 10"))),
        RemoteSetting(name: "zoom", setting: .zoom, values: .range(0.25...8)),
        RemoteSetting(name: "panscan", setting: .panscan, values: .range(0...1)),
        RemoteSetting(
            name: "rotate", setting: .rotation, values: .words(phrase("0, 90, 180 or 270 degrees")),
            choices: ["0", "90", "180", "270"]),
        RemoteSetting(
            name: "flip", setting: .flip, values: .words(phrase("none, horizontal, vertical or both")),
            choices: ["none", "horizontal", "vertical", "both"]),
        RemoteSetting(
            name: "tone-map", setting: .toneMapping, values: .words(phrase("auto, bt2390, hable or off")),
            choices: ["auto", "bt2390", "hable", "off"]),
        RemoteSetting(
            name: "deinterlace", setting: .deinterlacing, values: .words(phrase("auto, off, field or frame")),
            choices: ["auto", "off", "field"]),
        RemoteSetting(name: "brightness", setting: .adjustment, part: .brightness, values: .range(-100...100)),
        RemoteSetting(name: "contrast", setting: .adjustment, part: .contrast, values: .range(-100...100)),
        RemoteSetting(name: "saturation", setting: .adjustment, part: .saturation, values: .range(-100...100)),
        RemoteSetting(name: "gamma", setting: .adjustment, part: .gamma, values: .range(-100...100)),
        RemoteSetting(name: "subtitle-size", setting: .subtitleScale, values: .range(0.25...4)),
        RemoteSetting(name: "subtitle-position", setting: .subtitlePosition, values: .range(0...100)),
        RemoteSetting(name: "subtitle-font", setting: .subtitleLook, part: .font, values: .words(phrase("the name of a font"))),
        RemoteSetting(name: "subtitle-font-size", setting: .subtitleLook, part: .fontSize, values: .range(4...96)),
        RemoteSetting(
            name: "subtitle-colour", setting: .subtitleLook, part: .colour, values: .words(phrase("a colour such as #FFE000"))),
        RemoteSetting(
            name: "subtitle-border-colour", setting: .subtitleLook, part: .borderColour,
            values: .words(phrase("a colour such as #000000"))),
        RemoteSetting(name: "subtitle-border", setting: .subtitleLook, part: .border, values: .range(0...10)),
        RemoteSetting(name: "subtitle-margin", setting: .subtitleLook, part: .margin, values: .range(0...200)),
        RemoteSetting(
            name: "subtitle-override", setting: .subtitleLook, part: .overridesScripts, values: .words(phrase("yes or no")),
            choices: ["yes", "no"]),
    ]

    /// For error texts: the values that it takes, in the language of the person.
    var takes: String {
        switch values {
        case .range(let range):
            translated("\(ActionName.plain(range.lowerBound)) to \(ActionName.plain(range.upperBound))")
        case .seconds(let range):
            translated("\(ActionName.plain(range.lowerBound)) to \(ActionName.plain(range.upperBound)) seconds")
        case .words(let words): translated(words)
        }
    }

    static func named(_ name: String) -> RemoteSetting? { all.first { $0.name == name } }

    /// The present value: numbers and flags as such, all else in words.
    func value(in settings: PlaybackSettings) -> JSON {
        if let part { return value(of: part, in: settings) }
        switch settings[setting] {
        case .volume(let volume): return JSON((volume * 1000).rounded() / 10)
        case .rate(let number), .zoom(let number), .panscan(let number), .subtitleScale(let number),
            .subtitlePosition(let number):
            return JSON(number)
        case .muted(let isOn), .crossfeed(let isOn): return .bool(isOn)
        case .rotation(let degrees): return JSON(degrees)
        case .audioDelay(let delay), .subtitleDelay(let delay): return JSON(delay.seconds)
        case .deinterlacing(let way):
            return .string(way.mode == .software ? way.fieldRate.rawValue : way.mode.rawValue)
        case let other: return .string(other.text)
        }
    }

    private func value(of part: Part, in settings: PlaybackSettings) -> JSON {
        let look = settings.subtitleLook, colours = settings.videoLook.adjustment
        func hex(_ colour: UInt32?) -> JSON {
            JSON(colour.map { "#" + String(String($0 | 0x100_0000, radix: 16, uppercase: true).dropFirst()) })
        }
        switch part {
        case .brightness: return JSON(colours.brightness)
        case .contrast: return JSON(colours.contrast)
        case .saturation: return JSON(colours.saturation)
        case .gamma: return JSON(colours.gamma)
        case .font: return JSON(look.font)
        case .fontSize: return JSON(look.size)
        case .colour: return hex(look.colour)
        case .borderColour: return hex(look.borderColour)
        case .border: return JSON(look.border)
        case .margin: return JSON(look.margin)
        case .overridesScripts: return .bool(look.overridesScripts)
        }
    }

    /// The change that a value stands for, from the present settings on; nil where it is none of those that the setting takes.
    func change(to value: JSON, in settings: PlaybackSettings = PlaybackSettings()) -> SettingChange? {
        let change: SettingChange? =
            switch setting {
            case .volume: value.number.map { .volume($0 / 100) }
            case .rate: value.number.map { .rate($0) }
            case .zoom: value.number.map { .zoom($0) }
            case .panscan: value.number.map { .panscan($0) }
            case .rotation: value.number.flatMap { Int(exactly: $0) }.map { .rotation($0) }
            case .subtitleScale: value.number.map { .subtitleScale($0) }
            case .subtitlePosition: value.number.map { .subtitlePosition($0) }
            case .muted: value.flag.map { .muted($0) }
            case .crossfeed: value.flag.map { .crossfeed($0) }
            case .audioDelay: value.number.map { .audioDelay(.seconds($0)) }
            case .subtitleDelay: value.number.map { .subtitleDelay(.seconds($0)) }
            case .deinterlacing:
                value.text.flatMap { DeinterlaceChoice(rawValue: $0) }.map { .deinterlacing($0.deinterlacing) }
            case .adjustment, .subtitleLook: part.flatMap { changed($0, to: value, in: settings) }
            default: value.text.flatMap { SettingChange(setting, text: $0) }
            }
        // Out of range it is refused, not brought inside: a remote client is told.
        return change.flatMap { $0.checked == $0 ? $0 : nil }
    }

    private func changed(_ part: Part, to value: JSON, in settings: PlaybackSettings) -> SettingChange? {
        var look = settings.subtitleLook, colours = settings.videoLook.adjustment
        func amount() -> Int? { value.number.flatMap { Int(exactly: $0) }.flatMap { (-100...100).contains($0) ? $0 : nil } }
        func put<Value>(_ value: Value?, _ path: WritableKeyPath<SubtitleLook, Value?>) -> SettingChange? {
            guard let value else { return nil }
            look[keyPath: path] = value
            return .subtitleLook(look)
        }
        func put(_ path: WritableKeyPath<ColourAdjustment, Int>) -> SettingChange? {
            guard let amount = amount() else { return nil }
            colours[keyPath: path] = amount
            return .adjustment(colours)
        }
        switch part {
        case .brightness: return put(\.brightness)
        case .contrast: return put(\.contrast)
        case .saturation: return put(\.saturation)
        case .gamma: return put(\.gamma)
        case .font: return put(value.text, \.font)
        case .fontSize: return put(value.number, \.size)
        case .colour: return put(value.text.flatMap { SubtitleLook.colour($0) }, \.colour)
        case .borderColour: return put(value.text.flatMap { SubtitleLook.colour($0) }, \.borderColour)
        case .border: return put(value.number, \.border)
        case .margin: return put(value.number, \.margin)
        case .overridesScripts:
            guard let isOn = value.flag else { return nil }
            look.overridesScripts = isOn
            return .subtitleLook(look)
        }
    }

    // MARK: - Steps

    /// Whether `add` means something for it.
    var isNumber: Bool {
        switch setting {
        case .volume, .rate, .audioDelay, .subtitleDelay, .zoom, .panscan, .subtitleScale, .subtitlePosition, .adjustment: true
        case .subtitleLook: [.fontSize, .border, .margin].contains(part)
        default: false
        }
    }

    /// The change by so much, no further than the setting's range goes; nil where it is no number, or stands at its end.
    func step(by amount: Double, in settings: PlaybackSettings) -> SettingChange? {
        guard isNumber, let present = value(in: settings).number ?? usual else { return nil }
        // Sums of tenths stay tenths.
        let wanted = ((present + amount) * 1000).rounded() / 1000
        if let change = change(to: JSON(wanted), in: settings) { return change }
        switch values {
        case .range(let range), .seconds(let range):
            return change(to: JSON(min(max(wanted, range.lowerBound), range.upperBound)), in: settings)
        case .words: return nil
        }
    }

    /// The number that counts where nothing was set.
    private var usual: Double? {
        switch part {
        case .fontSize: 16
        case .border: 1.2
        case .margin: 12
        default: nil
        }
    }

    /// The value behind the present one, round the end; nil where it has no list of values.
    func next(in settings: PlaybackSettings) -> SettingChange? {
        guard !choices.isEmpty else { return nil }
        let present = value(in: settings)
        let word = present.flag.map { $0 ? "yes" : "no" } ?? present.number.map { ActionName.plain($0) } ?? present.text ?? ""
        let place = choices.firstIndex(of: word).map { ($0 + 1) % choices.count } ?? 0
        return change(to: .string(choices[place]), in: settings)
    }
}

extension RemoteSetting.Part: Equatable {}
