import AetherCore
import AetherEngine

extension AppModel {
    /// A command that did not come from a key: shown as if it had, so that the person sees who turns the knobs.
    mutating func carryOut(_ command: PlayerCommand, now: HostTime) -> [AppEffect] {
        let until = now + Intents.life
        switch command {
        case .play, .pause:
            let plays = command == .play
            (snapshot.wantsToPlay, intents.wantsToPlay) = (plays, .init(value: plays, until: until))
        case .set(let change):
            let effects = set(change, now)
            say(words(for: change), now)
            touchBar(now)
            return effects
        case .seek(let target, _):
            (snapshot.seekTarget, intents.seekTarget) = (target, .init(value: target, until: until))
            say(Timecode.text(target - snapshot.startTime), now)
        case .selectAudioTrack(let id): return selectAudio(id, now)
        case .selectVideoTrack(let id): return selectVideo(id, now)
        case .selectSubtitleTrack(let id): return selectSubtitles(id, now)
        default: break
        }
        touchBar(now)
        return [.send(command)]
    }
}

extension AppModel {
    /// The key that goes to the start of the file, as it is printed; nil: there is none.
    var startKey: String? {
        keymap.entries.flatMap(\.bindings).first { $0.action == .seekToStart }?.strokes.first?.label(
            unicode: capabilities.isUnicode)
    }
}
