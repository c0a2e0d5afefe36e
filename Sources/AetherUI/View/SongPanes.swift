import AetherCore
import AetherEngine
import AetherFormats
import AetherTerminal

/// Tags, words and spectrum of a source without a video.
enum SongPanes {
    static func panes(_ scene: Scene) -> [Pane] {
        guard scene.isAudioOnly else { return [] }
        let layout = SongLayout(scene)
        return [
            ground(scene), layout.text.flatMap { text(scene, $0) },
            layout.spectrum.map { spectrum(scene, $0, layout.bandCount) },
        ].compactMap { $0 }
    }

    /// The room of the bar while that is hidden.
    private static func ground(_ scene: Scene) -> Pane? {
        guard scene.barRect == nil else { return nil }
        let rows = BarState.rows(on: scene.size)
        return Pane(
            .barGround, at: CellRect(column: 0, row: scene.size.rows - rows, columns: scene.size.columns, rows: rows), fill: .pane
        )
    }

    // MARK: - Words

    private struct Line {
        var text: String
        var role: ThemeRole
    }

    private static func text(_ scene: Scene, _ rect: CellRect) -> Pane? {
        let glyphs = Glyphs(isUnicode: scene.capabilities.isUnicode)
        let width = rect.columns - 4
        guard width >= 4, rect.rows >= 1 else { return nil }
        var pane = Pane(.audioText, at: rect, fill: .pane)
        let tags = tags(scene, glyphs)
        let room = rect.rows - tags.count - 1
        let words = room >= 1 ? lyrics(scene, glyphs, rows: min(room, rect.rows - tags.count - 1), width: width) : []
        let lines = words.isEmpty ? tags : tags + [Line(text: "", role: .pane)] + words
        // Content smaller than the pane stands in its middle; long texts begin under the upper edge.
        var row = max(0, (rect.rows - lines.count) / 2)
        for line in lines.prefix(rect.rows) {
            let shown = glyphs.line(line.text, to: width)
            let left = max(2, (rect.columns - ChromeText.columns(of: shown)) / 2)
            pane.write(shown, column: left, row: row, line.role)
            row += 1
        }
        return pane
    }

    private static func tags(_ scene: Scene, _ glyphs: Glyphs) -> [Line] {
        let metadata = scene.snapshot.metadata
        func shown(_ text: String?) -> String { glyphs.shown(DisplayText.singleLine(text ?? "", limit: 200)) }
        let title = shown(metadata.title).isEmpty ? glyphs.shown(scene.title) : shown(metadata.title)
        let album = [shown(metadata.album), shown(metadata.year), metadata.track.map { translated("track \(shown($0))") } ?? ""]
            .filter { !$0.isEmpty }.joined(separator: glyphs.isUnicode ? " · " : ", ")
        return [
            Line(text: title, role: .paneHeading), Line(text: shown(metadata.artist), role: .paneValue),
            Line(text: album, role: .paneLabel),
        ].filter { !$0.text.isEmpty }
    }

    /// The part of the words around the line that is sung, that one emphasised; without times, their beginning.
    private static func lyrics(_ scene: Scene, _ glyphs: Glyphs, rows: Int, width: Int) -> [Line] {
        guard rows > 0 else { return [] }
        guard let lyrics = scene.song.lyrics, !lyrics.lines.isEmpty else {
            // A recording without words of its own shows its captions.
            let captions = scene.snapshot.visibleCues.flatMap(\.lines).map { DisplayText.singleLine($0, limit: 200) }
            return captions.prefix(rows).map { Line(text: glyphs.shown($0), role: .paneSelected) }
        }
        let current = lyrics.current(at: scene.elapsed)
        guard lyrics.isSynced else {
            return lyrics.lines.prefix(rows).map { Line(text: glyphs.shown($0.text), role: .paneLabel) }
        }
        // The line that is sung keeps its place, a third from the top, except at both ends.
        let first = min(max(0, (current ?? 0) - rows / 3), max(0, lyrics.lines.count - rows))
        return (first..<min(lyrics.lines.count, first + rows)).map { index in
            Line(text: glyphs.shown(lyrics.lines[index].text), role: index == current ? .paneSelected : .paneLabel)
        }
    }

    // MARK: - Spectrum

    private static func spectrum(_ scene: Scene, _ rect: CellRect, _ bandCount: Int) -> Pane {
        var pane = Pane(.spectrum, at: rect, fill: .pane)
        let spectrum = scene.song.spectrum, rows = rect.rows - 1
        let left = max(0, (rect.columns - bandCount * 3 + 1) / 2)
        for row in 0..<rows {
            var line = ""
            for height in spectrum.bands.prefix(bandCount) {
                let sign = bar(height, row: rows - 1 - row, of: rows, scene.capabilities)
                line += "\(sign)\(sign) "
            }
            // Trailing blanks are the ground's.
            while line.last == " " { line.removeLast() }
            pane.write(line, column: left, row: row, .spectrum)
        }
        writeLevel(scene, spectrum, row: rows, &pane)
        return pane
    }

    /// The sign of a bar in one row, counted from below.
    private static func bar(_ height: Double, row: Int, of rows: Int, _ capabilities: ChromeCapabilities) -> Character {
        let eighths = Int((height * Double(rows * 8)).rounded()) - row * 8
        if capabilities.isUnicode {
            let signs: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
            return signs[min(max(0, eighths), 8)]
        }
        return eighths >= 8 ? "#" : eighths >= 4 ? ":" : eighths >= 1 ? "." : " "
    }

    /// Level as a line, its peak as a tick and in figures.
    private static func writeLevel(_ scene: Scene, _ spectrum: Spectrum, row: Int, _ pane: inout Pane) {
        let figures = spectrum.peak <= Spectrum.floor ? "" : Figures.decimal(spectrum.peak, places: 0) + " dB"
        let width = pane.rect.columns - 12
        guard width >= 8 else { return }
        func share(_ decibels: Double) -> Double { (decibels - Spectrum.floor) / -Spectrum.floor }
        let filled = min(width, max(0, Int((share(spectrum.level) * Double(width)).rounded())))
        let peak = min(width - 1, max(0, Int((share(spectrum.peak) * Double(width - 1)).rounded())))
        let (full, tick): (String, String) = scene.capabilities.isUnicode ? ("━", "╸") : ("=", "|")
        pane.write(String(repeating: full, count: filled), column: 1, row: row, .spectrum)
        if spectrum.peak > Spectrum.floor, peak >= filled { pane.write(tick, column: 1 + peak, row: row, .paneKey) }
        pane.write(figures, column: pane.rect.columns - 1 - figures.utf8.count, row: row, .paneLabel)
    }
}
