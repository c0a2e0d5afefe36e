import AetherCore
import AetherFormats
import AetherTerminal

/// The programmes of one channel, a day back and a day on, as a list to choose from. A value that draws nothing: `GuidePane` draws it.
struct GuideList: Sendable {
    /// The channel, from 0.
    let channel: Int
    private(set) var programmes: [GuideProgramme] = []
    private var cursor = ListCursor()
    /// The selection stands on what is on until the person goes elsewhere.
    private var isFollowing = true

    /// The programmes of a channel, standing on what is on now.
    init(_ channel: Int, _ television: Television) {
        self.channel = channel
        refresh(television)
    }

    var selection: Int { cursor.row }
    var choice: GuideProgramme? { programmes.indices.contains(selection) ? programmes[selection] : nil }
    var ordinal: String { "\(max(0, selection + 1))/\(programmes.count)" }

    /// Takes the programmes that the guide knows by now.
    mutating func refresh(_ television: Television) {
        let chosen = choice
        programmes = television.guide.programmes(of: channel)
        let now = programmes.firstIndex { $0.stop > television.unix } ?? programmes.count - 1
        cursor.row =
            isFollowing ? now : programmes.firstIndex { $0.start == chosen?.start } ?? min(cursor.row, programmes.count - 1)
    }

    mutating func move(by rows: Int, wraps: Bool = false) {
        isFollowing = false
        cursor.move(by: rows, of: programmes.count, wraps: wraps)
    }
    mutating func moveToFirst() { move(by: .min) }
    mutating func moveToLast() { move(by: .max) }

    mutating func select(_ row: Int) -> Bool {
        guard programmes.indices.contains(row) else { return false }
        (cursor.row, isFollowing) = (row, false)
        return true
    }

    /// Following, what is on stands in the upper third.
    func window(rows: Int) -> Range<Int> {
        guard isFollowing else { return cursor.window(rows: rows, of: programmes.count) }
        return ListCursor.window(from: selection - rows / 3, rows: rows, of: programmes.count)
    }
    mutating func settle(rows: Int) { cursor.settle(window(rows: rows)) }
}

extension GuideList: ListLayer {
    var wheelRows: Int { 3 }

    func frame(in scene: Scene) -> ListFrame? { GuidePane(self, scene)?.frame }
    func pane(in scene: Scene) -> Pane? { GuidePane(self, scene)?.pane }
    mutating func settle(in scene: Scene) { settle(rows: pageRows(in: scene)) }

    mutating func step(_ direction: Int, wraps: Bool) { move(by: direction, wraps: wraps) }
    mutating func move(by rows: Int) { move(by: rows, wraps: false) }

    mutating func ownKey(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        stroke.key == .tab ? LayerOutcome(closes: true) : nil
    }

    /// Plays the chosen programme: a past one from the server's archive, the present one as its channel; a later one is not there yet.
    mutating func choose(in scene: Scene) -> LayerOutcome? {
        guard let programme = choice, let television = scene.television else { return LayerOutcome() }
        if programme.start > television.unix {
            return LayerOutcome(.say(translated("Begins at \(television.timeOfDay(programme.start))")))
        }
        if programme.stop > television.unix { return LayerOutcome(closes: true, .zap(channel)) }
        return LayerOutcome(closes: true, .playPast(channel, programme))
    }

    mutating func leave(in scene: Scene) -> LayerOutcome { LayerOutcome(closes: true) }

    func due(after snapshot: HostTime) -> HostTime? { snapshot + .seconds(30) }
}
