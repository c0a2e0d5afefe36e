import AetherCore
import AetherEngine

/// The tracks of the file that are seen and heard.
extension AppModel {
    mutating func nextAudioTrack(_ now: HostTime) -> [AppEffect] {
        let tracks = snapshot.audioTracks
        guard !tracks.isEmpty else {
            say(translated("No audio track"), now)
            return []
        }
        let present = tracks.firstIndex { $0.id == snapshot.activeAudioTrack }
        return selectAudio(tracks[present.map { ($0 + 1) % tracks.count } ?? 0].id, now)
    }

    mutating func selectAudio(_ id: TrackID, _ now: HostTime) -> [AppEffect] {
        guard turns(to: id, of: snapshot.audioTracks, from: snapshot.activeAudioTrack, as: translated("Audio"), now) else {
            return []
        }
        snapshot.activeAudioTrack = id
        intents.audioTrack = .init(value: id, until: now + Intents.life)
        return [.send(.selectAudioTrack(id))]
    }

    mutating func selectVideo(_ id: TrackID, _ now: HostTime) -> [AppEffect] {
        guard turns(to: id, of: snapshot.videoTracks, from: snapshot.activeVideoTrack, as: translated("Video"), now) else {
            return []
        }
        snapshot.activeVideoTrack = id
        intents.videoTrack = .init(value: id, until: now + Intents.life)
        return [.send(.selectVideoTrack(id))]
    }

    /// nil: the player chooses.
    mutating func selectVariant(_ id: MediaVariant.ID?, _ turn: VariantTurn = .atBorder, _ now: HostTime) -> [AppEffect] {
        let isPresent = id == nil ? snapshot.adaptsVariant : !snapshot.adaptsVariant && id == snapshot.activeVariant
        let variant = snapshot.variants.first { $0.id == id }
        guard !isPresent, id == nil || variant != nil else { return [] }
        snapshot.adaptsVariant = id == nil
        if let id { snapshot.activeVariant = id }
        say(translated("Quality: \(variant?.name ?? translated("automatic"))"), now)
        return [.send(.selectVariant(id, turn))]
    }

    /// Says which of the tracks was chosen; false where there is nothing to turn: it is none of them, or the present one.
    private mutating func turns(
        to id: TrackID, of tracks: [TrackInfo], from present: TrackID?, as kind: String, _ now: HostTime
    ) -> Bool {
        guard let index = tracks.firstIndex(where: { $0.id == id }) else { return false }
        say(translated("\(kind) \(index + 1)/\(tracks.count): \(TrackLabel.full(tracks[index]))"), now)
        return id != present
    }

    /// Off is one of the stations: off, 1, 2 … n, off.
    mutating func cycleSubtitles(_ step: Int, _ now: HostTime) -> [AppEffect] {
        let tracks = snapshot.subtitleTracks
        guard !tracks.isEmpty else {
            say(translated("No subtitles"), now)
            return []
        }
        let present = tracks.firstIndex { $0.id == snapshot.activeSubtitleTrack } ?? -1
        let stations = tracks.count + 1
        let station = (present + 1 + step + stations) % stations
        return selectSubtitles(station == 0 ? nil : tracks[station - 1].id, now)
    }

    mutating func toggleSubtitles(_ now: HostTime) -> [AppEffect] {
        guard let first = snapshot.subtitleTracks.first else {
            say(translated("No subtitles"), now)
            return []
        }
        if snapshot.activeSubtitleTrack != nil { return selectSubtitles(nil, now) }
        let last = snapshot.subtitleTracks.first { $0.id == subtitles.last }
        return selectSubtitles((last ?? first).id, now)
    }

    /// Shows a page of teletext, and its track where another one is shown.
    mutating func turn(toTeletext page: Int?, _ now: HostTime) -> [AppEffect] {
        snapshot.teletextPage = page
        let tracks = snapshot.subtitleTracks.filter(\.isTeletext)
        let isShown = tracks.contains { $0.id == snapshot.activeSubtitleTrack }
        let shown = isShown ? [] : tracks.first.map { selectSubtitles($0.id, now) } ?? []
        say(page.map { translated("Teletext page \($0)") } ?? translated("Pages for subtitles"), now)
        return [.send(.setTeletextPage(page))] + shown
    }

    mutating func selectSubtitles(_ id: TrackID?, _ now: HostTime) -> [AppEffect] {
        subtitles.readingBack = nil
        snapshot.activeSubtitleTrack = id
        intents.subtitleTrack = .init(value: id, until: now + Intents.life)
        if let id, let track = snapshot.subtitleTracks.first(where: { $0.id == id }) {
            subtitles.last = id
            let ordinal = TrackLabel.ordinal(of: id, in: snapshot.subtitleTracks) ?? ""
            say(translated("Subtitles \(ordinal): \(TrackLabel.full(track))"), now)
        } else {
            say(translated("Subtitles off"), now)
        }
        return [.send(.selectSubtitleTrack(id))]
    }
}

extension TrackInfo {
    /// Pages of teletext can be chosen in it.
    var isTeletext: Bool { codec == "dvb_teletext" }
}
