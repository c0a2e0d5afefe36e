import AetherCore
import AetherEngine
import AetherTerminal

/// The words and bars of the Audio tab.
struct AudioGauges {
    private let page: AudioPage
    private let place: CellRect
    private let glyphs: Glyphs

    /// Levels below are not drawn.
    private static let floor = -60.0

    init(_ page: AudioPage, in place: CellRect, _ glyphs: Glyphs) { (self.page, self.place, self.glyphs) = (page, place, glyphs) }

    func write(into pane: inout Pane) {
        guard let reading = page.view.reading else {
            pane.write(clipped(translated("Nothing is heard")), column: place.column, row: place.row, .paneLabel)
            return
        }
        var row = place.row
        func write(_ label: String, _ value: String, _ role: ThemeRole = .paneValue) {
            guard row < place.row + place.rows else { return }
            pane.write(ChromeText.clipped(label, to: 11, ellipsis: glyphs.ellipsis), column: place.column, row: row, .paneLabel)
            let text = ChromeText.clipped(value, to: max(0, place.columns - 12), ellipsis: glyphs.ellipsis)
            pane.write(text, column: place.column + 12, row: row, role)
            row += 1
        }
        for (channel, level) in reading.levels.prefix(max(1, place.rows - 12)).enumerated() {
            let held = page.held.indices.contains(channel) ? page.held[channel].peak : level.peak
            let figure = Figures.decimal(level.mean, places: 0)
            write(
                "\(channel + 1) \(level.channel.rawValue)",
                bar(level.mean, mark: held, width: max(4, place.columns - 18)) + " " + figure,
                held >= -0.1 ? .paneWarning : .paneKey)
        }
        write(translated("Momentary"), lufs(reading.momentary))
        write(translated("Short term"), lufs(reading.shortTerm))
        write(translated("Integrated"), translated("\(lufs(reading.integrated)) since this tab opened"))
        write(
            translated("True peak"), Figures.decimal(reading.truePeak, places: 1) + " dBTP",
            reading.truePeak > -1 ? .paneWarning : .paneValue
        )
        if let correlation = reading.correlation {
            write(
                translated("Phase"),
                needle(correlation, width: max(5, place.columns - 18)) + " " + Figures.signed(correlation, places: 2))
        }
        for line in ClockStrip(page.view.clock).lines(width: max(8, place.columns - 28), isUnicode: glyphs.isUnicode) {
            write(line.label, line.text)
        }
    }

    private func lufs(_ value: Double?) -> String {
        guard let value, value.isFinite else { return "-" }
        return Figures.decimal(value, places: 1) + " LUFS"
    }

    private func clipped(_ text: String) -> String { ChromeText.clipped(text, to: place.columns, ellipsis: glyphs.ellipsis) }

    private func bar(_ level: Double, mark: Double, width: Int) -> String {
        func place(_ level: Double) -> Int { Int(((level - Self.floor) / -Self.floor * Double(width)).rounded()) }
        let filled = place(level), peak = min(width - 1, place(mark))
        return String(
            (0..<width).map { column -> Character in
                if column == peak, mark > Self.floor { return glyphs.isUnicode ? "│" : "|" }
                return column < filled ? (glyphs.isUnicode ? "█" : "#") : glyphs.isUnicode ? "░" : "."
            })
    }

    /// From −1 at the left to 1 at the right.
    private func needle(_ value: Double, width: Int) -> String {
        let place = min(width - 1, max(0, Int(((value + 1) / 2 * Double(width - 1)).rounded())))
        return String(
            (0..<width).map { column -> Character in
                column == place
                    ? (glyphs.isUnicode ? "█" : "#")
                    : column == width / 2 ? (glyphs.isUnicode ? "│" : "|") : glyphs.isUnicode ? "─" : "-"
            })
    }
}

/// The clock against the device over the last half minute: readings, fit, drift and corrections as lines. Pure.
struct ClockStrip {
    /// A label, a curve and its newest figure.
    struct Line: Equatable {
        let label, text: String
    }

    private let readings: [ClockReading]

    init(_ readings: [ClockReading]) { self.readings = readings }

    /// The lines; none where the device gave no reading.
    func lines(width: Int, isUnicode: Bool) -> [Line] {
        guard let last = readings.last else { return [] }
        func curve(_ values: [Double?], ceiling: Double) -> String {
            let fitted = Sparkline.fitted(values, length: max(width, readings.count), into: width)
            return Sparkline(fitted, width: width, ceiling: ceiling).text(isUnicode: isUnicode)
        }
        let errors = readings.map { $0.error.milliseconds }
        let square = errors.reduce(0) { $0 + $1 * $1 } / Double(max(1, errors.count))
        let steps = readings.filter(\.isStep).count
        return [
            Line(
                label: translated("Off", context: "clock"),
                text: curve(errors.map { abs($0) }, ceiling: 1) + " " + Figures.signed(last.error.milliseconds, places: 2)
                    + " ms"),
            Line(
                label: translated("Fit"),
                text: translated("\(Figures.decimal(square.squareRoot(), places: 2)) ms of \(readings.count) readings")),
            Line(
                label: translated("Drift"),
                text: last.drift.map { Figures.signed($0, places: 0) + " ppm" } ?? translated("not learnt yet")),
            Line(
                label: translated("Corrections"),
                text: curve(readings.map { abs($0.correction) }, ceiling: 100) + " "
                    + Figures.signed(last.correction, places: 0) + " ppm" + (steps > 0 ? translated(", \(steps) steps") : "")),
            Line(
                label: translated("Device"),
                text: translated("\(Figures.decimal(last.delay.milliseconds, places: 1)) ms ahead of the ear")),
        ]
    }
}
