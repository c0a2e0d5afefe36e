import AetherCore
import AetherEngine
import AetherTerminal

/// The list of cues over the right of the picture: its heading or what is looked for, a cue a row, and how much of the film is known. Where
/// it lies is a value of its own, so that clicks find what was drawn.
struct CueListPane {
    let rect: CellRect
    /// What is seen of `CueList.found`, from the row under the heading on.
    let window: Range<Int>
    private let list: CueList
    private let model: AppModel
    private let glyphs: Glyphs

    /// Half of the screen, and no less than a time and three words.
    private static let narrowest = 38
    /// Margin, selection, mark before the time; a margin and the scroll bar behind the text.
    private static let lead = 3, trail = 2

    /// The layout of the list; nil when it is not open or nothing of it would fit.
    init?(_ model: AppModel, above bar: Pane?) {
        guard let list = model.cueList else { return nil }
        self.list = list
        self.model = model
        glyphs = Glyphs(isUnicode: model.capabilities.isUnicode)
        let size = model.size
        // Over the bar too where there would be no room else.
        let bottom = bar.map { $0.rect.row >= 5 ? $0.rect.row : size.rows } ?? size.rows
        guard bottom >= 3, size.columns >= 20 else { return nil }
        let columns = min(size.columns, max(Self.narrowest, size.columns / 2))
        // Two thirds of the height: who looks for something sees the film, too.
        let rows = min(bottom, max(6, size.rows * 2 / 3))
        let margin = size.columns > columns + 1 ? 1 : 0
        rect = CellRect(column: size.columns - columns - margin, row: bottom - rows, columns: columns, rows: rows)
        window = list.window(rows: rows - 2)
    }

    /// How many cues a screen has room for: what page keys move by.
    static func pageRows(_ model: AppModel) -> Int {
        CueListPane(model, above: TransportBar.pane(model)).map { max(1, $0.rect.rows - 2) } ?? 1
    }

    /// The cue at a cell of the screen, as an index into `CueList.found`; nil where there is none.
    func item(column: Int, row: Int) -> Int? {
        guard contains(column: column, row: row), (1...max(1, window.count)).contains(row - rect.row), !window.isEmpty else {
            return nil
        }
        return window.lowerBound + (row - rect.row - 1)
    }

    /// Whether a cell of the screen is the list's.
    func contains(column: Int, row: Int) -> Bool {
        (rect.column..<rect.column + rect.columns).contains(column) && (rect.row..<rect.row + rect.rows).contains(row)
    }

    var pane: Pane {
        var pane = Pane(.cues, at: rect, fill: .pane)
        writeHeading(into: &pane)
        let present = list.present(at: model.cuePoint)
        let width = timeWidth
        for (row, index) in window.enumerated() { write(index, present: present, width: width, row: row + 1, &pane) }
        if window.isEmpty { pane.write(clipped(emptiness, rect.columns - 4), column: 2, row: 1, .paneLabel) }
        writeScrollBar(into: &pane)
        let note = clipped(self.note, rect.columns - 2)
        pane.write(note, column: 1, row: rect.rows - 1, .paneLabel)
        return pane
    }

    // MARK: - Words

    private func clipped(_ text: String, _ room: Int) -> String {
        ChromeText.clipped(glyphs.shown(text), to: max(0, room), ellipsis: glyphs.ellipsis)
    }

    private func time(_ point: MediaTime) -> String {
        Timecode.text(point + model.snapshot.subtitleDelay - model.snapshot.startTime)
    }

    /// Times are as wide as the last.
    private var timeWidth: Int { list.entries.last.map { ChromeText.columns(of: time($0.start)) } ?? 0 }

