import AetherCore
import AetherEngine

/// Settings that keys asked for and the engine has not confirmed yet. Laid over each snapshot, so that five quick strokes of a key are
/// five steps although the first snapshot that knows of one comes later, and the bar does not bounce back.
struct Intents: Sendable {
    struct Intent<Value: Sendable & Equatable>: Sendable {
        var value: Value
        var until: HostTime
    }

    /// 0.5 s: longer than any command takes to be seen in a snapshot (budget for key to effect: 50 ms).
    static let life = TimeSpan.milliseconds(500)

    private var changes: [Setting: Intent<SettingChange>] = [:]
    var wantsToPlay: Intent<Bool>?
    var seekTarget: Intent<MediaTime?>?
    var audioTrack: Intent<TrackID?>?
    var videoTrack: Intent<TrackID?>?
    var subtitleTrack: Intent<TrackID?>?
    var secondSubtitleTrack: Intent<TrackID?>?

    /// Another value of a setting was asked for.
    mutating func note(_ change: SettingChange, now: HostTime) {
        changes[change.setting] = Intent(value: change, until: now + Intents.life)
    }

    /// Lays the intents over a snapshot; those that are confirmed or too old are forgotten.
    mutating func apply(to snapshot: inout EngineSnapshot, now: HostTime) {
        changes = changes.filter { setting, intent in snapshot.settings[setting] != intent.value && now < intent.until }
        for intent in changes.values { snapshot.settings.apply(intent.value) }
        Intents.settle(&wantsToPlay, &snapshot.wantsToPlay, now)
        Intents.settle(&seekTarget, &snapshot.seekTarget, now)
        Intents.settle(&audioTrack, &snapshot.activeAudioTrack, now)
        Intents.settle(&videoTrack, &snapshot.activeVideoTrack, now)
        Intents.settle(&subtitleTrack, &snapshot.activeSubtitleTrack, now)
        Intents.settle(&secondSubtitleTrack, &snapshot.activeSecondarySubtitleTrack, now)
    }

    private static func settle<Value>(_ intent: inout Intent<Value>?, _ value: inout Value, _ now: HostTime) {
        guard let wanted = intent else { return }
        if wanted.value == value || now >= wanted.until { intent = nil } else { value = wanted.value }
    }
}
