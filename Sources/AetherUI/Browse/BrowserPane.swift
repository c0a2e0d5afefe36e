import AetherCore
import AetherEngine
import AetherRender
import AetherSources
import AetherTerminal

/// The browser over the video: the directory or the typed text, an entry a row with its size and date where there is room, and a line that
/// says what is wrong or what keys do. Where it lies is a value of its own, so that clicks find what was drawn.
struct BrowserPane {
    /// The rows of the frame are those of `Browser.found`.
    let frame: ListFrame
    private let browser: Browser
    /// The file that plays.
    private let playing: String
    /// The key that leaves the browser, or on the first screen the player.
    private let wayOut: String

    /// 100: a long name, a size and a date; wider, eyes lose the row.
    private static let widest = 100
    /// Margin, selection, mark before the name.
    private static let lead = 4
    /// "999.9 MB", "2024-05-01 13:22".
    private static let sizeColumns = 9, dateColumns = 16
    /// "1:02:03", "1080p".
    private static let lengthColumns = 8, resolutionColumns = 6
    /// A name keeps 24 cells before a size stands beside it, 28 before a length does, 32 before a date does.
    private static let roomForSize = 24, roomForLength = 28, roomForDate = 32

    /// The layout of a browser; nil when nothing of it would fit.
    init?(_ browser: Browser, _ scene: Scene) {
        self.browser = browser
        let place = Browser.place(of: scene.playlist.path, in: scene.workingDirectory)
        playing = place.name.map { Browser.join(place.directory, $0) } ?? ""
        let quit = scene.playlist.count == 0 ? scene.keymap.label(of: .quit, unicode: scene.capabilities.isUnicode) : nil
        wayOut = quit.map { translated("\($0) quit") } ?? translated("Esc close")
        let size = scene.size
        let bottom = scene.bottom()
        guard bottom >= 3, size.columns >= 16 else { return nil }
        let columns = min(size.columns, Self.widest)
        // The same height whatever is found: it would jump under the hand that types.
        // At full width it is a page of its own: rows of the video above and below it would look like a mistake.
        let margin = bottom >= 16 && columns < size.columns ? 1 : 0
        let rect = CellRect(
            column: (size.columns - columns) / 2, row: margin, columns: columns, rows: min(bottom - 2 * margin, 40))
        frame = ListFrame(
            rect: rect, window: browser.window(rows: rect.rows - 2), total: browser.found.count,
            glyphs: Glyphs(isUnicode: scene.capabilities.isUnicode))
    }

    private var rect: CellRect { frame.rect }
    private var window: Range<Int> { frame.window }
    private var glyphs: Glyphs { frame.glyphs }

    /// Under 60 columns a still would hide the names, under ten rows it would be two rows high.
    var hasRoomForImage: Bool { rect.columns >= 60 && rect.rows >= 10 }

    /// The cells of the still of the selected file: at the right, in the half that the selection is not in, where sizes and dates
    /// stand and no name is hidden that is not very long.
    private func imageRect(_ image: RasterImage, cellAspect: Double) -> CellRect? {
        guard hasRoomForImage, image.width > 0, image.height > 0 else { return nil }
        let shape = Double(image.width) / Double(image.height) / max(0.1, cellAspect)
        let most = (rect.rows - 2) / 2
        var columns = min(48, rect.columns / 3), rows = Int((Double(columns) / shape).rounded())
        if rows > most { (columns, rows) = (Int((Double(most) * shape).rounded()), most) }
        guard columns >= 4, rows >= 2 else { return nil }
        let isLow = browser.selection - window.lowerBound >= window.count / 2 && browser.selection - window.lowerBound >= most
        let row = isLow ? rect.row + 1 : rect.row + rect.rows - 1 - rows
        return CellRect(column: rect.column + rect.columns - ListFrame.trail - columns, row: row, columns: columns, rows: rows)
    }

    /// The still of the selected file as the composer takes it; nil where it has no room.
    func inset(_ image: RasterImage, cellAspect: Double) -> ImageInset? {
        imageRect(image, cellAspect: cellAspect).map { ImageInset(image: image, rect: $0) }
    }

    var pane: Pane {
        var pane = Pane(.browser, at: rect, fill: .pane)
        writeHeading(into: &pane)
        for (row, index) in window.enumerated() { write(index, row: row + 1, &pane) }
        frame.writeEmptiness(emptiness, into: &pane)
        frame.writeScrollBar(into: &pane)
        let (note, role) = self.note
        frame.writeNote(note, role, into: &pane)
        return pane
    }

    // MARK: - Words

    /// The end of a text that fits.
    private func ending(_ text: String, _ room: Int) -> String {
        var text = Substring(glyphs.shown(text))
        guard ChromeText.columns(of: String(text)) > room else { return String(text) }
        while !text.isEmpty, ChromeText.columns(of: glyphs.ellipsis + text) > room { text.removeFirst() }
        return glyphs.ellipsis + text
    }

