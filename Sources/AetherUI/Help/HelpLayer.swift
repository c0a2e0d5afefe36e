import AetherCore
import AetherTerminal

/// The open help: which part of it is seen, and what was typed to find a key. `HelpPane` draws it.
struct HelpLayer: ListLayer {
    /// The row that is seen first.
    private(set) var top = 0
    private(set) var typed = TypedWords()
    /// A filter was begun: signs are typed into it.
    private(set) var isFiltering = false

    var wheelRows: Int { 3 }
    var takesText: Bool { isFiltering }
    /// A press beside it closes it.
    var isPassing: Bool { true }

    /// It explains what lies below it.
    var closesPassingLists: Bool { false }

    func frame(in scene: Scene) -> ListFrame? { HelpPane(self, scene)?.frame }
    func pane(in scene: Scene) -> Pane? { HelpPane(self, scene)?.pane }
    func rect(in scene: Scene) -> CellRect? { HelpPane(self, scene)?.rect }

    /// No further than the last row.
    mutating func settle(in scene: Scene) {
        guard let frame = frame(in: scene) else { return }
        top = min(max(0, top), max(0, frame.total - frame.pageRows))
    }

    mutating func step(_ direction: Int, wraps: Bool) { top += direction }
    mutating func move(by rows: Int) { top += rows }
    mutating func moveToFirst() { top = 0 }
    // More rows than keys can have.
    mutating func moveToLast() { top = 100_000 }

    /// Keys are read, not chosen.
    mutating func select(_ row: Int) -> Bool { false }
    mutating func choose(in scene: Scene) -> LayerOutcome? { LayerOutcome() }

    mutating func scroll(to row: Int, in scene: Scene) -> LayerOutcome {
        guard let frame = frame(in: scene), frame.total > 1 else { return LayerOutcome() }
        top = row * max(0, frame.total - frame.pageRows) / (frame.total - 1)
        settle(in: scene)
        return LayerOutcome()
    }

    /// Until a filter is begun, other keys do what the help says of them.
    mutating func typeAhead(_ character: Character, in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard isFiltering else {
            guard character == "/" else { return nil }
            isFiltering = true
            return LayerOutcome()
        }
        if typed.type(character) { top = 0 }
        return LayerOutcome()
    }

    mutating func takeBack(in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard isFiltering else { return nil }
        if !typed.erase() { isFiltering = false }
        return LayerOutcome()
    }

    mutating func leave(in scene: Scene) -> LayerOutcome {
        guard isFiltering else { return LayerOutcome(closes: true, .touchBar) }
        (typed, isFiltering, top) = (TypedWords(), false, 0)
        return LayerOutcome()
    }
}
