import AetherCore
import AetherTerminal

/// The line around a pane that lies over something else, one cell outside of it: over songs, whose ground is the panes' own, and over dark
/// video a pane would end nowhere. On a side without room there is none. Pure.
enum PaneEdge {
    /// A pane with its edge.
    static func rect(around inner: CellRect, in scene: Scene) -> CellRect {
        let bar = scene.barRect
        let bottom = bar.map { inner.row + inner.rows <= $0.row ? $0.row : scene.size.rows } ?? scene.size.rows
        let left = max(0, inner.column - 1), top = max(0, inner.row - 1)
        let right = min(scene.size.columns, inner.column + inner.columns + 1)
        let below = min(max(bottom, inner.row + inner.rows), inner.row + inner.rows + 1)
        return CellRect(column: left, row: top, columns: right - left, rows: below - top)
    }

    /// The pane with the edge, which is drawn under another pane; nil where no side has room.
    static func pane(around inner: CellRect, in scene: Scene) -> Pane? {
        let rect = rect(around: inner, in: scene)
        guard rect != inner, inner.columns > 0, inner.rows > 0 else { return nil }
        var pane = Pane(.edge, at: rect, fill: .pane)
        let isUnicode = scene.capabilities.isUnicode
        let (line, side) = isUnicode ? ("─", "│") : ("-", "|")
        let isLeft = rect.column < inner.column, isTop = rect.row < inner.row
        let isRight = rect.column + rect.columns > inner.column + inner.columns
        let isBottom = rect.row + rect.rows > inner.row + inner.rows
        let middle = String(repeating: line, count: inner.columns)
        func corner(_ sign: String, _ isThere: Bool) -> String { isThere ? (isUnicode ? sign : "+") : "" }
        if isTop { pane.write(corner("╭", isLeft) + middle + corner("╮", isRight), column: 0, row: 0, .paneLabel) }
        for row in (isTop ? 1 : 0)..<(isTop ? 1 : 0) + inner.rows {
            if isLeft { pane.write(side, column: 0, row: row, .paneLabel) }
            if isRight { pane.write(side, column: rect.columns - 1, row: row, .paneLabel) }
        }
        if isBottom {
            pane.write(corner("╰", isLeft) + middle + corner("╯", isRight), column: 0, row: rect.rows - 1, .paneLabel)
        }
        return pane
    }
}