    private func writeHeading(into pane: inout Pane) {
        let room = rect.columns - 3
        let right = clipped(list.ordinal, room / 2)
        let rightColumns = ChromeText.columns(of: right)
        let track = model.snapshot.subtitleTracks.first { $0.id == list.track }
        let name = track.map { TrackLabel.short($0) } ?? ""
        if let query = list.query {
            // Of a long one the end is seen: that is where one types.
            var typed = "/" + glyphs.shown(query) + "_"
            while ChromeText.columns(of: typed) > max(2, room - rightColumns - 1) { typed.removeFirst() }
            pane.write(typed, column: 1, row: 0, .paneKey)
        } else {
            pane.write(
                clipped(name.isEmpty ? "Subtitles" : "Subtitles: " + name, room - rightColumns - 1), column: 1, row: 0,
                .paneHeading)
        }
        pane.write(right, column: rect.columns - 2 - rightColumns, row: 0, .paneLabel)
    }

    private func write(_ index: Int, present: Int, width: Int, row: Int, _ pane: inout Pane) {
        let entry = list.entries[list.found[index]]
        let isSelected = index == list.selection
        if isSelected {
            pane.write(String(repeating: " ", count: rect.columns - 2), column: 1, row: row, .paneSelected)
            pane.write(glyphs.isUnicode ? "›" : ">", column: 1, row: row, .paneSelected)
        }
        if index == present, entry.end > model.cuePoint {
            pane.write(glyphs.isUnicode ? "•" : "*", column: 2, row: row, isSelected ? .paneSelected : .paneKey)
        }
        let time = time(entry.start)
        pane.write(time, column: Self.lead, row: row, isSelected ? .paneSelected : .paneLabel)
        let left = Self.lead + width + 1
        let room = rect.columns - left - Self.trail
        guard room >= 2 else { return }
        let line = shown(entry.text, room)
        let column = line.isRightToLeft ? left + max(0, room - ChromeText.columns(of: line.text)) : left
        pane.write(line.text, column: column, row: row, isSelected ? .paneSelected : .paneValue)
    }

    /// The beginning of a text that fits, in the order in which a terminal shows it.
    private func shown(_ text: String, _ room: Int) -> (text: String, isRightToLeft: Bool) {
        let text = glyphs.shown(text)
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return (ChromeText.clipped(text, to: room, ellipsis: glyphs.ellipsis), false) }
        let lines = TextLayout.lines([text], width: room)
        guard let line = lines.first else { return ("", false) }
        guard lines.count > 1 else { return (line.text, line.isRightToLeft) }
        if line.isRightToLeft {
            let short = TextLayout.lines([text], width: max(1, room - 1)).first ?? line
            return (glyphs.ellipsis + short.text, true)
        }
        return (ChromeText.clipped(line.text + " ", to: room - 1, ellipsis: "") + glyphs.ellipsis, false)
    }

    private var emptiness: String {
        if !list.entries.isEmpty { return "Nothing found" }
        return list.spans == nil ? "No text" : "No text read yet"
    }

    /// How much is known of a track inside the film: what has not been read cannot be found.
    private var note: String {
        guard let spans = list.spans else { return "the whole file" }
        guard let here = spans.last(where: { $0.lowerBound <= model.shownPosition + .seconds(1) }) ?? spans.first else {
            return "nothing read yet"
        }
        // Streams begin some seconds apart.
        let begins = here.lowerBound - model.snapshot.startTime < .seconds(5)
        let end = Timecode.text(here.upperBound - model.snapshot.startTime)
        return begins ? "read up to \(end)" : "read \(Timecode.text(here.lowerBound - model.snapshot.startTime)) to \(end)"
    }

    /// In the last column, where not everything is seen.
    private func writeScrollBar(into pane: inout Pane) {
        let rows = window.count, total = list.found.count
        guard rows >= 2, rows < total else { return }
        let length = max(1, rows * rows / total)
        let first = window.lowerBound * (rows - length) / max(1, total - rows)
        for row in 0..<rows {
            let isThumb = (first..<first + length).contains(row)
            let sign = glyphs.isUnicode ? (isThumb ? "┃" : "│") : (isThumb ? "#" : "|")
            pane.write(sign, column: rect.columns - 1, row: row + 1, isThumb ? .paneKey : .paneLabel)
        }
    }
}
