import AetherCore
import AetherTerminal

/// A line of subtitles where it stands on the screen, with a cell of ground before and behind it.
public struct SubtitleLine: Sendable, Equatable {
    /// The look of a part of it.
    struct Look: Sendable, Equatable {
        /// nil: the theme's.
        var color: CellColor?
        var style: CellStyle = []
    }

    /// Of the ground before the first character.
    var column, row: Int
    let glyphs: [TextLine.Glyph]
    /// By `TextLine.Glyph.run`.
    let looks: [Look]

    /// Cells with the ground on both sides.
    var columns: Int { glyphs.reduce(2) { $0 + $1.columns } }

    /// Draws the line where the chrome does not lie. What does not fit on the screen is left out, half a character too.
    func draw(_ face: ChromeFace, into overlay: inout CellOverlay) {
        let size = overlay.grid.size
        guard row >= 0, row < size.rows else { return }
        func put(_ cell: Cell, _ column: Int) {
            guard column >= 0, column < size.columns, !overlay.covered[row * size.columns + column] else { return }
            overlay.grid[column, row] = cell
            overlay.covered[row * size.columns + column] = true
        }
        let ground = Cell(foreground: face.foreground, background: face.background, style: face.style.intersection(.reverse))
        put(ground, column)
        var place = column + 1
        for glyph in glyphs {
            let look = looks.indices.contains(glyph.run) ? looks[glyph.run] : Look()
            var cell = Cell(
                glyph: glyph.glyph, foreground: look.color ?? face.foreground, background: face.background,
                style: face.style.union(look.style))
            let fits = (0..<glyph.columns).allSatisfy {
                place + $0 >= 0 && place + $0 < size.columns && !overlay.covered[row * size.columns + place + $0]
            }
            if !fits { cell.glyph = 0x20 }
            put(cell, place)
            if glyph.columns == 2 {
                cell.glyph = fits ? 0 : 0x20
                put(cell, place + 1)
            }
            place += glyph.columns
        }
        put(ground, place)
    }
}
