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

    var rate: Intent<Double>?
    var volume: Intent<Double>?
    var isMuted: Intent<Bool>?
    var equalizer: Intent<EqualizerCurve>?
    var audioDelay: Intent<TimeSpan>?
    var wantsToPlay: Intent<Bool>?
    var seekTarget: Intent<MediaTime?>?
    var audioTrack: Intent<TrackID?>?
    var videoTrack: Intent<TrackID?>?
    var subtitleTrack: Intent<TrackID?>?
    var secondSubtitleTrack: Intent<TrackID?>?
    var subtitleDelay: Intent<TimeSpan>?
    var subtitleScale: Intent<Double>?
    var pictureLook: Intent<PictureLook>?

    /// Lays the intents over a snapshot; those that are confirmed or too old are forgotten.
    mutating func apply(to snapshot: inout EngineSnapshot, now: HostTime) {
        Intents.settle(&rate, &snapshot.rate, now)
        Intents.settle(&volume, &snapshot.volume, now)
        Intents.settle(&isMuted, &snapshot.isMuted, now)
        Intents.settle(&equalizer, &snapshot.equalizer, now)
        Intents.settle(&audioDelay, &snapshot.audioDelay, now)
        Intents.settle(&wantsToPlay, &snapshot.wantsToPlay, now)
        Intents.settle(&seekTarget, &snapshot.seekTarget, now)
        Intents.settle(&audioTrack, &snapshot.activeAudioTrack, now)
        Intents.settle(&videoTrack, &snapshot.activeVideoTrack, now)
        Intents.settle(&subtitleTrack, &snapshot.activeSubtitleTrack, now)
        Intents.settle(&secondSubtitleTrack, &snapshot.activeSecondarySubtitleTrack, now)
        Intents.settle(&subtitleDelay, &snapshot.subtitleDelay, now)
        Intents.settle(&subtitleScale, &snapshot.subtitleScale, now)
        Intents.settle(&pictureLook, &snapshot.pictureLook, now)
    }

    private static func settle<Value>(_ intent: inout Intent<Value>?, _ value: inout Value, _ now: HostTime) {
        guard let wanted = intent else { return }
        if wanted.value == value || now >= wanted.until { intent = nil } else { value = wanted.value }
    }
}
