import AetherCore
import AetherTerminal

extension Palette: ListLayer {
    /// Its actions are about what lies below it.
    var closesPassingLists: Bool { false }

    var isPassing: Bool { true }
    var takesText: Bool { true }

    func frame(in scene: Scene) -> ListFrame? { PalettePane(self, scene)?.frame }
    func pane(in scene: Scene) -> Pane? { PalettePane(self, scene)?.pane }
    mutating func settle(in scene: Scene) { settle(rows: pageRows(in: scene)) }

    mutating func step(_ direction: Int, wraps: Bool) { move(by: direction, wraps: wraps) }
    mutating func move(by rows: Int) { move(by: rows, wraps: false) }
    mutating func moveToFirst() { move(by: .min) }
    mutating func moveToLast() { move(by: .max) }

    mutating func ownKey(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard stroke.key == .tab else { return nil }
        complete()
        return LayerOutcome()
    }

    mutating func choose(in scene: Scene) -> LayerOutcome? {
        guard case .perform(let action) = enter() else { return LayerOutcome() }
        return LayerOutcome(closes: true, orders: action == .palette ? [] : [.perform(action)])
    }

    mutating func typeAhead(_ character: Character, in scene: Scene, now: HostTime) -> LayerOutcome? {
        type(character)
        return LayerOutcome()
    }

    /// An empty line is left the way it was entered.
    mutating func takeBack(in scene: Scene, now: HostTime) -> LayerOutcome? {
        if query.isEmpty { return leave(in: scene) }
        erase()
        return LayerOutcome()
    }

    mutating func leave(in scene: Scene) -> LayerOutcome { LayerOutcome(closes: true) }
}
