import AetherCore
import AetherTerminal

/// A layer that is a list: the one place that says what keys and the mouse do in lists. A list adds what is its own.
protocol ListLayer: Layer {
    /// Rows that page keys leave out one of.
    func pageRows(in scene: Scene) -> Int

    /// Rows that a notch of the wheel moves it by.
    var wheelRows: Int { get }

    /// Keys pressed with one of these are not the list's.
    var foreignModifiers: KeyModifiers { get }

    /// Whether a key is not the list's for its modifiers.
    func isForeign(_ stroke: KeyStroke) -> Bool

    /// A list to choose from in passing: the pointer selects, and a press beside it closes it.
    var isPassing: Bool { get }

    /// One row on (+1) or back (-1), round the ends where it `wraps` and the list does so.
    mutating func step(_ direction: Int, wraps: Bool)

    /// Rows on or back, and not further than the first and the last.
    mutating func move(by rows: Int)
    mutating func moveToFirst()
    mutating func moveToLast()

    /// Selects a row; false where there is none.
    mutating func select(_ row: Int) -> Bool

    /// A key that only this list has, before all others; nil: it is one that lists have in common, or none.
    mutating func ownKey(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome?

    /// Enter, or a click on a row, which is selected then; nil: no key of this list.
    mutating func choose(in scene: Scene) -> LayerOutcome?

    /// A click on a row, which is selected already.
    mutating func click(_ button: MouseEvent.Button, in scene: Scene) -> LayerOutcome

    /// The buttons that select a row.
    var buttons: Set<MouseEvent.Button> { get }

    /// A sign that is typed; nil: no key of this list.
    mutating func typeAhead(_ character: Character, in scene: Scene, now: HostTime) -> LayerOutcome?

    /// Backspace; nil: no key of this list.
    mutating func takeBack(in scene: Scene, now: HostTime) -> LayerOutcome?

    /// Escape.
    mutating func leave(in scene: Scene) -> LayerOutcome

    /// The selection has moved.
    var moved: LayerOutcome { get }
}

extension ListLayer {
    var wheelRows: Int { 1 }
    var foreignModifiers: KeyModifiers { [.control, .alt] }
    func isForeign(_ stroke: KeyStroke) -> Bool { !stroke.modifiers.isDisjoint(with: foreignModifiers) }
    var isPassing: Bool { false }
    var buttons: Set<MouseEvent.Button> { [.left] }
    var moved: LayerOutcome { LayerOutcome() }

    func pageRows(in scene: Scene) -> Int { frame(in: scene)?.pageRows ?? 1 }
    func rect(in scene: Scene) -> CellRect? { frame(in: scene)?.rect }

    mutating func ownKey(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? { nil }
    mutating func click(_ button: MouseEvent.Button, in scene: Scene) -> LayerOutcome { choose(in: scene) ?? LayerOutcome() }
    mutating func typeAhead(_ character: Character, in scene: Scene, now: HostTime) -> LayerOutcome? { nil }
    mutating func takeBack(in scene: Scene, now: HostTime) -> LayerOutcome? { nil }

    mutating func scroll(to row: Int, in scene: Scene) -> LayerOutcome {
        _ = select(row)
        settle(in: scene)
        return moved
    }

    mutating func key(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard !isForeign(stroke) else { return nil }
        if let outcome = ownKey(stroke, in: scene, now: now) { return settled(outcome, in: scene) }
        let page = max(1, pageRows(in: scene) - 1)
        switch stroke.key {
        case .up: step(-1, wraps: true)
        case .down: step(1, wraps: true)
        case .pageUp: move(by: -page)
        case .pageDown: move(by: page)
        case .home: moveToFirst()
        case .end: moveToLast()
        case .enter: return settled(choose(in: scene), in: scene)
        case .escape: return settled(leave(in: scene), in: scene)
        case .backspace: return settled(takeBack(in: scene, now: now), in: scene)
        case .character(let character): return settled(typeAhead(character, in: scene, now: now), in: scene)
        default: return nil
        }
        return settled(moved, in: scene)
    }

    private mutating func settled(_ outcome: LayerOutcome?, in scene: Scene) -> LayerOutcome? {
        settle(in: scene)
        return outcome
    }

    mutating func mouse(_ event: MouseEvent, isInside: Bool, in scene: Scene, now: HostTime) -> LayerOutcome? {
        listMouse(event, isInside: isInside, in: scene, now: now)
    }

    /// The mouse in a list: a press selects, the wheel scrolls.
    mutating func listMouse(_ event: MouseEvent, isInside: Bool, in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard let frame = frame(in: scene) else { return nil }
        let row = frame.item(column: event.x, row: event.y)
        switch event.action {
        case .press where !isInside:
            return isPassing ? leave(in: scene) : nil
        case .press:
            guard buttons.contains(event.button), let row, select(row) else { return LayerOutcome() }
            return settled(click(event.button, in: scene), in: scene)
        case .scrollUp where isInside, .scrollDown where isInside:
            for _ in 0..<wheelRows { step(event.action == .scrollUp ? -1 : 1, wraps: false) }
            return settled(moved, in: scene)
        case .move where isInside && isPassing:
            guard let row, select(row) else { return LayerOutcome() }
            return moved
        default: return nil
        }
    }
}
