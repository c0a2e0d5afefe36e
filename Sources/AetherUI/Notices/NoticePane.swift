import AetherCore
import AetherTerminal

/// The notices, over the video: the time and the sentence, the newest at the bottom; long ones take several rows.
struct NoticePane {
    let frame: ListFrame
    /// One row of the list.
    private struct Line {
        let time: String
        let text: String
        let isError: Bool
    }
    private let lines: [Line]
    private let count: Int

    /// 100: wider, eyes lose the row.
    private static let widest = 100
    /// "21:04:09" and a gap.
    private static let timeColumns = 10

    /// The layout of a list; nil when nothing of it would fit.
    init?(_ list: NoticeList, _ scene: Scene) {
        let glyphs = Glyphs(isUnicode: scene.capabilities.isUnicode)
        let size = scene.size
        let bottom = scene.bottom()
        guard bottom >= 3, size.columns >= 16 else { return nil }
        let columns = min(size.columns, Self.widest), margin = bottom >= 16 ? 1 : 0
        let hasTimes = columns >= 40
        let room = columns - 3 - (hasTimes ? Self.timeColumns : 0)
        lines = scene.notices.entries.flatMap { entry in
            let text = glyphs.shown(entry.text) + (entry.count > 1 ? " (\(entry.count) times)" : "")
            let rows = TextLayout.lines([text], width: max(1, room)).map(\.text)
            return rows.enumerated().map { number, row in
                Line(time: number == 0 && hasTimes ? entry.time : "", text: row, isError: entry.isError)
            }
        }
        count = scene.notices.entries.count
        let rows = min(bottom - 2 * margin, 40, max(1, lines.count) + 2)
        let rect = CellRect(column: (size.columns - columns) / 2, row: margin, columns: columns, rows: rows)
        frame = ListFrame(
            rect: rect, window: list.window(of: lines.count, rows: rect.rows - 2), total: lines.count, glyphs: glyphs)
    }

    var pane: Pane {
        let rect = frame.rect
        var pane = Pane(.notices, at: rect, fill: .pane)
        let room = frame.writeAtRight("\(count)", .paneLabel, into: &pane)
        pane.write(frame.clipped("Notices and errors", room), column: 1, row: 0, .paneHeading)
        let column = rect.columns >= 40 ? 1 + Self.timeColumns : 1
        for (row, index) in frame.window.enumerated() {
            let line = lines[index]
            pane.write(line.time, column: 1, row: row + 1, .paneLabel)
            pane.write(
                frame.clipped(line.text, rect.columns - column - 2), column: column, row: row + 1,
                line.isError ? .paneWarning : .paneValue)
        }
        frame.writeEmptiness("No notices yet", into: &pane)
        frame.writeScrollBar(into: &pane)
        let arrows = frame.glyphs.isUnicode ? "↑ ↓" : "Up Down"
        frame.writeNote("\(arrows) older, newer  Esc close", into: &pane)
        return pane
    }
}