    private func writeHeading(into pane: inout Pane) {
        let half = (rect.columns - 3) / 2
        let isTyped = browser.isFiltering
        let right =
            isTyped ? ending((browser.query.isEmpty ? "/" : browser.query) + "_", half) : frame.clipped(browser.ordinal, half)
        let room = frame.writeAtRight(right, isTyped ? .paneKey : .paneLabel, into: &pane)
        let path = browser.shownPath
        let lead = browser.purpose == .addAudio && room >= 24 ? translated("Add audio: ") : ""
        pane.write(lead + ending(path, max(4, room - lead.count)), column: 1, row: 0, .paneHeading)
    }

    private func write(_ index: Int, row: Int, _ pane: inout Pane) {
        let entry = browser.entries[browser.found[index]]
        let isSelected = index == browser.selection
        if isSelected { frame.writeSelection(row: row, into: &pane) }
        let (mark, markRole) = mark(entry)
        pane.write(mark, column: 2, row: row, isSelected ? .paneSelected : markRole)
        var room = rect.columns - Self.lead - ListFrame.trail
        var right = rect.columns - ListFrame.trail
        let detail: ThemeRole = isSelected ? .paneSelected : .paneLabel
        if room >= Self.roomForDate + Self.sizeColumns + Self.dateColumns + 3 {
            if let changed = entry.changed { pane.write(Self.text(changed), column: right - Self.dateColumns, row: row, detail) }
            // Videos of one series may have one title: where size and date of others stand, the name of its file tells it apart.
            if let file = entry.fileName {
                let text = glyphs.line(file, to: Self.sizeColumns + Self.dateColumns)
                pane.write(text, column: right - ChromeText.columns(of: text), row: row, detail)
            }
            (room, right) = (room - Self.dateColumns - 2, right - Self.dateColumns - 2)
        }
        if room >= Self.roomForSize + Self.sizeColumns + 1 {
            if entry.kind == .media || entry.kind == .playlist {
                let size = Figures.bytes(entry.bytes)
                pane.write(size, column: right - ChromeText.columns(of: size), row: row, detail)
            }
            (room, right) = (room - Self.sizeColumns - 1, right - Self.sizeColumns - 1)
        }
        if room >= Self.roomForLength + Self.lengthColumns + Self.resolutionColumns + 2, entry.kind == .media {
            let facts = browser.facts[entry.name]
            let resolution = facts?.size.map { BarBadges.resolution($0) } ?? ""
            pane.write(resolution, column: right - ChromeText.columns(of: resolution), row: row, detail)
            let length = facts?.duration.map { Timecode.text($0) } ?? ""
            let column = right - Self.resolutionColumns - 1 - ChromeText.columns(of: length)
            pane.write(length, column: column, row: row, detail)
            room -= Self.lengthColumns + Self.resolutionColumns + 2
        }
        let slash = entry.kind == .directory || entry.kind == .parent ? "/" : ""
        let role: ThemeRole = isSelected ? .paneSelected : slash.isEmpty ? .paneValue : .paneHeading
        pane.write(glyphs.line(entry.label, to: room - slash.count) + slash, column: Self.lead, row: row, role)
    }

    /// The marks of the entry that plays now, of one that played before, of a playlist.
    private func mark(_ entry: Browser.Entry) -> (String, ThemeRole) {
        switch entry.kind {
        case .media where Browser.join(browser.path, entry.name) == playing: (glyphs.isUnicode ? "•" : "*", .paneKey)
        case .recent: (glyphs.isUnicode ? "↺" : "@", .paneKey)
        case .playlist: (glyphs.isUnicode ? "≡" : "=", .paneLabel)
        case .media, .directory, .parent: ("", .paneLabel)
        }
    }

    /// "2024-05-01 13:22": sorts as it reads, in every language.
    static func text(_ date: FileDate) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let year = String(repeating: "0", count: max(0, 4 - String(date.year).count)) + String(date.year)
        return "\(year)-\(two(date.month))-\(two(date.day)) \(two(date.hour)):\(two(date.minute))"
    }

    private var emptiness: String {
        if browser.awaited != nil { return translated("Reading") + glyphs.ellipsis }
        return browser.query.isEmpty ? translated("Nothing to play here") : translated("Nothing found")
    }

    private var note: (String, ThemeRole) {
        if let failure = browser.failure { return (failure, .paneWarning) }
        if browser.isCut {
            return (translated("More than \(DirectoryContents.limit) entries lie here: the rest is left out"), .paneWarning)
        }
        // The most telling first: a narrow pane leaves the last ones out.
        if browser.isFiltering { return (translated("Enter open  Esc all files  Tab up next"), .paneLabel) }
        let up = glyphs.isUnicode ? "←" : "Left",
            hidden = browser.habit.showsHidden ? translated("hide hidden") : translated("hidden", context: "files")
        let order = browser.habit.order.words
        return (translated("Enter open  \(up) up  \(wayOut)  / filter  , \(order)  . \(hidden)  Tab up next"), .paneLabel)
    }
}

extension Browser {
    /// The directory that is listed or waited for, safe to display.
    fileprivate var shownPath: String {
        let path = awaited?.path ?? path
        if path == RemotePath.shares { return translated("Shares") }
        return DisplayText.singleLine(RemotePath.isRemote(path) ? RemotePath.readable(path) : path, limit: 1000)
    }
}
