import AetherCore
import AetherFormats
import AetherTerminal

/// The names of channels side by side, each in the corner of its tile.
enum MosaicPanes {
    /// Less room is for no name.
    private static let narrowest = 8

    static func panes(_ mosaic: Mosaic?, _ scene: Scene) -> [Pane] {
        guard let mosaic, let television = scene.television else { return [] }
        let glyphs = Glyphs(isUnicode: scene.capabilities.isUnicode)
        return mosaic.channels.indices.compactMap { tile in
            let rect = mosaic.layout.cells(of: tile, on: scene.size), isChosen = tile == mosaic.chosen
            let words = words(of: tile, mosaic, television, glyphs)
            let columns = min(rect.columns - 2, ChromeText.columns(of: glyphs.shown(words)) + 2)
            guard rect.columns - 2 >= narrowest, rect.rows >= 2 else { return nil }
            var pane = Pane(
                .mosaic(tile), at: CellRect(column: rect.column + 1, row: rect.row, columns: columns, rows: 1), fill: .pane)
            if isChosen { pane.write(String(repeating: " ", count: columns), column: 0, row: 0, .paneSelected) }
            pane.write(glyphs.line(words, to: columns - 2), column: 1, row: 0, isChosen ? .paneSelected : .paneLabel)
            return pane
        }
    }

    private static func words(of tile: Int, _ mosaic: Mosaic, _ television: Television, _ glyphs: Glyphs) -> String {
        let channel = mosaic.channels[tile]
        var words = television.label(channel)
        if tile == mosaic.chosen { words = (mosaic.isMuted ? translated("(muted) ") : glyphs.isUnicode ? "♪ " : "> ") + words }
        if tile > 0 {
            switch mosaic.states[tile - 1] {
            case .opening: return words + " " + glyphs.ellipsis
            case .failed(let reason): return words + ": " + reason
            case .playing: break
            }
        }
        return television.nowNext(of: channel).now.map { "\(words) – \($0.title)" } ?? words
    }
}
