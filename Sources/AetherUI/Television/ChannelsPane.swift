import AetherCore
import AetherFormats
import AetherRender
import AetherTerminal

/// The channels over the video: a channel a row with its number, what is on with its progress, and what comes next where there is room. Where it
/// lies is a value of its own, so that clicks find what was drawn.
struct ChannelsPane {
    /// The rows of the frame are those of `Channels.found`.
    let frame: ListFrame
    private let channels: Channels
    private let television: Television

    /// 120: a name, what is on and what comes; wider, eyes lose the row.
    private static let widest = 120
    /// Margin, selection, marks before the number.
    private static let lead = 5
    /// Cells of the progress of what is on.
    private static let progressColumns = 8
    /// From so many columns on there is room for what is on, and from so many for what comes.
    private static let roomForNow = 50, roomForNext = 96

    /// The layout; nil when nothing of it would fit, and where there are no channels.
    init?(_ channels: Channels, _ scene: Scene) {
        guard let television = scene.television else { return nil }
        (self.channels, self.television) = (channels, television)
        let size = scene.size, bottom = scene.bottom()
        guard bottom >= 3, size.columns >= 16 else { return nil }
        let columns = min(size.columns, Self.widest), margin = bottom >= 16 && columns < size.columns ? 1 : 0
        let rect = CellRect(
            column: (size.columns - columns) / 2, row: margin, columns: columns, rows: min(bottom - 2 * margin, 40))
        frame = ListFrame(
            rect: rect, window: channels.window(rows: rect.rows - 2), total: channels.found.count,
            glyphs: Glyphs(isUnicode: scene.capabilities.isUnicode))
    }

    private var rect: CellRect { frame.rect }
    private var glyphs: Glyphs { frame.glyphs }

    var pane: Pane {
        var pane = Pane(.channels, at: rect, fill: .pane)
        writeHeading(into: &pane)
        let width = numberColumns
        for (row, index) in frame.window.enumerated() { write(index, row: row + 1, width, &pane) }
        frame.writeEmptiness(emptiness, into: &pane)
        frame.writeScrollBar(into: &pane)
        frame.writeNote(note, into: &pane)
        return pane
    }

    // MARK: - The logo

    /// Less would be a spot of colour.
    var hasRoomForLogo: Bool { rect.columns >= 60 && rect.rows >= 10 }

    /// The logo of the selected channel as the composer takes it: at the right, in the half that the selection is not in. nil where it has no room.
    func inset(_ logo: RasterImage, cellAspect: Double) -> ImageInset? {
        guard hasRoomForLogo, logo.width > 0, logo.height > 0 else { return nil }
        let shape = Double(logo.width) / Double(logo.height) / max(0.1, cellAspect), most = min(8, (rect.rows - 2) / 3)
        var columns = min(24, rect.columns / 4), rows = Int((Double(columns) / shape).rounded())
        if rows > most { (columns, rows) = (Int((Double(most) * shape).rounded()), most) }
        guard columns >= 2, rows >= 1 else { return nil }
        let isLow = channels.selection - frame.window.lowerBound >= max(frame.window.count / 2, rect.rows / 2)
        let row = isLow ? rect.row + 1 : rect.row + rect.rows - 1 - rows
        return ImageInset(
            image: logo,
            rect: CellRect(column: rect.column + rect.columns - ListFrame.trail - columns, row: row, columns: columns, rows: rows)
        )
    }

    // MARK: - Words

    private func writeHeading(into pane: inout Pane) {
        let half = (rect.columns - 3) / 2
        let right = channels.isFinding ? frame.typed("/", channels.query, half) : frame.clipped(channels.ordinal, half)
        let room = frame.writeAtRight(right, channels.isFinding ? .paneKey : .paneLabel, into: &pane)
        pane.write(frame.clipped(channels.heading(television), max(4, room)), column: 1, row: 0, .paneHeading)
    }

    /// Numbers are as wide as the widest that is seen.
    private var numberColumns: Int {
        frame.window.map { "\(television.book.list.number(channels.found[$0]))".count }.max() ?? 1
    }

    private func write(_ index: Int, row: Int, _ width: Int, _ pane: inout Pane) {
        let channel = channels.found[index], isSelected = index == channels.selection
        if isSelected { frame.writeSelection(row: row, into: &pane) }
        func role(_ other: ThemeRole) -> ThemeRole { isSelected ? .paneSelected : other }
        if channel == television.present { pane.write(glyphs.isUnicode ? "•" : ">", column: 2, row: row, role(.paneKey)) }
        if television.isFavourite(channel) { pane.write(glyphs.isUnicode ? "★" : "*", column: 3, row: row, role(.paneKey)) }
        let number = "\(television.book.list.number(channel))"
        pane.write(number, column: Self.lead + width - number.count, row: row, role(.paneLabel))
        let left = Self.lead + width + 1, room = rect.columns - left - ListFrame.trail
        guard room >= 4 else { return }
        let onAir = rect.columns >= Self.roomForNow ? television.nowNext(of: channel) : NowNext(at: 0)
        let nameRoom = onAir == NowNext(at: 0) ? room : min(room, max(16, room / 3))
        pane.write(glyphs.line(television.book.list.name(channel), to: nameRoom), column: left, row: row, role(.paneValue))
        guard onAir != NowNext(at: 0) else { return }
        write(onAir, row: row, columns: left + nameRoom + 1..<rect.columns - ListFrame.trail, role, &pane)
    }

    private func write(
        _ onAir: NowNext, row: Int, columns: Range<Int>, _ role: (ThemeRole) -> ThemeRole, _ pane: inout Pane
    ) {
        var left = columns.lowerBound
        let hasNext = rect.columns >= Self.roomForNext && onAir.next != nil
        let end = hasNext ? columns.lowerBound + columns.count * 3 / 5 : columns.upperBound
        if let now = onAir.now, let progress = onAir.progress, end - left > Self.progressColumns + 4 {
            writeProgress(progress, column: left, row: row, role, &pane)
            left += Self.progressColumns + 1
            pane.write(glyphs.line(now.title, to: end - left - 1), column: left, row: row, role(.paneValue))
        }
        if hasNext, let next = onAir.next {
            let text = "\(television.timeOfDay(next.start)) \(next.title)"
            pane.write(glyphs.line(text, to: columns.upperBound - end), column: end, row: row, role(.paneLabel))
        }
    }

    private func writeProgress(
        _ progress: Double, column: Int, row: Int, _ role: (ThemeRole) -> ThemeRole, _ pane: inout Pane
    ) {
        let done = min(Self.progressColumns, Int((progress * Double(Self.progressColumns)).rounded()))
        let full = glyphs.isUnicode ? "━" : "=", empty = glyphs.isUnicode ? "─" : "-"
        pane.write(String(repeating: full, count: done), column: column, row: row, role(.paneKey))
        pane.write(
            String(repeating: empty, count: Self.progressColumns - done), column: column + done, row: row, role(.paneLabel))
    }

    private var emptiness: String {
        if !channels.query.isEmpty {
            return television.names == nil ? translated("Reading") + glyphs.ellipsis : translated("Nothing found")
        }
        return channels.group == .favourites ? translated("No favourites of this list") : translated("No channels")
    }

    private var note: String {
        if !television.typed.isEmpty { return translated("Channel \(television.typed)_") }
        let groups = translated("\(glyphs.isUnicode ? "←→" : "Left Right") group")
        let find = channels.isFinding ? translated("Esc all") : translated("/ find")
        return translated("Enter play  \(groups)  \(find)  * favourite  Tab guide  Esc close")
    }
}
