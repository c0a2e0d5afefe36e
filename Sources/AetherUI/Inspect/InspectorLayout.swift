import AetherCore
import AetherRender
import AetherTerminal

/// The layout of the Debug face: where list, details and image of a tab lie.
struct InspectorLayout {
    /// All of the face, or its left or upper part.
    let list: CellRect
    /// Room for what is selected in the list; nil for none.
    private(set) var details: CellRect?
    /// Room for an image; nil for none.
    private(set) var image: CellRect?

    /// Fewer columns than this have no room beside the list.
    private static let widest = 78

    /// A layout in the cells of the face.
    init(_ tab: Inspector.Tab, _ rect: CellRect) {
        let isWide = rect.columns >= Self.widest
        func beside(_ column: Int, _ row: Int, _ rows: Int) -> CellRect {
            CellRect(column: column + 1, row: row, columns: rect.columns - column - 2, rows: rows)
        }
        switch tab {
        case .samples, .buffers: list = rect
        case .boxes, .decode:
            let columns = isWide ? rect.columns / 2 : rect.columns
            // Where there is no room beside the list, what is selected stands below it.
            let height = !isWide && rect.rows >= 9 ? rect.rows * 3 / 5 : rect.rows
            list = CellRect(column: 0, row: 0, columns: columns, rows: height)
            if isWide {
                details = beside(columns, 1, rect.rows - 2)
            } else if height < rect.rows {
                details = CellRect(column: 1, row: height, columns: rect.columns - 2, rows: rect.rows - 1 - height)
            }
            guard tab == .decode, isWide else { return }
            // The facts of a frame are nine lines.
            let rows = rect.rows - 2 - 9
            guard rows >= 4 else { return }
            image = beside(columns, 1, rows)
            details = beside(columns, 1 + rows, rect.rows - 2 - rows)
        case .video, .audio:
            list = rect
            let columns = isWide ? max(40, rect.columns / 3) : rect.columns
            details = CellRect(column: 1, row: 1, columns: columns - 2, rows: rect.rows - 2)
            if isWide, rect.rows >= 8 { image = beside(columns, 1, rect.rows - 2) }
        }
    }
}
