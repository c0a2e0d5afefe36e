import AetherCore
import AetherEngine
import AetherRender
import AetherTerminal

/// The view above the bar while scrubbing: the still there, its time and chapter. Pure.
enum ScrubView {
    /// Share of the screen's width that the still takes, and the bounds of it in cells: under 12 columns nothing is recognised.
    private static let share = 0.28, columns = 12...64

    /// The line with time and chapter, right above the bar; nil where there is no room.
    static func pane(_ scrub: Scrub, _ scene: Scene) -> Pane? {
        guard let bar = scene.barRect, bar.row >= 1 else { return nil }
        let glyphs = Glyphs(isUnicode: scene.capabilities.isUnicode)
        let room = scene.size.columns - 2
        guard room >= 4 else { return nil }
        let text = glyphs.line(label(scrub, scene, glyphs), to: room)
        let width = ChromeText.columns(of: text) + 2
        let rect = CellRect(column: left(of: width, scene, scrub), row: bar.row - 1, columns: width, rows: 1)
        var pane = Pane(.scrub, at: rect, fill: .bar)
        pane.write(text, column: 1, row: 0, .barTime)
        return pane
    }

    /// The cells of the still; nil where there is none, or no room.
    static func imageRect(_ scrub: Scrub, _ scene: Scene) -> CellRect? {
        guard let image = scrub.still?.image, image.width > 0, image.height > 0, let bar = scene.barRect else {
            return nil
        }
        let rowsThere = bar.row - 1
        // Columns for each row of a still of that shape.
        let shape = Double(image.width) / Double(image.height) / max(0.1, scene.cellAspect)
        let wanted = Double(min(columns.upperBound, max(columns.lowerBound, Int(Double(scene.size.columns) * share))))
        var width = min(wanted, Double(scene.size.columns))
        var height = (width / shape).rounded()
        let limit = Double(min(rowsThere, scene.size.rows / 2))
        if height > limit {
            height = limit
            width = (height * shape).rounded()
        }
        guard height >= 2, width >= 4, width <= Double(scene.size.columns) else { return nil }
        return CellRect(
            column: left(of: Int(width), scene, scrub), row: rowsThere - Int(height), columns: Int(width), rows: Int(height))
    }

    /// The still as the composer takes it.
    static func inset(_ scrub: Scrub, _ scene: Scene) -> ImageInset? {
        guard let image = scrub.still?.image, let rect = imageRect(scrub, scene) else {
            return nil
        }
        return ImageInset(image: image, rect: rect)
    }

    /// "0:12:34  Chapter".
    private static func label(_ scrub: Scrub, _ scene: Scene, _ glyphs: Glyphs) -> String {
        let time = Timecode.text(scrub.target - scene.snapshot.startTime)
        let chapters = scene.snapshot.chapters
        guard let index = ChapterStep.index(at: scrub.target, chapters: chapters), !chapters[index].name.isEmpty else {
            return time
        }
        return time + "  " + glyphs.shown(chapters[index].name)
    }

    /// Centred over the place on the progress line, within the screen.
    private static func left(of width: Int, _ scene: Scene, _ scrub: Scrub) -> Int {
        let centre = TransportBar.column(of: scrub.target, scene) ?? scene.size.columns / 2
        return max(0, min(scene.size.columns - width, centre - width / 2))
    }
}
