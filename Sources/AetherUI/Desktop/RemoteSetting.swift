import AetherCore
import AetherDesktop

/// A setting as a property of the remote control. Pure.
struct RemoteSetting {
    let name: String
    let setting: Setting
    /// For error texts: the values that it takes.
    let takes: String

    static let all = [
        RemoteSetting(name: "volume", setting: .volume, takes: "0 to 150"),
        RemoteSetting(name: "muted", setting: .muted, takes: "true or false"),
        RemoteSetting(name: "speed", setting: .rate, takes: "0.25 to 4"),
        RemoteSetting(name: "audio-delay", setting: .audioDelay, takes: "-10 to 10 seconds"),
        RemoteSetting(name: "subtitle-delay", setting: .subtitleDelay, takes: "-3600 to 3600 seconds"),
        RemoteSetting(name: "equalizer", setting: .equalizer, takes: "flat, speech, bass, night, or gains of ten bands in dB"),
        RemoteSetting(name: "channels", setting: .channels, takes: "auto, stereo, 5.1 or 7.1"),
        RemoteSetting(name: "downmix", setting: .downmix, takes: "loud or safe"),
    ]

    static func named(_ name: String) -> RemoteSetting? { all.first { $0.name == name } }

    /// The present value: numbers and flags as such, all else in words.
    func value(in settings: PlaybackSettings) -> JSON {
        switch settings[setting] {
        case .volume(let volume): JSON((volume * 1000).rounded() / 10)
        case .rate(let rate): JSON(rate)
        case .muted(let isMuted): .bool(isMuted)
        case .audioDelay(let delay), .subtitleDelay(let delay): JSON(delay.seconds)
        case let other: .string(other.text)
        }
    }

    /// The change that a value stands for; nil where it is none of those that the setting takes.
    func change(to value: JSON) -> SettingChange? {
        let change: SettingChange? =
            switch setting {
            case .volume: value.number.map { .volume($0 / 100) }
            case .rate: value.number.map { .rate($0) }
            case .muted: value.flag.map { .muted($0) }
            case .audioDelay: value.number.map { .audioDelay(.seconds($0)) }
            case .subtitleDelay: value.number.map { .subtitleDelay(.seconds($0)) }
            default: value.text.flatMap { SettingChange(setting, text: $0) }
            }
        // Out of range it is refused, not brought inside: a remote client is told.
        return change.flatMap { $0.checked == $0 ? $0 : nil }
    }
}
