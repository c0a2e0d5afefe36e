import AetherCore
import AetherEngine
import AetherFormats
import AetherTerminal

/// The Debug face over all of the screen but the bar: tabs, a list, and where there is room what is selected in it.
struct InspectorPane {
    /// All of it.
    let rect: CellRect
    /// The list at its left, or its top.
    let frame: ListFrame
    /// Room for what is selected in it; nil for none.
    private let details: CellRect?
    private let inspector: Inspector
    private let scene: Scene

    /// Fewer columns than this have no room beside the list.
    private static let widest = 78
    /// "00000000 " and 8 bytes.
    private static let hexColumns = 33

    /// The layout; nil where nothing of it would fit.
    init?(_ inspector: Inspector, _ scene: Scene) {
        (self.inspector, self.scene) = (inspector, scene)
        let bottom = scene.bottom()
        guard bottom >= 4, scene.size.columns >= 20 else { return nil }
        rect = CellRect(column: 0, row: 0, columns: scene.size.columns, rows: bottom)
        let isBeside = rect.columns >= Self.widest, hasDetails = inspector.tab == .boxes && (isBeside || bottom >= 9)
        let columns = hasDetails && isBeside ? rect.columns / 2 : rect.columns
        // Where there is no room beside the list, what is selected stands below it.
        let height = hasDetails && !isBeside ? bottom * 3 / 5 : bottom
        details =
            !hasDetails
            ? nil
            : isBeside
                ? CellRect(column: columns + 1, row: 1, columns: rect.columns - columns - 2, rows: bottom - 2)
                : CellRect(column: 1, row: height, columns: rect.columns - 2, rows: bottom - 1 - height)
        frame = ListFrame(
            rect: CellRect(column: 0, row: 0, columns: columns, rows: height),
            window: inspector.cursor.window(rows: height - 2, of: inspector.total), total: inspector.total,
            glyphs: Glyphs(isUnicode: scene.capabilities.isUnicode))
    }

    var pane: Pane {
        var pane = Pane(.inspector, at: rect, fill: .pane)
        heading(&pane)
        switch inspector.tab {
        case .boxes:
            for (row, place) in frame.window.enumerated() { box(place, row + 1, &pane) }
            frame.writeEmptiness(inspector.state, into: &pane)
            if let details { show(details, &pane) }
        case .samples:
            for (row, place) in frame.window.enumerated() { sample(place, row + 1, &pane) }
            frame.writeEmptiness(samplesMissing, into: &pane)
        case .buffers: BufferGauges(scene).write(into: &pane)
        }
        if inspector.tab != .buffers { frame.writeScrollBar(into: &pane) }
        note(&pane)
        return pane
    }

    private var samplesMissing: String {
        inspector.lacksSamples ? "The samples cannot be read beside the player." : "Reading …"
    }

    // MARK: - Heading and foot

    private func heading(_ pane: inout Pane) {
        var column = 1
        for tab in Inspector.Tab.allCases {
            let text = "\(tab.rawValue + 1) \(tab.title)"
            guard column + text.count < rect.columns - 1 else { break }
            pane.write(text, column: column, row: 0, tab == inspector.tab ? .paneHeading : .paneLabel)
            column += text.count + 2
        }
        let right = inspector.tab == .samples ? samplesHeading : inspector.format
        let shown = frame.clipped(right, rect.columns - column - 2)
        pane.write(shown, column: rect.columns - 1 - ChromeText.columns(of: shown), row: 0, .paneLabel)
    }

    private var samplesHeading: String {
        guard let samples = inspector.samples else { return "" }
        guard let stream = inspector.stream, let kind = samples.streams.first(where: { $0.index == stream })?.kind else {
            return "\(inspector.listed.count) of all streams"
        }
        return "stream \(stream) (\(kind)): \(inspector.listed.count)"
    }

    private func note(_ pane: inout Pane) {
        let row = rect.rows - 1
        if let query = inspector.query {
            return pane.write(frame.typed("/", query.text, rect.columns - 2), column: 1, row: row, .paneKey)
        }
        let arrows = frame.glyphs.isUnicode ? "← →" : "Left Right"
        let keys =
            switch inspector.tab {
            case .boxes: "\(arrows) fold  / search  n next  Tab player"
            case .samples: "Enter go there  s stream  Tab player"
            case .buffers: "Tab player"
            }
        let text = keys + "   " + inspector.tab.help
        pane.write(frame.clipped(text, rect.columns - 2), column: 1, row: row, .paneLabel)
    }

