import AetherCore
import AetherTerminal

/// The open list of downloads: which one is selected. `DownloadPane` draws it.
struct DownloadList: ListLayer, Equatable {
    private(set) var cursor = ListCursor(row: 0)
    /// The download that the person has asked to remove, by its number; the same key again removes it.
    private(set) var doomed: Int?

    func frame(in scene: Scene) -> ListFrame? { DownloadPane(self, scene)?.frame }
    func pane(in scene: Scene) -> Pane? { DownloadPane(self, scene)?.pane }

    mutating func settle(in scene: Scene) {
        let count = scene.downloads.count
        cursor.row = min(max(0, cursor.row), max(0, count - 1))
        cursor.settle(cursor.window(rows: pageRows(in: scene), of: count))
        if let doomed, !scene.downloads.contains(where: { $0.number == doomed }) { self.doomed = nil }
    }

    /// Selects the newest one.
    mutating func selectLast(of count: Int) { cursor.row = max(0, count - 1) }

    mutating func step(_ direction: Int, wraps: Bool) { move(by: direction) }
    // `settle` brings it into the list.
    mutating func move(by rows: Int) { (cursor.row, doomed) = (max(0, cursor.row + rows), nil) }
    mutating func moveToFirst() { (cursor.row, doomed) = (0, nil) }
    mutating func moveToLast() { (cursor.row, doomed) = (100_000, nil) }

    mutating func select(_ row: Int) -> Bool {
        if row != cursor.row { doomed = nil }
        cursor.row = max(0, row)
        return true
    }

    private func choice(in scene: Scene) -> DownloadEntry? {
        scene.downloads.indices.contains(cursor.row) ? scene.downloads[cursor.row] : nil
    }

    /// Stops the selected download, or goes on with it.
    mutating func choose(in scene: Scene) -> LayerOutcome? {
        doomed = nil
        guard let entry = choice(in: scene) else { return LayerOutcome() }
        if entry.state == .complete { return LayerOutcome(.say(translated("It is complete: \(entry.folder)"))) }
        return LayerOutcome(.effect(.download(.turn(entry.number))))
    }

    mutating func click(_ button: MouseEvent.Button, in scene: Scene) -> LayerOutcome { LayerOutcome() }

    mutating func ownKey(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        switch stroke.key {
        case .delete, .character("x"): return remove(in: scene)
        case .escape where doomed != nil:
            doomed = nil
            return LayerOutcome()
        default: return nil
        }
    }

    /// Removes the selected download when it is asked for twice: its files go, too.
    private mutating func remove(in scene: Scene) -> LayerOutcome {
        guard let entry = choice(in: scene) else { return LayerOutcome() }
        guard doomed == entry.number else {
            doomed = entry.number
            return LayerOutcome()
        }
        doomed = nil
        return LayerOutcome(.effect(.download(.remove(entry.number))))
    }

    mutating func leave(in scene: Scene) -> LayerOutcome { LayerOutcome(closes: true, .touchBar) }

    /// Figures change each second.
    func due(after snapshot: HostTime) -> HostTime? { snapshot + .seconds(1) }
}
