import AetherCore
import AetherEngine
import AetherRender
import AetherTerminal

/// The view above the bar while scrubbing: the picture there, its time and chapter. Pure.
enum ScrubView {
    /// Share of the screen's width that the picture takes, and the bounds of it in cells: under 12 columns nothing is recognised.
    private static let share = 0.28, columns = 12...64

    /// The line with time and chapter, right above the bar; nil while nobody scrubs, or there is no room.
    static func pane(_ model: AppModel, above bar: Pane?) -> Pane? {
        guard let scrub = model.scrub, let bar, bar.rect.row >= 1 else { return nil }
        let glyphs = Glyphs(isUnicode: model.capabilities.isUnicode)
        let room = model.size.columns - 2
        guard room >= 4 else { return nil }
        let text = glyphs.line(label(scrub, model, glyphs), to: room)
        let width = ChromeText.columns(of: text) + 2
        let rect = CellRect(column: left(of: width, model, scrub), row: bar.rect.row - 1, columns: width, rows: 1)
        var pane = Pane(.scrub, at: rect, fill: .bar)
        pane.write(text, column: 1, row: 0, .barTime)
        return pane
    }

    /// The cells of the picture; nil where there is none, or no room.
    static func pictureRect(_ model: AppModel, above bar: Pane?) -> CellRect? {
        guard let scrub = model.scrub, let image = scrub.picture?.image, image.width > 0, image.height > 0, let bar else {
            return nil
        }
        let rowsThere = bar.rect.row - 1
        // Columns for each row of a picture of that shape.
        let shape = Double(image.width) / Double(image.height) / max(0.1, model.cellAspect)
        let wanted = Double(min(columns.upperBound, max(columns.lowerBound, Int(Double(model.size.columns) * share))))
        var width = min(wanted, Double(model.size.columns))
        var height = (width / shape).rounded()
        let limit = Double(min(rowsThere, model.size.rows / 2))
        if height > limit {
            height = limit
            width = (height * shape).rounded()
        }
        guard height >= 2, width >= 4, width <= Double(model.size.columns) else { return nil }
        return CellRect(
            column: left(of: Int(width), model, scrub), row: rowsThere - Int(height), columns: Int(width), rows: Int(height))
    }

    /// The picture as the composer takes it.
    static func inset(_ model: AppModel) -> PictureInset? {
        guard let image = model.scrub?.picture?.image, let rect = pictureRect(model, above: TransportBar.pane(model)) else {
            return nil
        }
        return PictureInset(image: image, rect: rect)
    }

    /// "0:12:34  Chapter".
    private static func label(_ scrub: Scrub, _ model: AppModel, _ glyphs: Glyphs) -> String {
        let time = Timecode.text(scrub.target - model.snapshot.startTime)
        let chapters = model.snapshot.chapters
        guard let index = ChapterStep.index(at: scrub.target, chapters: chapters), !chapters[index].name.isEmpty else {
            return time
        }
        return time + "  " + glyphs.shown(chapters[index].name)
    }

    /// Centred over the place on the progress line, within the screen.
    private static func left(of width: Int, _ model: AppModel, _ scrub: Scrub) -> Int {
        let centre = TransportBar.column(of: scrub.target, model) ?? model.size.columns / 2
        return max(0, min(model.size.columns - width, centre - width / 2))
    }
}