    // MARK: - Boxes

    private func box(_ place: Int, _ row: Int, _ pane: inout Pane) {
        let line = inspector.tree.rows[place], isSelected = place == inspector.cursor.row
        if isSelected { frame.writeSelection(row: row, into: &pane) }
        let isUnicode = frame.glyphs.isUnicode
        let sign = line.box.children.isEmpty ? " " : line.isOpen ? (isUnicode ? "▾" : "-") : isUnicode ? "▸" : "+"
        let column = min(2 + line.depth * 2, max(2, frame.rect.columns - 16))
        let name = "\(sign) \(DisplayText.singleLine(line.box.type, limit: 40))"
        let size = " \(line.box.size)", room = frame.rect.columns - column - ListFrame.trail - size.count
        let isWrong = !line.box.damage.isEmpty
        let words = line.box.title.isEmpty ? name : name + "  " + line.box.title
        pane.write(
            frame.clipped(words, room), column: column, row: row,
            isSelected ? .paneSelected : isWrong ? .paneWarning : .paneValue)
        pane.write(
            size, column: frame.rect.columns - ListFrame.trail - size.count, row: row, isSelected ? .paneSelected : .paneLabel)
    }

    /// Fields and bytes of the selected part.
    private func show(_ place: CellRect, _ pane: inout Pane) {
        guard let box = inspector.box else { return }
        let hex = hexLines(box, place.columns)
        let words = place.rows - min(hex.count, place.rows / 3)
        var row = 0
        func write(_ text: String, _ role: ThemeRole, before end: Int) {
            guard row < end else { return }
            pane.write(frame.clipped(text, place.columns), column: place.column, row: place.row + row, role)
            row += 1
        }
        write("offset \(box.offset), \(box.size) bytes", .paneLabel, before: words)
        for sentence in box.damage { write("! " + sentence, .paneWarning, before: words) }
        for line in box.fields.flatMap({ InspectedBox.lines(of: $0) }) { write(line, .paneValue, before: words) }
        for line in hex { write(line, .paneLabel, before: place.rows) }
    }

    private func hexLines(_ box: InspectedBox, _ room: Int) -> [String] {
        guard let held = inspector.bytes, held.offset == box.offset, room >= Self.hexColumns else { return [] }
        let bytes = held.bytes.prefix(Int(clamping: min(box.size, 1024)))
        // Sixteen bytes with their letters, eight, or eight without.
        let lines = HexDump.lines(bytes, at: box.offset, width: room >= 78 ? 16 : 8)
        return room >= 46 ? lines : lines.map { String($0.prefix(Self.hexColumns)) }
    }

    // MARK: - Samples

    private func sample(_ place: Int, _ row: Int, _ pane: inout Pane) {
        guard let list = inspector.samples else { return }
        let sample = list.rows[inspector.listed[place]], isSelected = place == inspector.cursor.row
        if isSelected { frame.writeSelection(row: row, into: &pane) }
        let base = list.timeBase(sample.stream)
        func seconds(_ ticks: Int64?) -> String { ticks.map { SampleList.seconds($0, base) } ?? "-" }
        var columns = [("#\(sample.number)", 9), ("pts " + seconds(sample.pts), 18), ("dts " + seconds(sample.dts), 18)]
        columns += [("\(sample.size)", 9), (sample.isKey ? "key" : "", 5), ("gop \(sample.gop)", 9)]
        columns += [(sample.position.map { "@\($0)" } ?? "", 14), (sample.part > 0 ? "chunk \(sample.part)" : "", 13)]
        columns += [(sample.isEncrypted ? "encrypted" : "", 10)]
        var column = 3
        for (text, width) in columns {
            guard column + width <= rect.columns - ListFrame.trail else { break }
            let start = column + max(0, width - 1 - text.count)
            pane.write(text, column: start, row: row, isSelected ? .paneSelected : sample.isKey ? .paneKey : .paneValue)
            column += width
        }
    }
}

extension WindowID {
    /// The Debug face.
    static let inspector = WindowID(rawValue: 243)
}
