import AetherCore
import AetherEngine

/// Changes of settings, from keys and from outside.
extension AppModel {
    /// Puts a change in force on the screen at once, and asks the engine for it.
    mutating func set(_ wanted: SettingChange, _ now: HostTime) -> [AppEffect] {
        guard let change = wanted.checked else { return [] }
        snapshot.settings.apply(change)
        intents.note(change, now: now)
        return [.send(.set(change))]
    }

    /// Puts in force all that differs from the present settings.
    mutating func set(_ wanted: PlaybackSettings, _ now: HostTime) -> [AppEffect] {
        wanted.changes(since: snapshot.settings).flatMap { set($0, now) }
    }

    /// The answer to a change, as the person reads it.
    func words(for change: SettingChange) -> String {
        switch change {
        case .rate(let rate): translated("Speed \(Figures.decimal(rate, places: 2))×")
        case .volume(let volume):
            snapshot.isMuted
                ? translated("Volume \(Figures.percent(volume)) (muted)") : translated("Volume \(Figures.percent(volume))")
        case .muted(let isMuted): isMuted ? translated("Muted") : translated("Volume \(Figures.percent(snapshot.volume))")
        case .equalizer(let curve): translated("Equaliser: \(curve.description)")
        case .audioDelay(let delay): translated("Audio \(DelayStep.text(delay))")
        case .subtitleDelay(let delay): translated("Subtitles \(DelayStep.text(delay))")
        case .subtitleScale(let scale): translated("Subtitle size \(Int((scale * 100).rounded())) %")
        default:
            "\(change.setting.rawValue.prefix(1).uppercased())\(change.setting.rawValue.dropFirst()): \(change.text)"
        }
    }
}
