import AetherTerminal

/// The mouse on lists, whichever is open: their scroll bar, and the row under the pointer.
extension AppModel {
    /// The list that lies on top; nil where none does.
    private var topFrame: ListFrame? {
        let bar = TransportBar.pane(self)
        if showsHelp { return nil }
        if palette != nil { return PalettePane(self, above: bar)?.frame }
        if menu != nil { return MenuPane(self, above: bar)?.frame }
        if browser != nil { return BrowserPane(self, above: bar)?.frame }
        return cueList == nil ? nil : CueListPane(self, above: bar)?.frame
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
        if palette != nil {
            _ = palette?.select(row)
            settlePalette()
        } else if let menu {
            self.menu?.move(by: row - menu.selection)
            settleMenu()
            return previewTheme()
        } else if browser != nil {
            _ = browser?.select(row)
            settleBrowser()
        } else {
            _ = cueList?.select(row)
            settleCueList()
        }
        return []
    }

    /// The pointer is over a row of a menu or of the palette: it is what Enter or a click would choose. nil: over none.
    mutating func pointAtRow(_ event: MouseEvent) -> [AppEffect]? {
        guard palette != nil || menu != nil, let frame = topFrame, frame.contains(column: event.x, row: event.y) else {
            return nil
        }
        guard let row = frame.item(column: event.x, row: event.y) else { return [] }
        if palette != nil {
            _ = palette?.select(row)
            return []
        }
        guard row != menu?.selection, menu?.select(row) == true else { return [] }
        return previewTheme()
    }
}
