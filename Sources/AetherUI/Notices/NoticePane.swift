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
    private let filter: TypedWords?

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
        let words = list.filter?.folded ?? []
        let entries = scene.notices.entries.filter { entry in
            let text = words.isEmpty ? "" : TypedWords.folded("\(entry.time) \(entry.text)")
            return words.allSatisfy { text.contains($0) }
        }
        lines = entries.flatMap { entry in
            Self.rows(entry, room, glyphs).enumerated().map { number, row in
                Line(time: number == 0 && hasTimes ? entry.time : "", text: row, isError: entry.isError)
            }
        }
        (count, filter) = (entries.count, list.filter)
        // A filter leaves the pane as high as it was without words: nothing jumps below them.
        let all = filter == nil ? lines.count : scene.notices.entries.reduce(0) { $0 + Self.rows($1, room, glyphs).count }
        let rows = min(bottom - 2 * margin, 40, max(1, all) + 2)
        let rect = CellRect(column: (size.columns - columns) / 2, row: margin, columns: columns, rows: rows)
        frame = ListFrame(
            rect: rect, window: list.window(of: lines.count, rows: rect.rows - 2), total: lines.count, glyphs: glyphs)
    }

    private static func rows(_ entry: NoticeLog.Entry, _ room: Int, _ glyphs: Glyphs) -> [String] {
        let text =
            glyphs.shown(entry.text)
            + (entry.count > 1
                ? translated(one: " (\(entry.count) time)", other: " (\(entry.count) times)", count: entry.count) : "")
        return TextLayout.lines([text], width: max(1, room)).map(\.text)
    }

    var pane: Pane {
        let rect = frame.rect
        var pane = Pane(.notices, at: rect, fill: .pane)
        let right = filter.map { frame.typed("/", $0.text, rect.columns / 2) } ?? "\(count)"
        let room = frame.writeAtRight(right, filter == nil ? .paneLabel : .paneKey, into: &pane)
        pane.write(frame.clipped(translated("Notices and errors"), room), column: 1, row: 0, .paneHeading)
        let column = rect.columns >= 40 ? 1 + Self.timeColumns : 1
        for (row, index) in frame.window.enumerated() {
            let line = lines[index]
            pane.write(line.time, column: 1, row: row + 1, .paneLabel)
            pane.write(
                frame.clipped(line.text, rect.columns - column - 2), column: column, row: row + 1,
                line.isError ? .paneWarning : .paneValue)
        }
        frame.writeEmptiness(
            filter?.isEmpty ?? true ? translated("No notices yet") : translated("No notice has these words"), into: &pane)
        frame.writeScrollBar(into: &pane)
        let arrows = frame.glyphs.isUnicode ? "↑ ↓" : "Up Down"
        frame.writeNote(
            translated("\(arrows) older, newer") + "  "
                + (filter == nil ? translated("/ filter  Esc close") : translated("Esc all notices")), into: &pane)
        return pane
    }
}
