import AetherCore
import AetherEngine
import AetherTerminal

/// The list of cues over the right of the video: its heading or the typed text, a cue a row, and how much of the video is known. Where
/// it lies is a value of its own, so that clicks find what was drawn.
struct CueListPane {
    /// The rows of the frame are those of `CueList.found`.
    let frame: ListFrame
    private let list: CueList
    private let scene: Scene

    /// Half of the screen, and no less than a time and three words.
    private static let narrowest = 38
    /// Margin, selection, mark, space before the time.
    private static let lead = 4

    /// The layout of a list; nil when nothing of it would fit.
    init?(_ list: CueList, _ scene: Scene) {
        self.list = list
        self.scene = scene
        let size = scene.size
        let bottom = scene.bottom()
        guard bottom >= 3, size.columns >= 20 else { return nil }
        let columns = min(size.columns, max(Self.narrowest, size.columns / 2))
        // Two thirds of the height: a person who looks for a cue sees the video, too.
        let rows = min(bottom, max(6, size.rows * 2 / 3))
        let margin = size.columns > columns + 1 ? 1 : 0
        let rect = CellRect(column: size.columns - columns - margin, row: bottom - rows, columns: columns, rows: rows)
        frame = ListFrame(
            rect: rect, window: list.window(rows: rows - 2), total: list.found.count,
            glyphs: Glyphs(isUnicode: scene.capabilities.isUnicode))
    }

    private var rect: CellRect { frame.rect }
    private var glyphs: Glyphs { frame.glyphs }

    var pane: Pane {
        var pane = Pane(.cues, at: rect, fill: .pane)
        writeHeading(into: &pane)
        let present = list.present(at: scene.cuePoint)
        let width = timeWidth
        for (row, index) in frame.window.enumerated() { write(index, present: present, width: width, row: row + 1, &pane) }
        frame.writeEmptiness(emptiness, into: &pane)
        frame.writeScrollBar(into: &pane)
        frame.writeNote(foot, into: &pane)
        return pane
    }

    // MARK: - Words

    private func time(_ point: MediaTime) -> String {
        Timecode.text(point + scene.snapshot.subtitleDelay - scene.snapshot.startTime)
    }

    /// Times are as wide as the last.
    private var timeWidth: Int { list.entries.last.map { ChromeText.columns(of: time($0.start)) } ?? 0 }

    private func writeHeading(into pane: inout Pane) {
        let right = frame.clipped(list.ordinal, (rect.columns - 3) / 2)
        let room = frame.writeAtRight(right, .paneLabel, into: &pane)
        let track = scene.snapshot.subtitleTracks.first { $0.id == list.track }
        let name = track.map { TrackLabel.short($0) } ?? ""
        if let query = list.query {
            pane.write(frame.typed("/", query, room), column: 1, row: 0, .paneKey)
        } else {
            pane.write(
                frame.clipped(name.isEmpty ? translated("Subtitles") : translated("Subtitles: \(name)"), room), column: 1, row: 0,
                .paneHeading)
        }
    }

    private func write(_ index: Int, present: Int, width: Int, row: Int, _ pane: inout Pane) {
        let entry = list.entries[list.found[index]]
        let isSelected = index == list.selection
        if isSelected { frame.writeSelection(row: row, into: &pane) }
        if index == present, entry.end > scene.cuePoint {
            pane.write(glyphs.isUnicode ? "•" : "*", column: 2, row: row, isSelected ? .paneSelected : .paneKey)
        }
        let time = time(entry.start)
        pane.write(time, column: Self.lead, row: row, isSelected ? .paneSelected : .paneLabel)
        let left = Self.lead + width + 1
        let room = rect.columns - left - ListFrame.trail
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
        if !list.entries.isEmpty { return list.spans == nil ? translated("Nothing found") : translated("Not found so far") }
        return list.spans == nil ? translated("No text") : translated("No text read yet")
    }

    /// The known share of the track, and the keys where there is room for them.
    private var foot: String {
        let keys = list.isSearch ? translated("Enter seek  Tab track  Esc close") : translated("Enter seek  / search  Tab track")
        guard let known = note else { return keys }
        let both = known + "   " + keys
        return ChromeText.columns(of: both) <= rect.columns - 3 ? both : known
    }

    /// The known share of a track inside the video: what has not been read cannot be found. nil: all of it.
    private var note: String? {
        guard let spans = list.spans else { return nil }
        guard let here = spans.last(where: { $0.lowerBound <= scene.shownPosition + .seconds(1) }) ?? spans.first else {
            return translated("nothing read yet")
        }
        // Streams begin some seconds apart.
        let begins = here.lowerBound - scene.snapshot.startTime < .seconds(5)
        let end = Timecode.text(here.upperBound - scene.snapshot.startTime)
        let start = Timecode.text(here.lowerBound - scene.snapshot.startTime)
        if begins { return list.isSearch ? translated("searched to \(end)") : translated("read up to \(end)") }
        return list.isSearch ? translated("searched \(start) to \(end)") : translated("read \(start) to \(end)")
    }
}
