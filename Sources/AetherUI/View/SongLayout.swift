import AetherCore
import AetherEngine

/// The layout of the screen while audio plays without video: cover at the left, words at the right, spectrum below, and always room for
/// the bar, so that nothing moves when that comes and goes. Pure.
struct SongLayout: Equatable {
    /// The cells of the cover; nil: it has no room.
    let cover: CellRect?
    /// Tags and lyrics.
    let text: CellRect?
    let spectrum: CellRect?

    init(_ scene: Scene) {
        let size = scene.size, hasCover = scene.snapshot.metadata.artworkData != nil
        let bottom = max(0, size.rows - BarState.rows(on: size))
        // The spectrum: a fifth of the height, and none on screens of few rows.
        let high = bottom >= 10 && size.columns >= 16 ? min(10, max(3, bottom / 5)) + 1 : 0
        let upper = bottom - high
        spectrum = high > 0 ? CellRect(column: 0, row: upper, columns: size.columns, rows: high) : nil
        // Under four rows a cover is a smudge.
        guard hasCover, upper >= 4 else {
            (cover, text) = (nil, upper > 0 ? CellRect(column: 0, row: 0, columns: size.columns, rows: upper) : nil)
            return
        }
        if size.columns >= 64 {
            // Cells are about twice as high as wide: a square cover has two columns a row.
            let wide = min(size.columns * 11 / 20, upper * 2 + 2)
            cover = CellRect(column: 0, row: 0, columns: wide, rows: upper)
            text = CellRect(column: wide, row: 0, columns: size.columns - wide, rows: upper)
        } else {
            let lines = min(upper, upper >= 12 ? 5 : 3)
            cover = upper - lines >= 4 ? CellRect(column: 0, row: 0, columns: size.columns, rows: upper - lines) : nil
            let first = cover == nil ? 0 : upper - lines
            text = upper > 0 ? CellRect(column: 0, row: first, columns: size.columns, rows: upper - first) : nil
        }
    }

    /// The number of bars that there is room for: two columns and a gap each.
    var bandCount: Int { min(64, max(1, ((spectrum?.columns ?? 4) - 3) / 3)) }
}
