import AetherCore
import AetherTerminal

/// The layers that are open, in one order: it alone says what is drawn over what, which layer is asked about a key or a click first,
/// and whose scroll bar is meant.
struct LayerStack: Sendable {
    /// The lowest first, as they are drawn.
    private(set) var order: [any Layer] = []
    /// The mouse has hold of the scroll bar of the list on top.
    private var holdsScrollBar = false

    /// The open layer of a type; nil where it is closed. One that opens lies on top of its level; one that is open already stays where it
    /// is.
    subscript<Kind: Layer>(_ kind: Kind.Type) -> Kind? {
        get {
            for case let layer as Kind in order { return layer }
            return nil
        }
        set {
            let place = order.firstIndex { $0 is Kind }
            switch (place, newValue) {
            case (let place?, let layer?): order[place] = layer
            case (let place?, nil): order.remove(at: place)
            case (nil, let layer?):
                if layer.closesPassingLists { order.removeAll(where: \.isPassingList) }
                order.insert(layer, at: order.firstIndex { $0.level > layer.level } ?? order.endIndex)
            case (nil, nil): break
            }
        }
    }

    /// The layer on top of a level; nil where none is open there.
    func top(_ level: LayerLevel) -> (any Layer)? { order.last { $0.level == level } }

    /// The layers that are asked about a key, one after the other: of each level the one on top. What it covers hears nothing.
    var listening: [Int] { LayerLevel.allCases.reversed().compactMap { level in order.lastIndex { $0.level == level } } }

    /// Whether an automatic bar stays for one of them.
    var keepsBar: Bool { order.contains { $0.keepsBar } }

    /// The time that the bar marks, on the source axis; nil for none.
    var mark: MediaTime? { order.lazy.compactMap(\.mark).first }

    // MARK: - Keys and mouse

    /// A key; nil: no layer's.
    mutating func key(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        for place in listening {
            if let outcome = order[place].key(stroke, in: scene, now: now) { return finish(outcome, of: place) }
        }
        return nil
    }

    /// The mouse, from the top down: what a layer covers is below the pointer for no other one. nil: no layer's.
    mutating func mouse(_ event: MouseEvent, in scene: Scene, now: HostTime) -> LayerOutcome? {
        if let outcome = scrollBar(event, in: scene) { return outcome }
        for place in order.indices.reversed() {
            let isInside = order[place].rect(in: scene)?.contains(column: event.x, row: event.y) == true
            if let outcome = order[place].mouse(event, isInside: isInside, in: scene, now: now) {
                return finish(outcome, of: place)
            }
            if isInside { return nil }
        }
        return nil
    }

    /// A press on a scroll bar goes where it points, and takes hold of it; nil: the report is something else.
    private mutating func scrollBar(_ event: MouseEvent, in scene: Scene) -> LayerOutcome? {
        let top = order.lastIndex { $0.level == .list }
        let frame = top.flatMap { order[$0].frame(in: scene) }
        switch event.action {
        case .press where event.button == .left:
            guard frame?.isBar(column: event.x, row: event.y) == true else { return nil }
            holdsScrollBar = true
        case .drag where holdsScrollBar: break
        case .release where holdsScrollBar:
            holdsScrollBar = false
            return LayerOutcome()
        default: return nil
        }
        guard let top, let row = frame?.barRow(at: event.y) else { return LayerOutcome() }
        return order[top].scroll(to: row, in: scene)
    }

    private mutating func finish(_ outcome: LayerOutcome, of place: Int) -> LayerOutcome {
        if outcome.closes { order.remove(at: place) }
        return outcome
    }

    // MARK: - Size and time

    /// The screen has another size.
    mutating func settle(in scene: Scene) {
        for place in order.indices { order[place].settle(in: scene) }
    }

    /// The time at which one of them looks different next; see `Layer.due`.
    func due(after snapshot: HostTime) -> HostTime? { order.compactMap { $0.due(after: snapshot) }.min() }

    /// Time has passed: closes what is over. Returns whether something looks different.
    mutating func expire(_ now: HostTime) -> Bool {
        var hasChanged = false
        for place in order.indices.reversed() {
            guard let outcome = order[place].expire(at: now) else { continue }
            hasChanged = true
            _ = finish(outcome, of: place)
        }
        return hasChanged
    }
}
