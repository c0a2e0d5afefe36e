import AetherTerminal

/// The mouse on lists, whichever is open: their scroll bar, and the row under the pointer.
extension AppModel {
    /// The list that lies on top; nil where none does.
    private var topFrame: ListFrame? {
        let bar = TransportBar.pane(self)
        return switch layers.top(.list) {
        case .palette: PalettePane(self, above: bar)?.frame
        case .menu: MenuPane(self, above: bar)?.frame
        case .browser: BrowserPane(self, above: bar)?.frame
        case .cueList: CueListPane(self, above: bar)?.frame
        default: nil
        }
    }

    /// A press on a scroll bar goes where it points, and takes hold of it; nil: the report is something else.
    mutating func scrollBarMouse(_ event: MouseEvent) -> [AppEffect]? {
        switch event.action {
        case .press where event.button == .left:
            guard topFrame?.isBar(column: event.x, row: event.y) == true else { return nil }
            holdsScrollBar = true
        case .drag where holdsScrollBar: break
        case .release where holdsScrollBar:
            holdsScrollBar = false
            return []
        default: return nil
        }
        guard let row = topFrame?.barRow(at: event.y) else { return [] }
        switch layers.top(.list) {
        case .palette:
            _ = palette?.select(row)
            settlePalette()
        case .menu:
            let present = menu?.selection ?? row
            menu?.move(by: row - present)
            settleMenu()
            return previewTheme()
        case .browser:
            _ = browser?.select(row)
            settleBrowser()
        default:
            _ = cueList?.select(row)
            settleCueList()
        }
        return []
    }

    /// The pointer is over a row of a menu or of the palette: it is what Enter or a click would choose. nil: over none.
    mutating func pointAtRow(_ event: MouseEvent) -> [AppEffect]? {
        let top = layers.top(.list)
        guard top == .palette || top == .menu, let frame = topFrame, frame.contains(column: event.x, row: event.y) else {
            return nil
        }
        guard let row = frame.item(column: event.x, row: event.y) else { return [] }
        if top == .palette {
            _ = palette?.select(row)
            return []
        }
        guard row != menu?.selection, menu?.select(row) == true else { return [] }
        return previewTheme()
    }
}
