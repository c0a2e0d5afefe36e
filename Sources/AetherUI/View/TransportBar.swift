import AetherCore
import AetherEngine
import AetherTerminal

/// The bar at the bottom: title and what is selected over state, position, progress and duration. On small terminals one row.
enum TransportBar {
    static func pane(_ scene: Scene) -> Pane? {
        guard let rect = scene.barRect else { return nil }
        var pane = Pane(.bar, at: rect, fill: .bar)
        if rect.rows == 2 { writeTitleRow(scene, into: &pane) }
        writeProgressRow(scene, row: rect.rows - 1, into: &pane)
        return pane
    }

    private static func writeTitleRow(_ scene: Scene, into pane: inout Pane) {
        let row = TitleRow(scene, columns: pane.rect.columns)
        pane.write(row.title, column: 1, row: 0, row.role)
        if let chapter = row.chapter { pane.write(chapter.text, column: chapter.column, row: 0, .barDetail) }
        for word in row.words { pane.write(word.text, column: word.column, row: 0, word.isBadge ? .barBadge : .barDetail) }
    }

    // MARK: Progress row

    private static func writeProgressRow(_ scene: Scene, row: Int, into pane: inout Pane) {
        let snapshot = scene.snapshot, capabilities = scene.capabilities
        let state = Glyphs(isUnicode: capabilities.isUnicode).state(snapshot.phase, wantsToPlay: snapshot.wantsToPlay)
        let places = ProgressPlaces(scene)
        pane.write(state, column: places.state, row: row, .barTime)
        pane.write(places.positionText, column: places.position, row: row, .barTime)
        guard let right = places.right else { return }
        pane.write(places.rightText, column: right, row: row, .barTime)
        guard !places.line.isEmpty else { return }
        let look: ProgressLine.Look = !capabilities.isUnicode ? .ascii : capabilities.hasColor ? .colors : .shades
        let line = ProgressLine(
            width: places.line.count, played: fraction(scene.shownPosition, snapshot),
            buffered: snapshot.bufferedPosition.map { fraction($0, snapshot) } ?? 0,
            ticks: (snapshot.chapters.prefix(1000).map(\.start) + [snapshot.loopStart, snapshot.loopEnd].compactMap { $0 }
                + scene.programmeBorders)
                .map { fraction($0, snapshot) }, look: look, ready: scene.scrubTarget == nil ? [] : scene.scrubReady,
            mark: scene.scrubTarget.map { fraction($0, snapshot) }, breaks: stretches(.advertisement, snapshot),
            gaps: stretches(.gap, snapshot))
        pane.runs += line.runs(column: places.line.lowerBound, row: row)
    }

    /// Where the marks of a kind lie.
    private static func stretches(_ kind: SourceMark.Kind, _ snapshot: EngineSnapshot) -> [ClosedRange<Double>] {
        guard snapshot.duration != nil else { return [] }
        return snapshot.marks.lazy.filter { $0.kind == kind }.map { mark in
            let start = fraction(mark.start, snapshot)
            return start...max(start, fraction(mark.end, snapshot))
        }
    }

    /// The places in the row of the progress line.
    private struct ProgressPlaces {
        let positionText, rightText: String
        let state, position: Int
        /// nil where there is no room for more than the position.
        let right: Int?
        /// Empty where the line would have under 4 cells: it says nothing then.
        let line: Range<Int>

        init(_ scene: Scene) {
            let columns = scene.size.columns, margin = columns >= 20 ? 1 : 0
            (positionText, rightText) = (leftTime(scene), rightTime(scene))
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

    /// The target under a cell of the bar.
    enum Target: Equatable {
        /// The progress line, at a fraction of it.
        case progress(Double)
        case action(PlayerAction)
    }

    /// The target of a click on a cell of the screen; nil outside the bar and where nothing lies.
    /// `part` is how far into the cell the pointer is, where that is known.
    static func target(_ scene: Scene, column: Int, row: Int, part: Double? = nil) -> Target? {
        guard let rect = scene.barRect, (rect.row..<rect.row + rect.rows).contains(row), (0..<rect.columns).contains(column)
        else { return nil }
        guard row == rect.row + rect.rows - 1 else {
            return TitleRow(scene, columns: rect.columns).action(at: column).map { .action($0) }
        }
        let places = ProgressPlaces(scene)
        if places.line.contains(column) { return .progress(fraction(atColumn: column, part: part, scene) ?? 0) }
        if column < places.position { return .action(.togglePause) }
        if let right = places.right, column >= right { return .action(.toggleRemaining) }
        return nil
    }

    /// The column of a time on the progress line; nil where there is no line.
    static func column(of time: MediaTime, _ scene: Scene) -> Int? {
        let line = ProgressPlaces(scene).line
        guard !line.isEmpty, scene.snapshot.duration != nil else { return nil }
        let share = fraction(time, scene.snapshot)
        return line.lowerBound + min(line.count - 1, max(0, Int(min(1, max(0, share)) * Double(line.count))))
    }

    /// The fraction of the progress line at a column, at its ends beyond them; nil where there is no line.
    static func fraction(atColumn column: Int, part: Double? = nil, _ scene: Scene) -> Double? {
        let line = ProgressPlaces(scene).line
        guard !line.isEmpty else { return nil }
        if let part { return min(max(0, (Double(column - line.lowerBound) + part) / Double(line.count)), 1) }
        // The middle of the cell; the first and the last one are the ends.
        if column <= line.lowerBound { return 0 }
        if column >= line.upperBound - 1 { return 1 }
        return (Double(column - line.lowerBound) + 0.5) / Double(line.count)
    }

    /// The position; of a broadcast how far it lies behind.
    private static func leftTime(_ scene: Scene) -> String {
        guard scene.snapshot.isBroadcast else { return Timecode.text(scene.elapsed) }
        return scene.snapshot.isAtLiveEdge ? translated("live") : Timecode.remaining(.seconds(scene.snapshot.behindLiveSeconds))
    }

    /// The total or remaining time; of a broadcast the length of what can be gone to; or the source's own time of day; "" when the
    /// duration is unknown.
    private static func rightTime(_ scene: Scene) -> String {
        if scene.bar.showsRemaining, scene.snapshot.isBroadcast || scene.bar.showsTimeOfDay,
            let moment = scene.snapshot.programTime
        {
            return SystemText.timeOfDay(moment)
        }
        guard let duration = scene.snapshot.duration else { return "" }
        return scene.bar.showsRemaining && !scene.snapshot.isBroadcast
            ? Timecode.remaining(max(.zero, duration - scene.elapsed)) : Timecode.text(duration)
    }

    private static func fraction(_ time: MediaTime, _ snapshot: EngineSnapshot) -> Double {
        guard let duration = snapshot.duration, duration > .zero else { return 0 }
        return Double((time - snapshot.startTime).nanoseconds) / Double(duration.nanoseconds)
    }
}
