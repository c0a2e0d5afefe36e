import AetherCore
import AetherEngine
import AetherTerminal

extension CueList: ListLayer {
    var isPassingList: Bool { true }
    var takesText: Bool { isSearch }

    /// 0.5 s: an open list is as fresh as that where nothing else wakes it.
    private static let pause = TimeSpan.milliseconds(500)

    func frame(in scene: Scene) -> ListFrame? { CueListPane(self, scene)?.frame }
    func pane(in scene: Scene) -> Pane? { CueListPane(self, scene)?.pane }
    mutating func settle(in scene: Scene) { settle(rows: pageRows(in: scene)) }

    mutating func step(_ direction: Int, wraps: Bool) { move(by: direction, wraps: wraps && isSearch) }
    mutating func move(by rows: Int) { move(by: rows, wraps: false) }

    mutating func ownKey(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard stroke.key == .tab else { return nil }
        listNextTrack(in: scene)
        return LayerOutcome()
    }

    /// The next track of text, with what was typed.
    private mutating func listNextTrack(in scene: Scene) {
        let tracks = scene.snapshot.subtitleTracks.filter { !$0.isBitmapSubtitle || $0.id == track }
        guard tracks.count > 1, let place = tracks.firstIndex(where: { $0.id == track }) else { return }
        var next = CueList(tracks[(place + 1) % tracks.count].id, isSearch: isSearch)
        next.returnsToList = returnsToList
        for character in query ?? "" { next.type(character, at: scene.cuePoint) }
        self = next
    }

    /// To the start of the cue that is selected.
    mutating func choose(in scene: Scene) -> LayerOutcome? {
        guard let entry = choice else { return LayerOutcome() }
        guard scene.canSeek else { return LayerOutcome(.refuseSeek) }
        let delay = scene.snapshot.subtitleDelay
        let target = scene.clamped(entry.start + delay)
        let words = "\(Timecode.text(target - scene.snapshot.startTime)) \(entry.text)"
        let closes = isSearch && !endSearch(returningTo: target - delay)
        release(to: target - delay)
        return LayerOutcome(closes: closes, .seek(to: target, .exact, saying: words))
    }

    mutating func typeAhead(_ character: Character, in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard isSearch else { return nil }
        type(character, at: scene.cuePoint)
        return LayerOutcome()
    }

    mutating func takeBack(in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard isSearch else { return nil }
        erase(at: scene.cuePoint)
        return LayerOutcome()
    }

    mutating func leave(in scene: Scene) -> LayerOutcome {
        LayerOutcome(closes: !isSearch || !endSearch(returningTo: scene.cuePoint))
    }

    /// Back to the list where the search began there; false where it did not.
    private mutating func endSearch(returningTo point: MediaTime) -> Bool {
        guard returnsToList else { return false }
        endSearch(at: point)
        returnsToList = false
        return true
    }

    func due(after snapshot: HostTime) -> HostTime? { snapshot + Self.pause }
}
