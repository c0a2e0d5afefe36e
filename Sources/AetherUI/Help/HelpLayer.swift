import AetherCore
import AetherTerminal

/// The open help, and which of its pages is seen. `HelpPane` draws it.
struct HelpLayer: Layer {
    /// From 0.
    private(set) var page = 0

    func pane(in scene: Scene) -> Pane? { HelpPane.pane(page, scene) }

    /// On to the next page; false behind the last.
    mutating func turn(in scene: Scene) -> Bool {
        guard page + 1 < HelpPane.pageCount(scene) else { return false }
        page += 1
        return true
    }

    mutating func key(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        stroke == KeyStroke(.escape) ? LayerOutcome(closes: true, .touchBar) : nil
    }

    /// A click on the help is its key: the next page, then none.
    mutating func mouse(_ event: MouseEvent, isInside: Bool, in scene: Scene, now: HostTime) -> LayerOutcome? {
        isInside && event.action == .press ? LayerOutcome(.perform(.toggleHelp)) : nil
    }
}
