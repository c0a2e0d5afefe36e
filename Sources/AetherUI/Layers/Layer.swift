import AetherCore
import AetherTerminal

/// A part of the screen that lies over the video and is opened and closed. A value: it reads the scene, changes nothing but itself, and
/// orders what else is to be done. Its functions are pure and do not block.
protocol Layer: Sendable {
    var level: LayerLevel { get }

    /// It closes the passing lists when it opens.
    var closesPassingLists: Bool { get }

    /// It closes when another list opens.
    var isPassingList: Bool { get }

    /// An automatic bar stays on the screen while this is open.
    var keepsBar: Bool { get }

    /// All that is typed goes into a field of it now, and so does what is pasted.
    var takesText: Bool { get }

    /// The time that the bar marks for it, on the source axis; nil for none.
    var mark: MediaTime? { get }

    /// The drawn pane; nil where nothing of it has room.
    func pane(in scene: Scene) -> Pane?

    /// The cells that it covers; nil where nothing of it has room.
    func rect(in scene: Scene) -> CellRect?

    /// The place of its list; nil where it is none, or has no room.
    func frame(in scene: Scene) -> ListFrame?

    /// A key; nil: it is not the layer's, and goes to the layer below.
    mutating func key(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome?

    /// A report of the mouse in cells, from inside or beside the layer; nil: it is not the layer's.
    mutating func mouse(_ event: MouseEvent, isInside: Bool, in scene: Scene, now: HostTime) -> LayerOutcome?

    /// The scroll bar of its list was put to a row.
    mutating func scroll(to row: Int, in scene: Scene) -> LayerOutcome

    /// The part that is seen follows the selection and the screen.
    mutating func settle(in scene: Scene)

    /// The time at which it looks different next if nothing else happens, counted from the last snapshot; nil: never.
    func due(after snapshot: HostTime) -> HostTime?

    /// Time has passed; nil: nothing looks different for that.
    mutating func expire(at now: HostTime) -> LayerOutcome?
}

/// Layers of a higher level lie over all of a lower one; of one level, what was opened last lies on top.
enum LayerLevel: Int, Comparable, CaseIterable, Sendable {
    /// Only read: the telemetry.
    case page
    /// The place on the bar that a hand looks at.
    case preview
    /// Has the keys.
    case list

    static func < (a: LayerLevel, b: LayerLevel) -> Bool { a.rawValue < b.rawValue }
}

extension Layer {
    var level: LayerLevel { .list }
    var closesPassingLists: Bool { level == .list }
    var isPassingList: Bool { false }
    var keepsBar: Bool { false }
    var takesText: Bool { false }
    var mark: MediaTime? { nil }
    func rect(in scene: Scene) -> CellRect? { pane(in: scene)?.rect }
    func frame(in scene: Scene) -> ListFrame? { nil }
    mutating func scroll(to row: Int, in scene: Scene) -> LayerOutcome { LayerOutcome() }
    mutating func settle(in scene: Scene) {}
    func due(after snapshot: HostTime) -> HostTime? { nil }
    mutating func expire(at now: HostTime) -> LayerOutcome? { nil }
}
