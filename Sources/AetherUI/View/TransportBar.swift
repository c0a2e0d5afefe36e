import AetherCore
import AetherEngine
import AetherTerminal

/// The bar at the bottom: title and what is selected over state, position, progress and duration. On small terminals one row.
enum TransportBar {
    static func pane(_ model: AppModel) -> Pane? {
        guard model.isBarVisible else { return nil }
        let rows = rowCount(model.size)
        var pane = Pane(
            .bar, at: CellRect(column: 0, row: model.size.rows - rows, columns: model.size.columns, rows: rows), fill: .bar)
        if rows == 2 { writeTitleRow(model, into: &pane) }
        writeProgressRow(model, row: rows - 1, into: &pane)
        return pane
    }

    /// Two rows where they leave the picture at least four, and something fits into the upper one.
    static func rowCount(_ size: CellSize) -> Int { size.rows >= 6 && size.columns >= 24 ? 2 : 1 }

    // MARK: Title row

    private static func writeTitleRow(_ model: AppModel, into pane: inout Pane) {
        let glyphs = Glyphs(isUnicode: model.capabilities.isUnicode)
        let room = pane.rect.columns - 2
        var (text, role) = (glyphs.shown(model.title), ThemeRole.barTitle)
        if model.playlist.count > 1 { text = "\(model.playlist.index + 1)/\(model.playlist.count)  \(text)" }
        if let message = model.message {
            (text, role) = (glyphs.shown(message.text), message.isNotice ? .barNotice : .barMessage)
        }
        // A notice is worth more than the details, a title gives way down to a third of the bar.
        let wanted = ChromeText.columns(of: text)
        let reserved = model.message == nil ? min(wanted, max(16, room / 3)) : min(wanted, room)
        let details = fitting(details(model).map { ($0.rank, glyphs.shown($0.text)) }, into: room - reserved - 2)
        let detailColumns = ChromeText.columns(of: details)
        pane.write(details, column: pane.rect.columns - 1 - detailColumns, row: 0, .barDetail)
        let left = details.isEmpty ? room : room - detailColumns - 2
        pane.write(ChromeText.clipped(text, to: left, ellipsis: glyphs.ellipsis), column: 1, row: 0, role)
    }

    /// What is selected, in the order shown; a lower rank stays longer when room is short.
    private static func details(_ model: AppModel) -> [(rank: Int, text: String)] {
        let snapshot = model.snapshot
        var details: [(rank: Int, text: String)] = []
        if snapshot.loopEnd != nil { details.append((1, "Loop")) }
        if snapshot.rate != 1 { details.append((1, Figures.decimal(snapshot.rate, places: 2) + "×")) }
        if let label = trackLabel("Audio", snapshot.activeAudioTrack, snapshot.audioTracks) { details.append((3, label)) }
        if let label = trackLabel("Sub", snapshot.activeSubtitleTrack, snapshot.subtitleTracks) { details.append((2, label)) }
        details.append((0, volume(snapshot)))
        return details
    }

    private static func volume(_ snapshot: EngineSnapshot) -> String {
        if snapshot.isSilent { return "No sound" }
        return snapshot.isMuted ? "Muted" : "Vol " + Figures.percent(snapshot.volume)
    }

    private static func trackLabel(_ kind: String, _ id: TrackID?, _ tracks: [TrackInfo]) -> String? {
        guard let id, let track = tracks.first(where: { $0.id == id }) else { return nil }
        let ordinal = tracks.count > 1 ? (TrackLabel.ordinal(of: id, in: tracks).map { " " + $0 } ?? "") : ""
        return "\(kind)\(ordinal) \(TrackLabel.short(track))"
    }

    private static func fitting(_ details: [(rank: Int, text: String)], into room: Int) -> String {
        var kept = details
        while !kept.isEmpty {
            let text = kept.map(\.text).joined(separator: "  ")
            if ChromeText.columns(of: text) <= room { return text }
            let last = kept.map(\.rank).max()
            kept.removeAll { $0.rank == last }
        }
        return ""
    }

    // MARK: Progress row

    private static func writeProgressRow(_ model: AppModel, row: Int, into pane: inout Pane) {
        let snapshot = model.snapshot, capabilities = model.capabilities
        let state = Glyphs(isUnicode: capabilities.isUnicode).state(snapshot.phase, wantsToPlay: snapshot.wantsToPlay)
        let position = Timecode.text(model.elapsed)
        let right = rightTime(model)
        let columns = pane.rect.columns
        let margin = columns >= 20 ? 1 : 0
        pane.write(state, column: margin, row: row, .barTime)
        let positionColumn = margin + 3
        pane.write(position, column: positionColumn, row: row, .barTime)
        let afterPosition = positionColumn + position.utf8.count
        guard columns - margin - afterPosition - right.utf8.count >= 1 else { return }
        let rightColumn = columns - margin - right.utf8.count
        pane.write(right, column: rightColumn, row: row, .barTime)
        let lineColumn = afterPosition + 1
        let width = (right.isEmpty ? columns - margin : rightColumn - 1) - lineColumn
        // Under 4 cells a line says nothing.
        guard width >= 4 else { return }
        let look: ProgressLine.Look = !capabilities.isUnicode ? .ascii : capabilities.hasColor ? .colors : .shades
        let line = ProgressLine(
            width: width, played: fraction(model.shownPosition, snapshot),
            buffered: snapshot.bufferedPosition.map { fraction($0, snapshot) } ?? 0,
            ticks: (snapshot.chapters.prefix(1000).map(\.start) + [snapshot.loopStart, snapshot.loopEnd].compactMap { $0 })
                .map { fraction($0, snapshot) }, look: look)
        pane.runs += line.runs(column: lineColumn, row: row)
    }

    /// The total or remaining time; "" when the duration is unknown.
    private static func rightTime(_ model: AppModel) -> String {
        guard let duration = model.snapshot.duration else { return "" }
        return model.showsRemaining ? Timecode.remaining(max(.zero, duration - model.elapsed)) : Timecode.text(duration)
    }

    private static func fraction(_ time: MediaTime, _ snapshot: EngineSnapshot) -> Double {
        guard let duration = snapshot.duration, duration > .zero else { return 0 }
        return Double((time - snapshot.startTime).nanoseconds) / Double(duration.nanoseconds)
    }
}
