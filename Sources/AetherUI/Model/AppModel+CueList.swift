public import AetherCore
import AetherEngine

/// The list of cues and the search in it: what opens it, what it is told.
extension AppModel {
    /// The track whose list is open: the engine is asked for its cues.
    public var listedTrack: TrackID? { cueList?.track }

    /// The track that is read: the one on screen, else the one that was, else the first.
    private var trackToList: TrackID? {
        let tracks = snapshot.subtitleTracks
        let wanted = [snapshot.activeSubtitleTrack, subtitles.last].compactMap { $0 }
        return wanted.first { id in tracks.contains { $0.id == id } }
            ?? (tracks.first { !$0.isBitmapSubtitle } ?? tracks.first)?.id
    }

    mutating func toggleCueList(_ now: HostTime) {
        if let list = cueList, !list.isSearch {
            cueList = nil
            return say(translated("Subtitle list: off"), now)
        }
        openCueList(isSearch: false, now)
    }

    mutating func searchSubtitles(_ now: HostTime) {
        guard cueList != nil else { return openCueList(isSearch: true, now) }
        cueList?.beginSearch()
        cueList?.returnsToList = true
    }

    private mutating func openCueList(isSearch: Bool, _ now: HostTime) {
        guard let track = trackToList else { return say(translated("No subtitles"), now) }
        cueList = CueList(track, isSearch: isSearch)
    }

    /// Takes over what the engine knows; returns whether the list looks different.
    mutating func take(_ listing: CueListing) -> Bool {
        guard change(CueList.self, { $0.take(listing, at: $1.cuePoint) }) == true else { return false }
        settle(CueList.self)
        return true
    }

    /// The list goes along with the video; returns whether it looks different.
    mutating func followCues(_ former: MediaTime) -> Bool {
        guard let list = cueList else { return false }
        if !snapshot.subtitleTracks.contains(where: { $0.id == list.track }) {
            cueList = nil
            return true
        }
        let point = scene.cuePoint
        let hasMoved = list.query?.isEmpty != false && cueList?.follow(point) == true
        if hasMoved { settle(CueList.self) }
        return hasMoved || list.present(at: point) != list.present(at: former)
    }
}
