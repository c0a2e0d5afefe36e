import AetherCore
import AetherTerminal

/// The open list of notices and errors: which part of them is seen. `NoticePane` draws it.
struct NoticeList: ListLayer, Equatable {
    /// Rows that lie below what is seen; 0: the newest is seen, and stays so.
    private(set) var below = 0
    /// The filter; nil: none was begun.
    private(set) var filter: TypedWords?

    /// The part that lies within so many rows, of so many.
    func window(of total: Int, rows: Int) -> Range<Int> {
        let rows = min(max(0, rows), total)
        let end = max(rows, total - min(below, max(0, total - rows)))
        return end - rows..<end
    }

    // MARK: - Layer

    var wheelRows: Int { 3 }
    var takesText: Bool { filter != nil }
    /// A capital letter belongs to the filter.
    var foreignModifiers: KeyModifiers { filter == nil ? [.shift, .control, .alt] : [.control, .alt] }

    func frame(in scene: Scene) -> ListFrame? { NoticePane(self, scene)?.frame }
    func pane(in scene: Scene) -> Pane? { NoticePane(self, scene)?.pane }

    /// No further than the oldest and the newest.
    mutating func settle(in scene: Scene) {
        let most = frame(in: scene).map { max(0, $0.total - $0.pageRows) } ?? 0
        below = min(max(0, below), most)
    }

    mutating func step(_ direction: Int, wraps: Bool) { below -= direction }
    mutating func move(by rows: Int) { below -= rows }
    // More rows than 200 notices can have.
    mutating func moveToFirst() { below = 1_000_000 }
    mutating func moveToLast() { below = 0 }

    /// Notices are read, not chosen.
    mutating func select(_ row: Int) -> Bool { false }
    mutating func choose(in scene: Scene) -> LayerOutcome? { nil }

    mutating func scroll(to row: Int, in scene: Scene) -> LayerOutcome {
        guard let frame = frame(in: scene), frame.total > 1 else { return LayerOutcome() }
        let most = max(0, frame.total - frame.pageRows)
        below = most - row * most / (frame.total - 1)
        settle(in: scene)
        return LayerOutcome()
    }

    /// Behind a slash all that is typed filters; until then other keys are the player's.
    mutating func typeAhead(_ character: Character, in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard var words = filter else {
            guard character == "/" else { return nil }
            filter = TypedWords()
            return LayerOutcome()
        }
        if words.type(character) { (filter, below) = (words, 0) }
        return LayerOutcome()
    }

    mutating func takeBack(in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard var words = filter else { return nil }
        filter = words.erase() ? words : nil
        return LayerOutcome()
    }

    mutating func leave(in scene: Scene) -> LayerOutcome {
        guard filter != nil else { return LayerOutcome(closes: true, .touchBar) }
        (filter, below) = (nil, 0)
        return LayerOutcome()
    }
}
