import AetherCore
import AetherEngine
import AetherTerminal

/// The equaliser over the video: a band a row, with a column for each dB. Where it lies is a value of its own, so that clicks find what
/// was drawn.
struct EqualizerPane {
    let rect: CellRect
    /// The bands that are seen.
    private let window: Range<Int>
    private let curve: EqualizerCurve
    private let selected: Int
    private let glyphs: Glyphs
    /// A column for each dB, or for more of them where there are few; of what 12 can be divided by, so that the middle is one.
    private let decibelsPerColumn: Int

    /// "16 kHz" behind a margin and the sign of the selection; "+12 dB" before a margin.
    private static let lead = 9, trail = 7

    /// The layout with a band selected; nil when nothing of it would fit.
    init?(_ selected: Int, _ scene: Scene) {
        self.selected = selected
        curve = scene.snapshot.equalizer
        glyphs = Glyphs(isUnicode: scene.capabilities.isUnicode)
        let size = scene.size, bottom = scene.bottom()
        func width(_ decibels: Int) -> Int { 24 / decibels + 1 + Self.lead + Self.trail }
        guard bottom >= 3, let scale = [1, 2, 4, 6, 12].first(where: { width($0) <= size.columns }) else { return nil }
        decibelsPerColumn = scale
        // A pane over the bar hides all of it: half words on both sides would tell nothing.
        let coversBar = scene.barRect.map { $0.row < bottom } ?? false
        let columns = coversBar ? size.columns : width(scale)
        let rows = min(bottom, EqualizerCurve.frequencies.count + 2), seen = rows - 2
        let first = max(0, min(selected - seen / 2, EqualizerCurve.frequencies.count - seen))
        window = first..<first + seen
        rect = CellRect(column: (size.columns - columns) / 2, row: max(0, (bottom - rows) / 2), columns: columns, rows: rows)
    }

    /// Whether a cell of the screen is the pane's.
    func contains(column: Int, row: Int) -> Bool { rect.contains(column: column, row: row) }

    /// The band of a row of the screen; nil where there is none.
    func band(row: Int) -> Int? {
        let band = window.lowerBound + row - rect.row - 1
        return window.contains(band) ? band : nil
    }

    /// The gain that a column of the screen stands for, in dB; nil beside the scale.
    func gain(column: Int) -> Double? {
        let place = column - rect.column - Self.lead
        guard (0...24 / decibelsPerColumn).contains(place) else { return nil }
        return Double(place * decibelsPerColumn) - EqualizerCurve.limit
    }

    var pane: Pane {
        var pane = Pane(.equalizer, at: rect, fill: .pane)
        let name = curve.name ?? translated("own")
        pane.write(translated("Equaliser"), column: 1, row: 0, .paneHeading)
        pane.write(name, column: rect.columns - 2 - name.count, row: 0, .paneLabel)
        for (row, band) in window.enumerated() { write(band, row: row + 1, &pane) }
        ListFrame(rect: rect, window: window, total: EqualizerCurve.frequencies.count, glyphs: glyphs).writeScrollBar(into: &pane)
        let arrows = glyphs.isUnicode ? "← →" : "Left Right"
        var hints = ["\(arrows) dB", translated("Tab preset"), translated("Enter for all files"), translated("Esc close")]
        while hints.count > 1, ChromeText.columns(of: hints.joined(separator: "  ")) > rect.columns - 2 { hints.removeLast() }
        let note = ChromeText.clipped(hints.joined(separator: "  "), to: rect.columns - 2, ellipsis: glyphs.ellipsis)
        pane.write(note, column: 1, row: rect.rows - 1, .paneLabel)
        return pane
    }

    private func write(_ band: Int, row: Int, _ pane: inout Pane) {
        let isSelected = band == selected, gain = curve[band]
        let role: ThemeRole = isSelected ? .paneSelected : .paneValue
        if isSelected { pane.write(String(repeating: " ", count: rect.columns - 2), column: 1, row: row, .paneSelected) }
        let frequency = EqualizerCurve.frequencies[band]
        let label = frequency < 1000 ? "\(Int(frequency)) Hz" : "\(Int(frequency / 1000)) kHz"
        if isSelected { pane.write(glyphs.isUnicode ? "›" : ">", column: 1, row: row, role) }
        pane.write(label, column: Self.lead - 1 - label.count, row: row, role)
        pane.write(scale(gain), column: Self.lead, row: row, isSelected ? .paneSelected : gain == 0 ? .paneLabel : .paneKey)
        let text = Figures.signed(gain, places: gain == gain.rounded() ? 0 : 1)
        pane.write(text, column: rect.columns - 2 - text.count, row: row, role)
    }

    /// A bar from the middle to the gain.
    private func scale(_ gain: Double) -> String {
        let middle = 12 / decibelsPerColumn
        let place = middle + Int((gain / Double(decibelsPerColumn)).rounded())
        let (line, bar, zero) = glyphs.isUnicode ? ("─", "█", "┼") : ("-", "#", "|")
        return (0...2 * middle).map { column in
            if column == middle { return place == middle ? zero : bar }
            let isInside = place < middle ? (place..<middle).contains(column) : (middle..<place + 1).contains(column)
            return isInside ? bar : line
        }.joined()
    }
}
