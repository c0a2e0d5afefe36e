import AetherCore
import AetherTerminal

/// The open pane of what is known of the present source: which part of it is seen. `InfoPane` draws it.
struct InfoLayer: ListLayer, Equatable {
    /// The row that is seen first.
    private(set) var top = 0

    var wheelRows: Int { 3 }
    var isPassing: Bool { true }

    func frame(in scene: Scene) -> ListFrame? { InfoPane(self, scene)?.frame }
    func pane(in scene: Scene) -> Pane? { InfoPane(self, scene)?.pane }

    /// No further than the last row.
    mutating func settle(in scene: Scene) {
        guard let frame = frame(in: scene) else { return }
        top = min(max(0, top), max(0, frame.total - frame.pageRows))
    }

    mutating func step(_ direction: Int, wraps: Bool) { top += direction }
    mutating func move(by rows: Int) { top += rows }
    mutating func moveToFirst() { top = 0 }
    // More rows than any file's tracks take.
    mutating func moveToLast() { top = 100_000 }

    /// Facts are read, not chosen.
    mutating func select(_ row: Int) -> Bool { false }
    mutating func choose(in scene: Scene) -> LayerOutcome? { LayerOutcome() }

    mutating func scroll(to row: Int, in scene: Scene) -> LayerOutcome {
        guard let frame = frame(in: scene), frame.total > 1 else { return LayerOutcome() }
        top = row * max(0, frame.total - frame.pageRows) / (frame.total - 1)
        settle(in: scene)
        return LayerOutcome()
    }

    mutating func leave(in scene: Scene) -> LayerOutcome { LayerOutcome(closes: true, .touchBar) }
}
