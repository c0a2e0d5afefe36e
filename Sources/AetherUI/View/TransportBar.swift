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
        var (text, role) = (titleText(model, glyphs), ThemeRole.barTitle)
        if let message = model.message {
            (text, role) = (glyphs.shown(message.text), message.isNotice ? .barNotice : .barMessage)
        }
        // A notice is worth more than the details, a title gives way down to a third of the bar.
        let wanted = ChromeText.columns(of: text)
        let reserved = model.message == nil ? min(wanted, max(16, room / 3)) : min(wanted, room)
        let details = fitting(details(model), glyphs, into: room - reserved - 2).map(\.text).joined(separator: gap)
        let detailColumns = ChromeText.columns(of: details)
        pane.write(details, column: pane.rect.columns - 1 - detailColumns, row: 0, .barDetail)
        let left = details.isEmpty ? room : room - detailColumns - 2
        pane.write(glyphs.line(text, to: left), column: 1, row: 0, role)
    }

    private static func titleText(_ model: AppModel, _ glyphs: Glyphs) -> String {
        let title = glyphs.shown(model.title)
        return model.playlist.count > 1 ? "\(model.playlist.index + 1)/\(model.playlist.count)  \(title)" : title
    }

    /// One word of the upper row's right side, and what a click on it does.
    struct Detail {
        /// A lower rank stays longer when room is short.
        let rank: Int
        var text: String
        let action: PlayerAction?
    }

    private static let gap = "  "

    /// What is selected, in the order shown.
    private static func details(_ model: AppModel) -> [Detail] {
        let snapshot = model.snapshot
        var details: [Detail] = []
        if snapshot.loopEnd != nil { details.append(Detail(rank: 1, text: "Loop", action: nil)) }
        if snapshot.rate != 1 {
            details.append(Detail(rank: 1, text: Figures.decimal(snapshot.rate, places: 2) + "×", action: .normalSpeed))
        }
        if snapshot.sourceVideoFormat != .sdr {
            details.append(Detail(rank: 4, text: "\(snapshot.sourceVideoFormat.name) → SDR", action: nil))
        }
        if let label = trackLabel("Audio", snapshot.activeAudioTrack, snapshot.audioTracks) {
            details.append(Detail(rank: 3, text: label, action: .showMenu(.audio)))
        }
        if let label = trackLabel("Sub", snapshot.activeSubtitleTrack, snapshot.subtitleTracks) {
            details.append(Detail(rank: 2, text: label, action: .showMenu(.subtitles)))
        }
        details.append(Detail(rank: 0, text: volume(snapshot), action: .toggleMute))
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

    private static func fitting(_ details: [Detail], _ glyphs: Glyphs, into room: Int) -> [Detail] {
        var kept = details.map { Detail(rank: $0.rank, text: glyphs.shown($0.text), action: $0.action) }
        while !kept.isEmpty {
            if ChromeText.columns(of: kept.map(\.text).joined(separator: gap)) <= room { return kept }
            let last = kept.map(\.rank).max()
            kept.removeAll { $0.rank == last }
        }
        return []
    }

    // MARK: Progress row

    private static func writeProgressRow(_ model: AppModel, row: Int, into pane: inout Pane) {
        let snapshot = model.snapshot, capabilities = model.capabilities
        let state = Glyphs(isUnicode: capabilities.isUnicode).state(snapshot.phase, wantsToPlay: snapshot.wantsToPlay)
        let places = ProgressPlaces(model)
        pane.write(state, column: places.state, row: row, .barTime)
        pane.write(places.positionText, column: places.position, row: row, .barTime)
        guard let right = places.right else { return }
        pane.write(places.rightText, column: right, row: row, .barTime)
        guard !places.line.isEmpty else { return }
        let look: ProgressLine.Look = !capabilities.isUnicode ? .ascii : capabilities.hasColor ? .colors : .shades
        let line = ProgressLine(
            width: places.line.count, played: fraction(model.shownPosition, snapshot),
            buffered: snapshot.bufferedPosition.map { fraction($0, snapshot) } ?? 0,
            ticks: (snapshot.chapters.prefix(1000).map(\.start) + [snapshot.loopStart, snapshot.loopEnd].compactMap { $0 })
                .map { fraction($0, snapshot) }, look: look, ready: model.scrub == nil ? [] : model.scrubReady,
            mark: model.scrub.map { fraction($0.target, snapshot) })
        pane.runs += line.runs(column: places.line.lowerBound, row: row)
    }

    /// What lies where in the row of the progress line.
    private struct ProgressPlaces {
        let positionText, rightText: String
        let state, position: Int
        /// nil where there is no room for more than the position.
        let right: Int?
        /// Empty where the line would have under 4 cells: it says nothing then.
        let line: Range<Int>

        init(_ model: AppModel) {
            let columns = model.size.columns, margin = columns >= 20 ? 1 : 0
            (positionText, rightText) = (Timecode.text(model.elapsed), rightTime(model))
            (state, position) = (margin, margin + 3)
            let afterPosition = position + positionText.utf8.count
            guard columns - margin - afterPosition - rightText.utf8.count >= 1 else {
                (right, line) = (nil, 0..<0)
                return
            }
            let rightColumn = columns - margin - rightText.utf8.count
            let end = rightText.isEmpty ? columns - margin : rightColumn - 1
            right = rightColumn
            line = end - afterPosition - 1 >= 4 ? afterPosition + 1..<end : 0..<0
        }
    }

    // MARK: Pointing

    /// What lies under a cell of the bar.
    enum Target: Equatable {
        /// The progress line, at a fraction of it.
        case progress(Double)
        case action(PlayerAction)
    }

    /// What a click on a cell of the screen means; nil outside the bar and where nothing lies.
    static func target(_ model: AppModel, column: Int, row: Int) -> Target? {
        guard let rect = pane(model)?.rect, (rect.row..<rect.row + rect.rows).contains(row), (0..<rect.columns).contains(column)
        else { return nil }
        guard row == rect.row + rect.rows - 1 else { return titleTarget(model, column: column, columns: rect.columns) }
        let places = ProgressPlaces(model)
        if places.line.contains(column) { return .progress(fraction(atColumn: column, model) ?? 0) }
        if column < places.position { return .action(.togglePause) }
        if let right = places.right, column >= right { return .action(.toggleRemaining) }
        return nil
    }

    /// The column of a time on the progress line; nil where there is no line.
    static func column(of time: MediaTime, _ model: AppModel) -> Int? {
        let line = ProgressPlaces(model).line
        guard !line.isEmpty, model.snapshot.duration != nil else { return nil }
        let share = fraction(time, model.snapshot)
        return line.lowerBound + min(line.count - 1, max(0, Int(min(1, max(0, share)) * Double(line.count))))
    }

    /// The fraction of the progress line at a column, at its ends beyond them; nil where there is no line.
    static func fraction(atColumn column: Int, _ model: AppModel) -> Double? {
        let line = ProgressPlaces(model).line
        guard !line.isEmpty else { return nil }
        // The middle of the cell; the first and the last one are the ends.
        if column <= line.lowerBound { return 0 }
        if column >= line.upperBound - 1 { return 1 }
        return (Double(column - line.lowerBound) + 0.5) / Double(line.count)
    }

    private static func titleTarget(_ model: AppModel, column: Int, columns: Int) -> Target? {
        guard model.message == nil else { return nil }
        let room = columns - 2, glyphs = Glyphs(isUnicode: model.capabilities.isUnicode)
        let wanted = ChromeText.columns(of: titleText(model, glyphs))
        let kept = fitting(details(model), glyphs, into: room - min(wanted, max(16, room / 3)) - 2)
        var end = columns - 1
        for detail in kept.reversed() {
            let begin = end - ChromeText.columns(of: detail.text)
            if (begin..<end).contains(column) { return detail.action.map { .action($0) } }
            end = begin - gap.count
        }
        return nil
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
