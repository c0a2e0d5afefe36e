import AetherCore
import AetherDesktop
import AetherEngine

/// The properties that a remote control can ask for: names and values of the player's state. Pure.
struct RemoteProperties {
    let snapshot: EngineSnapshot
    let playlist: Playlist
    let title: String
    /// The channels of the open list; nil: none is open.
    var television: Television?

    /// Every name; those of settings are the last.
    static let names =
        [
            "state", "paused", "position", "duration", "percent", "title", "artist", "album", "source", "container",
            "audio-track",
            "video-track", "subtitle-track", "second-subtitle-track", "tracks", "quality", "qualities", "chapters",
            "subtitle-text", "playlist", "file",
            "files", "loop", "repeat", "shuffle", "seekable", "buffered", "buffering", "reconnecting", "startup", "video-size",
            "silent", "live", "behind-live", "live-rate", "program-time", "recording", "songs", "on-air",
            "channel", "channel-list", "guide",
        ] + RemoteSetting.all.map(\.name)

    /// The value of one; nil: there is no such property.
    func value(_ name: String) -> JSON? {
        switch name {
        case "state": .string(state)
        case "paused": .bool(!snapshot.wantsToPlay)
        case "position": JSON(elapsed.seconds)
        case "duration": JSON(snapshot.duration?.seconds)
        // A broadcast's edge is told a step at a time, and playing near it is ahead of that.
        case "percent": JSON(snapshot.duration.flatMap { $0 > .zero ? min(max(elapsed.seconds / $0.seconds, 0), 1) * 100 : nil })
        case "title": .string(title)
        case "artist": JSON(snapshot.metadata.artist)
        case "album": JSON(snapshot.metadata.album)
        case "source": .string(snapshot.source)
        case "container": .string(snapshot.container)
        case "seekable": .bool(snapshot.isSeekable)
        case "silent": .bool(snapshot.isSilent)
        case "live": .bool(snapshot.isLive)
        case "behind-live": snapshot.isLive ? JSON(snapshot.behindLiveSeconds) : .null
        case "live-rate": snapshot.isLive ? JSON(snapshot.distanceRate) : .null
        case "program-time": JSON(snapshot.programTime.map { Double($0) / 1e9 })
        case "songs": .array(snapshot.songs.map { .string($0) })
        case "recording":
            snapshot.recording.map {
                .object([
                    "file": .string($0.path), "seconds": JSON($0.span.seconds), "bytes": JSON(Int($0.byteCount)),
                    "running": .bool($0.isRunning),
                ])
            } ?? .null
        case "buffered": JSON(snapshot.bufferedPosition.map { ($0 - snapshot.startTime).seconds })
        case "buffering", "reconnecting", "startup": progress(name)
        case "video-size":
            snapshot.videoSize.map { JSON.array([JSON($0.width), JSON($0.height)]) } ?? JSON.null
        default:
            RemoteSetting.named(name)?.value(in: snapshot.settings) ?? trackValue(name) ?? listValue(name) ?? channelValue(name)
        }
    }

    /// How the source comes along; null where nothing is waited for.
    private func progress(_ name: String) -> JSON {
        switch name {
        case "buffering":
            snapshot.bufferFill.map {
                .object(["percent": JSON($0.fraction * 100), "seconds": JSON($0.remaining?.seconds)])
            } ?? .null
        case "reconnecting":
            snapshot.reconnecting.map { .object(["attempt": JSON($0.number), "limit": JSON($0.limit)]) } ?? .null
        default: snapshot.startupProgress.map { .string($0.checkpoint.word) } ?? .null
        }
    }

    private func trackValue(_ name: String) -> JSON? {
        switch name {
        case "audio-track": JSON(snapshot.activeAudioTrack?.description)
        case "video-track": JSON(snapshot.activeVideoTrack?.description)
        case "subtitle-track": JSON(snapshot.activeSubtitleTrack?.description)
        case "second-subtitle-track": JSON(snapshot.activeSecondarySubtitleTrack?.description)
        case "tracks":
            .array(
                (snapshot.videoTracks + snapshot.audioTracks + snapshot.subtitleTracks).prefix(256).map(RemoteProperties.track))
        case "quality": snapshot.adaptsVariant ? .string("auto") : JSON(snapshot.activeVariant)
        case "qualities": .array(snapshot.variants.prefix(256).map { quality($0) })
        case "subtitle-text": .string(snapshot.visibleCues.flatMap(\.lines).joined(separator: "\n"))
        default: nil
        }
    }

    private func listValue(_ name: String) -> JSON? {
        switch name {
        case "chapters":
            .array(
                snapshot.chapters.prefix(1000).map {
                    .object(["name": .string($0.name), "start": JSON(($0.start - snapshot.startTime).seconds)])
                })
        // A list of more than 1000 names would make a line that no client takes.
        case "playlist": .array(playlist.names.prefix(1000).map { .string($0) })
        case "file": JSON(playlist.index + 1)
        case "files": JSON(playlist.items.count)
        case "loop": .bool(playlist.repeats == .list)
        case "repeat": .string(playlist.repeats.rawValue)
        case "shuffle": .bool(playlist.isShuffled)
        default: nil
        }
    }

