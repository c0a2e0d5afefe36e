public import AetherCore
import AetherEngine
import AetherTerminal

/// The list of cues and the search in it: what opens it, what keys do in it.
extension AppModel {
    /// Where the film is, in the time of the cues.
    var cuePoint: MediaTime { shownPosition - snapshot.subtitleDelay }

    /// The track whose list is open: what it says is asked of the engine.
    public var listedTrack: TrackID? { cueList?.track }

    /// The track that is read: the one on screen, else the one that was, else the first.
    private var trackToList: TrackID? {
        let tracks = snapshot.subtitleTracks
        let wanted = [snapshot.activeSubtitleTrack, lastSubtitle].compactMap { $0 }
        return wanted.first { id in tracks.contains { $0.id == id } }
            ?? (tracks.first { !$0.isBitmapSubtitle } ?? tracks.first)?.id
    }

    mutating func toggleCueList(_ now: HostTime) {
        if let list = cueList, !list.isSearch {
            closeCueList()
            return say("Subtitle list: off", now)
        }
        openCueList(isSearch: false, now)
    }

    mutating func searchSubtitles(_ now: HostTime) {
        if cueList != nil {
            cueList?.beginSearch()
            returnsToList = true
            return say("Search in subtitles", now)
        }
        openCueList(isSearch: true, now)
    }

    private mutating func openCueList(isSearch: Bool, _ now: HostTime) {
        guard let track = trackToList else { return say("No subtitles", now) }
        menu = nil
        returnsToList = false
        cueList = CueList(track, isSearch: isSearch)
        say(isSearch ? "Search in subtitles" : "Subtitle list", now)
    }

    private mutating func closeCueList() { cueList = nil }

    /// Escape, or a jump: back to the list where the search began there.
    private mutating func endSearch() {
        guard returnsToList else { return closeCueList() }
        let point = cuePoint
        cueList?.endSearch(at: point)
        returnsToList = false
    }

    /// Takes over what the engine knows; returns whether the list looks different.
    mutating func take(_ listing: CueListing) -> Bool {
        let point = cuePoint
        guard cueList?.take(listing, at: point) == true else { return false }
        settleCueList()
        return true
    }

    /// The list goes along with the film; returns whether it looks different.
    mutating func followCues(_ former: MediaTime) -> Bool {
        guard let list = cueList else { return false }
        if !snapshot.subtitleTracks.contains(where: { $0.id == list.track }) {
            closeCueList()
            return true
        }
        let point = cuePoint
        let hasMoved = list.query?.isEmpty != false && cueList?.follow(point) == true
        if hasMoved { settleCueList() }
        return hasMoved || list.present(at: point) != list.present(at: former)
    }

    /// The part that is seen follows the selection and the screen.
    mutating func settleCueList() {
        guard cueList != nil else { return }
        let rows = CueListPane.pageRows(self)
        cueList?.settle(rows: rows)
    }

    /// What a key does while the list is open; nil: it is not the list's, and means what it always does.
    mutating func cueListKey(_ stroke: KeyStroke, now: HostTime) -> [AppEffect]? {
        guard let list = cueList, stroke.modifiers.isDisjoint(with: [.control, .alt]) else { return nil }
        let page = max(1, CueListPane.pageRows(self) - 1), point = cuePoint
        switch stroke.key {
        case .up: cueList?.move(by: -1, wraps: list.isSearch)
        case .down: cueList?.move(by: 1, wraps: list.isSearch)
        case .pageUp: cueList?.move(by: -page)
        case .pageDown: cueList?.move(by: page)
        case .home: cueList?.moveToFirst()
        case .end: cueList?.moveToLast()
        case .enter: return jumpInCues(now)
        case .tab: listNextTrack()
        case .escape where list.isSearch: endSearch()
        case .escape: closeCueList()
        case .backspace where list.isSearch: cueList?.erase(at: point)
        case .character(let character) where list.isSearch: cueList?.type(character, at: point)
        default: return nil
        }
        settleCueList()
        return []
    }

    /// The next track of text, with what was typed.
    private mutating func listNextTrack() {
        guard let list = cueList else { return }
        let tracks = snapshot.subtitleTracks.filter { !$0.isBitmapSubtitle || $0.id == list.track }
        guard tracks.count > 1, let place = tracks.firstIndex(where: { $0.id == list.track }) else { return }
        var next = CueList(tracks[(place + 1) % tracks.count].id, isSearch: list.isSearch)
        for character in list.query ?? "" { next.type(character, at: cuePoint) }
        cueList = next
    }

    /// To the start of the cue that is selected.
    mutating func jumpInCues(_ now: HostTime) -> [AppEffect] {
        guard let entry = cueList?.choice else { return [] }
        guard canSeek else { return refuseSeek(now) }
        let target = clamped(entry.start + snapshot.subtitleDelay)
        expectSeek(to: target, now)
        say("\(Timecode.text(target - snapshot.startTime)) \(entry.text)", now)
        if cueList?.isSearch == true { endSearch() }
        let point = cuePoint
        cueList?.release(to: point)
        settleCueList()
        return [.send(.seek(to: target, .exact))]
    }
}
