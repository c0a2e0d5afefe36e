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

    /// The layout; nil where nothing of it would fit.
    init?(_ inspector: Inspector, _ scene: Scene) {
        (self.inspector, self.scene) = (inspector, scene)
        let bottom = scene.bottom()
        guard bottom >= 4, scene.size.columns >= 20 else { return nil }
        rect = CellRect(column: 0, row: 0, columns: scene.size.columns, rows: bottom)
        let plan = InspectorLayout(inspector.tab, rect)
        (details, picture) = (plan.details, plan.image)
        frame = ListFrame(
            rect: plan.list, window: inspector.cursor.window(rows: plan.list.rows - 2, of: inspector.total),
            total: inspector.total, glyphs: Glyphs(isUnicode: scene.capabilities.isUnicode))
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
            let boxes = BoxesTab(inspector: inspector, frame: frame)
            for (row, place) in frame.window.enumerated() { boxes.write(place, row: row + 1, into: &pane) }
            frame.writeEmptiness(inspector.state, into: &pane)
            if let details { boxes.writeDetails(in: details, into: &pane) }
        case .samples:
            let samples = SamplesTab(inspector: inspector, frame: frame)
            for (row, place) in frame.window.enumerated() { samples.write(place, row: row + 1, into: &pane) }
            frame.writeEmptiness(samplesMissing, into: &pane)
        case .decode:
            let frames = DecodeTab(inspector: inspector, frame: frame)
            for (row, place) in frame.window.enumerated() { frames.write(place, row: row + 1, into: &pane) }
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
        inspector.lacksSamples ? translated("The samples cannot be read beside the player.") : translated("Reading …")
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
            case .samples: SamplesTab(inspector: inspector, frame: frame).heading
            case .decode, .video: framesHeading
            default: inspector.format
            }
        let shown = frame.clipped(right, rect.columns - column - 2)
        pane.write(shown, column: rect.columns - 1 - ChromeText.columns(of: shown), row: 0, .paneLabel)
    }

    /// The time of the frame that is looked at.
    private var framesHeading: String {
        guard let time = inspector.frames.look.time else { return "" }
        let text = Timecode.text(time - scene.snapshot.startTime)
        return inspector.frames.chosen == nil ? text : text + translated(" (chosen)")
    }

    private func note(_ pane: inout Pane) {
        let row = rect.rows - 1
        if let query = inspector.query {
            return pane.write(frame.typed("/", query.text, rect.columns - 2), column: 1, row: row, .paneKey)
        }
        let arrows = frame.glyphs.isUnicode ? "← →" : "Left Right"
        let keys =
            switch inspector.tab {
            case .boxes: translated("\(arrows) fold  / search  n next  Tab player")
            case .samples: translated("Enter go there  s stream  o order  / filter  f on screen  Tab player")
            case .decode: translated("Enter go there  v vectors  m quantisers  g grain  f follow  Tab player")
            case .video: translated("\(arrows) point  g grain  f follow  Tab player")
            case .audio, .buffers: translated("Tab player")
            }
        // A sentence that does not fit whole is left out, and keys from the end.
        let room = rect.columns - 2, whole = keys + "   " + inspector.tab.help
        var hints = keys.split(separator: "  ").map(String.init)
        while hints.count > 1, ChromeText.columns(of: hints.joined(separator: "  ")) > room { hints.remove(at: hints.count - 2) }
        let text = ChromeText.columns(of: whole) <= room ? whole : hints.joined(separator: "  ")
        pane.write(frame.clipped(text, room), column: 1, row: row, .paneLabel)
    }
}

extension WindowID {
    /// The Debug face.
    static let inspector = WindowID(rawValue: 246)
}
