import AetherCore
import AetherFormats
import AetherTerminal

/// The programmes of a channel over the right of the video: a programme a row with its time, and what the selected one is about.
struct GuidePane {
    /// The rows of the frame are those of `GuideList.programmes`.
    let frame: ListFrame
    private let list: GuideList
    private let television: Television

    /// A time and five words.
    private static let narrowest = 44
    /// Margin, selection, mark before the time.
    private static let lead = 4

    /// The layout; nil when nothing of it would fit, and where there are no channels.
    init?(_ list: GuideList, _ scene: Scene) {
        guard let television = scene.television else { return nil }
        (self.list, self.television) = (list, television)
        let size = scene.size, bottom = scene.bottom()
        guard bottom >= 3, size.columns >= 20 else { return nil }
        let columns = min(size.columns, max(Self.narrowest, size.columns * 3 / 5)), margin = size.columns > columns + 1 ? 1 : 0
        let rect = CellRect(column: size.columns - columns - margin, row: 0, columns: columns, rows: min(bottom, 40))
        frame = ListFrame(
            rect: rect, window: list.window(rows: rect.rows - 2), total: list.programmes.count,
            glyphs: Glyphs(isUnicode: scene.capabilities.isUnicode))
    }

    private var rect: CellRect { frame.rect }
    private var glyphs: Glyphs { frame.glyphs }

    var pane: Pane {
        var pane = Pane(.guide, at: rect, fill: .pane)
        let room = frame.writeAtRight(frame.clipped(list.ordinal, (rect.columns - 3) / 2), .paneLabel, into: &pane)
        pane.write(
            frame.clipped(television.book.list.name(list.channel), max(4, room)), column: 1, row: 0, .paneHeading)
        for (row, index) in frame.window.enumerated() { write(index, row: row + 1, &pane) }
        frame.writeEmptiness(emptiness, into: &pane)
        frame.writeScrollBar(into: &pane)
        frame.writeNote(note, into: &pane)
        return pane
    }

    private func write(_ index: Int, row: Int, _ pane: inout Pane) {
        let programme = list.programmes[index], isSelected = index == list.selection, now = television.unix
        if isSelected { frame.writeSelection(row: row, into: &pane) }
        let isOver = programme.stop <= now, isOn = programme.start <= now && !isOver
        func role(_ other: ThemeRole) -> ThemeRole { isSelected ? .paneSelected : other }
        // A past programme that can be played again has a mark of its own.
        let mark = isOn ? (glyphs.isUnicode ? "•" : ">") : isOver && hasPast(programme) ? (glyphs.isUnicode ? "↺" : "@") : ""
        pane.write(mark, column: 2, row: row, role(.paneKey))
        let days = television.days(programme.start)
        let day = days == 0 ? "" : days < 0 ? "\(days)d " : "+\(days)d "
        let time = day + television.timeOfDay(programme.start)
        let left = Self.lead + 9
        pane.write(time, column: left - 1 - time.count, row: row, role(.paneLabel))
        let text = glyphs.line(programme.title, to: rect.columns - left - ListFrame.trail)
        pane.write(text, column: left, row: row, role(isOver ? .paneLabel : isOn ? .paneHeading : .paneValue))
    }

    private func hasPast(_ programme: GuideProgramme) -> Bool {
        television.book.list.channel(list.channel).catchup?.reaches(programme.start, now: television.unix) ?? false
    }

    private var emptiness: String {
        television.awaitsGuide
            ? translated("Reading the guide") + glyphs.ellipsis : translated("The guide knows nothing of this channel")
    }

    private var note: String {
        guard let choice = list.choice else { return translated("Esc close") }
        if !choice.summary.isEmpty { return choice.summary }
        if choice.start > television.unix { return translated("Tab, Esc close") }
        return choice.stop > television.unix
            ? translated("Enter play the channel  Esc close")
            : hasPast(choice) ? translated("Enter play it again  Esc close") : translated("Esc close")
    }
}