    /// The observed names that exist, with their values.
    func values(_ names: Set<String>) -> [String: JSON] {
        var values: [String: JSON] = [:]
        for name in names { if let value = value(name) { values[name] = value } }
        return values
    }

    private var elapsed: TimeSpan { max(.zero, (snapshot.seekTarget ?? snapshot.position) - snapshot.startTime) }

    private var state: String {
        switch snapshot.phase {
        case .idle: "idle"
        case .loading: "loading"
        case .playing: "playing"
        case .paused: "paused"
        case .seeking: "seeking"
        case .rebuffering: "buffering"
        case .stalled: "reconnecting"
        case .ended: "ended"
        case .error: "failed"
        }
    }

    private func quality(_ variant: MediaVariant) -> JSON {
        .object([
            "id": .string(variant.id), "name": .string(variant.name), "bit-rate": JSON(variant.peakBitRate),
            "codecs": .array(variant.codecs.map { .string($0) }), "active": .bool(variant.id == snapshot.activeVariant),
            "angle": JSON(variant.angle),
        ])
    }

    private static func track(_ track: TrackInfo) -> JSON {
        .object([
            "id": .string(track.id.description), "kind": .string(track.kind.rawValue), "codec": .string(track.codec),
            "name": .string(track.name), "language": JSON(track.language),
            "associated-language": JSON(track.associatedLanguage), "label": .string(TrackLabel.full(track)),
        ])
    }

    // MARK: - Setting

    /// The command that sets a property; the range is the player's own.
    func order(setting name: String, to value: JSON) throws(RemoteCommands.Problem) -> RemoteOrder {
        guard RemoteProperties.names.contains(name) else {
            let near = ConfigError.suggestion(for: name, among: RemoteProperties.names)
            throw RemoteCommands.Problem(reason: translated("unknown property \(DisplayText.singleLine(name, limit: 40))") + near)
        }
        if let setting = RemoteSetting.named(name), let text = value.text,
            let fault = FilterText.fault(in: text, of: setting.setting, asksLibrary: true)
        {
            throw RemoteCommands.Problem(reason: "\(name): \(fault)")
        }
        guard let (takes, order) = setting(name, value) else {
            throw RemoteCommands.Problem(reason: translated("\(name) can only be read"))
        }
        guard let order else { throw RemoteCommands.Problem(reason: translated("\(name) takes \(takes)")) }
        return order
    }

    private func setting(_ name: String, _ value: JSON) -> (takes: String, order: RemoteOrder?)? {
        switch name {
        case "paused": (translated("true or false"), value.flag.map { .command($0 ? .pause : .play) })
        case "position":
            (
                translated("seconds"),
                number(value, 0...31_622_400).map { .command(.seek(to: snapshot.startTime + .seconds($0), .exact)) }
            )
        case "percent": (translated("0 to 100"), number(value, 0...100).map { .command(.seekToFraction($0 / 100)) })
        case "audio-track":
            (translated("the id of an audio track"), track(value, snapshot.audioTracks).map { .command(.selectAudioTrack($0)) })
        case "video-track":
            (translated("the id of a video track"), track(value, snapshot.videoTracks).map { .command(.selectVideoTrack($0)) })
        case "subtitle-track":
            (translated("the id of a subtitle track, or null"), subtitles(value).map { .command(.selectSubtitleTrack($0.id)) })
        case "second-subtitle-track":
            (
                translated("the id of a subtitle track, or null"),
                subtitles(value).map { .command(.selectSecondarySubtitleTrack($0.id)) }
            )
        case "quality":
            (translated("the id of a quality, or auto"), quality(value).map { .command(.selectVariant($0)) })
        case "file": (translated("a number from 1"), value.integer.flatMap { $0 >= 1 ? .goToFile($0 - 1) : nil })
        case "loop": (translated("true or false"), value.flag.map { .setRepeats($0 ? .list : .off) })
        case "repeat": (translated("off, list or file"), value.text.flatMap { RepeatMode(rawValue: $0) }.map { .setRepeats($0) })
        case "shuffle": (translated("true or false"), value.flag.map { .setShuffles($0) })
        default:
            RemoteSetting.named(name).map { ($0.takes, $0.change(to: value, in: snapshot.settings).map { .command(.set($0)) }) }
        }
    }

    private func number(_ value: JSON, _ range: ClosedRange<Double>) -> Double? {
        value.number.flatMap { range.contains($0) ? $0 : nil }
    }

    private func track(_ value: JSON, _ tracks: [TrackInfo]) -> TrackID? {
        value.text.flatMap { TrackID($0) }.flatMap { id in tracks.contains { $0.id == id } ? id : nil }
    }

    /// nil: it is none of the source's; the player's own choice is one where there is any.
    private func quality(_ value: JSON) -> MediaVariant.ID?? {
        if value.text == "auto", snapshot.offersAdaptation { return .some(nil) }
        return value.text.flatMap { id in snapshot.variants.first { $0.id == id }?.id }
    }

    /// Off is a choice, and not the lack of one.
    private func subtitles(_ value: JSON) -> (id: TrackID?, isOff: Bool)? {
        if value == .null || value.text == "off" || value.text == "null" { return (nil, true) }
        return track(value, snapshot.subtitleTracks).map { ($0, false) }
    }
}
