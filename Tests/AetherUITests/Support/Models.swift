import AetherCore
import AetherEngine
import AetherTerminal
import AetherUI

/// A point on the tests' clock.
func at(_ seconds: Double) -> HostTime { HostTime(nanoseconds: 1_000_000_000_000) + .seconds(seconds) }

/// A film of 1:30:00 that stands at 0:30:00, with a video track, two audio tracks, two subtitle tracks and three chapters; its first time stamp
/// is 10 s, so that forgetting it shows.
func film(phase: PlaybackPhase = .playing) -> EngineSnapshot {
    var snapshot = EngineSnapshot()
    snapshot.phase = phase
    snapshot.wantsToPlay = phase == .playing
    snapshot.startTime = .seconds(10)
    snapshot.position = .seconds(1810)
    snapshot.duration = .seconds(5400)
    snapshot.bufferedPosition = .seconds(2710)
    snapshot.isSeekable = true
    snapshot.source = "/films/demo.mkv"
    snapshot.container = "matroska,webm"
    snapshot.metadata = MediaMetadata(title: "The Demo")
    snapshot.videoTracks = [TrackInfo(id: TrackID(.container, 0), kind: .video, codec: "h264")]
    snapshot.activeVideoTrack = TrackID(.container, 0)
    snapshot.audioTracks = [
        TrackInfo(id: TrackID(.container, 1), kind: .audio, codec: "aac", language: "eng", channels: 2),
        TrackInfo(
            id: TrackID(.container, 2), kind: .audio, codec: "ac3", language: "ger", channels: 6, channelLayout: "5.1(side)"),
    ]
    snapshot.activeAudioTrack = TrackID(.container, 1)
    snapshot.subtitleTracks = [
        TrackInfo(id: TrackID(.container, 3), kind: .subtitle, codec: "subrip", language: "eng"),
        TrackInfo(id: TrackID(.container, 4), kind: .subtitle, codec: "ass", name: "Signs", language: "ger", isForced: true),
    ]
    snapshot.chapters = [
        ChapterInfo(id: 0, name: "Start", start: .seconds(10), duration: .seconds(1350)),
        ChapterInfo(id: 1, name: "Middle", start: .seconds(1360), duration: .seconds(2700)),
        ChapterInfo(id: 2, name: "", start: .seconds(4060), duration: .seconds(1350)),
    ]
    snapshot.videoSize = PixelSize(width: 1280, height: 720)
    snapshot.videoFrameRate = 24000.0 / 1001.0
    return snapshot
}

/// A model that has taken the film in at 0 s.
func model(
    _ snapshot: EngineSnapshot = film(), columns: Int = 80, rows: Int = 24, isUnicode: Bool = true, hasColor: Bool = true
) -> AppModel {
    var model = AppModel(
        size: CellSize(columns: columns, rows: rows),
        capabilities: ChromeCapabilities(isUnicode: isUnicode, hasColor: hasColor), now: at(0))
    _ = model.update(.snapshot(snapshot), now: at(0))
    // A key without a meaning: the bar is there for the next four seconds.
    _ = model.update(.key(KeyStroke("Z")), now: at(0))
    return model
}

/// A model after keys that were pressed at 2 s, and what it asked for.
func pressing(_ keys: [KeyStroke], _ model: AppModel) -> (AppModel, [AppEffect]) {
    var model = model
    var effects: [AppEffect] = []
    for key in keys { effects += model.update(.key(key), now: at(2)).filter { $0 != .redraw } }
    return (model, effects)
}
