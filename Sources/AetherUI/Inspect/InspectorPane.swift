import AetherCore
import AetherEngine
import AetherFormats
import AetherRender
import AetherTerminal

/// The Debug face over all of the screen but the bar: tabs, a list, and where there is room what is selected in it.
struct InspectorPane {
    /// All of it.
    let rect: CellRect
    /// The list at its left, or its top.
    let frame: ListFrame
    /// Room for what is selected in it; nil for none.
    private let details: CellRect?
    /// Room for an image; nil for none.
    private let picture: CellRect?
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
        let plan = Plan(inspector.tab, rect)
        (details, picture) = (plan.details, plan.image)
        frame = ListFrame(
            rect: plan.list, window: inspector.cursor.window(rows: plan.list.rows - 2, of: inspector.total),
            total: inspector.total, glyphs: Glyphs(isUnicode: scene.capabilities.isUnicode))
    }

    /// Where list, details and image lie.
    private struct Plan {
        let list: CellRect
        var details: CellRect?
        var image: CellRect?

        init(_ tab: Inspector.Tab, _ rect: CellRect) {
            let isWide = rect.columns >= InspectorPane.widest
            func beside(_ column: Int, _ row: Int, _ rows: Int) -> CellRect {
                CellRect(column: column + 1, row: row, columns: rect.columns - column - 2, rows: rows)
            }
            switch tab {
            case .samples, .buffers: list = rect
            case .boxes, .decode:
                let columns = isWide ? rect.columns / 2 : rect.columns
                // Where there is no room beside the list, what is selected stands below it.
                let height = !isWide && rect.rows >= 9 ? rect.rows * 3 / 5 : rect.rows
                list = CellRect(column: 0, row: 0, columns: columns, rows: height)
                if isWide {
                    details = beside(columns, 1, rect.rows - 2)
                } else if height < rect.rows {
                    details = CellRect(column: 1, row: height, columns: rect.columns - 2, rows: rect.rows - 1 - height)
                }
                guard tab == .decode, isWide else { return }
                // The facts of a frame are nine lines.
                let rows = rect.rows - 2 - 9
                guard rows >= 4 else { return }
                image = beside(columns, 1, rows)
                details = beside(columns, 1 + rows, rect.rows - 2 - rows)
            case .video, .audio:
                list = rect
                let columns = isWide ? max(40, rect.columns / 3) : rect.columns
                details = CellRect(column: 1, row: 1, columns: columns - 2, rows: rect.rows - 2)
                if isWide, rect.rows >= 8 { image = beside(columns, 1, rect.rows - 2) }
            }
        }
    }

    /// The pixels that an image of the open tab may have: as many as the cells have on most terminals.
    var frameBox: PixelSize { imageBox ?? PixelSize(width: 160, height: 90) }

    /// The same; nil where no image has room.
    var imageBox: PixelSize? {
        guard let picture else { return nil }
        let height = Double(picture.rows) * 8 / min(1, max(0.2, scene.cellAspect))
        return PixelSize(width: min(1600, picture.columns * 8), height: min(1200, max(8, Int(height))))
    }

    /// The image of the open tab: as large as fits, in its shape.
    var inset: ChromeInset? {
        if inspector.tab == .audio {
            guard let picture, let image = inspector.audio.image else { return nil }
            return ChromeInset(
                image: ImageInset(image: image, rect: picture), number: Self.firstNumber * 2 + inspector.audio.number,
                isOverText: true)
        }
        guard let picture, let view = inspector.frames.view, let image = view.image, image.width > 0, image.height > 0 else {
            return nil
        }
        let isMontage = view.request.wish.wantsLevels
        switch inspector.tab {
        case .decode where !isMontage: break
        case .video where isMontage: break
        default: return nil
        }
        let shape = Double(image.width) / Double(image.height) / max(0.1, scene.cellAspect)
        var columns = picture.columns, rows = Int((Double(columns) / shape).rounded())
        if rows > picture.rows { (columns, rows) = (Int((Double(picture.rows) * shape).rounded()), picture.rows) }
        let rect = CellRect(
            column: picture.column, row: picture.row, columns: max(1, min(columns, picture.columns)), rows: max(1, rows))
        return ChromeInset(
            image: ImageInset(image: image, rect: rect), number: Self.firstNumber + view.number, isOverText: true)
    }

    /// The cells of that image.
    var insetRect: CellRect? { inset?.image.rect }

    /// Frames of other kinds are numbered below.
    private static let firstNumber = 1 << 40

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
        case .decode:
            for (row, place) in frame.window.enumerated() { codedFrame(place, row + 1, &pane) }
            frame.writeEmptiness(inspector.frames.words, into: &pane)
            if let details { show(FrameLines.coding(inspector.frames), in: details, &pane) }
        case .video:
            guard let details else { break }
            let lines = FrameLines.levels(inspector.frames)
            if lines.isEmpty { frame.writeEmptiness(inspector.frames.words, into: &pane) }
            show(lines, in: details, &pane)
        case .audio:
            if let details { AudioGauges(inspector.audio, in: details, frame.glyphs).write(into: &pane) }
        case .buffers: BufferGauges(scene, inspector.requests).write(into: &pane)
        }
        if inspector.total > 0 { frame.writeScrollBar(into: &pane) }
        note(&pane)
        return pane
    }

    /// Labels and values, one a row.
    private func show(_ lines: [FrameLines.Line], in place: CellRect, _ pane: inout Pane) {
        for (row, line) in lines.prefix(place.rows).enumerated() {
            pane.write(frame.clipped(line.label, 11), column: place.column, row: place.row + row, .paneLabel)
            let start = line.label.isEmpty ? 0 : 12
            pane.write(
                frame.clipped(DisplayText.singleLine(line.value, limit: 200), place.columns - start),
                column: place.column + start, row: place.row + row, .paneValue)
        }
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
        let right =
            switch inspector.tab {
            case .samples: samplesHeading
            case .decode, .video: framesHeading
            default: inspector.format
            }
        let shown = frame.clipped(right, rect.columns - column - 2)
        pane.write(shown, column: rect.columns - 1 - ChromeText.columns(of: shown), row: 0, .paneLabel)
    }

    private var samplesHeading: String {
        guard let samples = inspector.samples else { return "" }
        let more =
            (inspector.order == .number ? "" : ", " + inspector.order.title) + (inspector.filter.isEmpty ? "" : ", filtered")
        guard let stream = inspector.stream, let kind = samples.streams.first(where: { $0.index == stream })?.kind else {
            return "\(inspector.listed.count) of all streams" + more
        }
        return "stream \(stream) (\(kind)): \(inspector.listed.count)" + more
    }

    /// The time of the frame that is looked at.
    private var framesHeading: String {
        guard let time = inspector.frames.look.time else { return "" }
        let text = Timecode.text(time - scene.snapshot.startTime)
        return inspector.frames.chosen == nil ? text : text + " (chosen)"
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
            case .samples: "Enter go there  s stream  o order  / filter  f on screen  Tab player"
            case .decode: "Enter go there  v vectors  m quantisers  g grain  f follow  Tab player"
            case .video: "\(arrows) point  g grain  f follow  Tab player"
            case .audio, .buffers: "Tab player"
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

extension InspectorPane {
    /// A row of the Decode tab: order of showing, type, time, order of decoding, bytes, quantiser, time, use.
    fileprivate func codedFrame(_ place: Int, _ row: Int, _ pane: inout Pane) {
        let coded = inspector.frames.look.frames[place], isSelected = place == inspector.cursor.row
        if isSelected { frame.writeSelection(row: row, into: &pane) }
        var columns = [("#\(place + 1)", 5), (coded.type.rawValue + (coded.isKey ? " key" : ""), 6)]
        columns.append((coded.pts.map { Figures.decimal($0.seconds, places: 3) } ?? "-", 9))
        columns.append((coded.decodeOrder.map { "dec \($0)" } ?? "", 8))
        columns += [("\(coded.byteCount)", 8), (coded.quantiser.map { "QP " + Figures.decimal($0, places: 1) } ?? "", 8)]
        columns.append((Figures.decimal(coded.decodeTime.seconds * 1000, places: 1) + " ms", 9))
        columns.append((coded.isReference.map { $0 ? "ref" : "no ref" } ?? "", 8))
        columns.append((coded.vectorCount > 0 ? "\(coded.vectorCount) mv" : "", 10))
        var column = 2
        for (text, width) in columns {
            guard column + width <= frame.rect.columns - ListFrame.trail else { break }
            let start = column + max(0, width - 1 - text.count)
            pane.write(text, column: start, row: row, isSelected ? .paneSelected : coded.isKey ? .paneKey : .paneValue)
            column += width
        }
    }
}

extension WindowID {
    /// The Debug face.
    static let inspector = WindowID(rawValue: 243)
}
