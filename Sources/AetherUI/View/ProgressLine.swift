import AetherTerminal

/// The progress line: what was played, what is buffered, the rest, chapter ticks; an eighth of a cell precise.
struct ProgressLine {
    /// The look by which the stretches are told apart.
    enum Look {
        /// By colour, with eighths of a block at the borders.
        case colors
        /// By shades of blocks, for terminals without colours.
        case shades
        case ascii
    }

    /// Cells.
    let width: Int
    /// 0 … 1.
    let played, buffered: Double
    /// 0 … 1 each.
    let ticks: [Double]
    let look: Look
    /// Places of which there is a still, 0 … 1; marked by a thin line while the person looks for one.
    let ready: [Double]
    /// The place that is looked at.
    let mark: Double?
    /// Stretches of advertisements, and those that are missing, 0 … 1.
    let breaks: [ClosedRange<Double>], gaps: [ClosedRange<Double>]

    /// Numbers from files and clocks: whatever they are, they end in 0 … 1.
    init(
        width: Int, played: Double, buffered: Double, ticks: [Double], look: Look, ready: [Double] = [], mark: Double? = nil,
        breaks: [ClosedRange<Double>] = [], gaps: [ClosedRange<Double>] = []
    ) {
        func clamp(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, 0), 1) }
        self.width = max(0, width)
        self.played = clamp(played)
        self.buffered = max(clamp(buffered), clamp(played))
        self.ticks = ticks.filter { $0 > 0 && $0 < 1 }
        self.look = look
        self.ready = ready.filter { $0 >= 0 && $0 < 1 }
        self.mark = mark.map(clamp)
        func inside(_ ranges: [ClosedRange<Double>]) -> [ClosedRange<Double>] {
            ranges.filter { $0.upperBound >= 0 && $0.lowerBound < 1 }.map { clamp($0.lowerBound)...clamp($0.upperBound) }
        }
        (self.breaks, self.gaps) = (inside(breaks), inside(gaps))
    }

    /// The line as stretches of one role each, from column 0.
    func runs(column: Int, row: Int) -> [Pane.Run] {
        let readyCells = Set(ready.map { min(width - 1, Int($0 * Double(width))) })
        let markCell = mark.map { min(width - 1, Int($0 * Double(width))) }
        let tickCells = Set(ticks.map { min(width - 1, Int($0 * Double(width))) })
        let playedEighths = Int((played * Double(width * 8)).rounded()),
            bufferedEighths = Int((buffered * Double(width * 8)).rounded())
        let breakCells = cells(of: breaks), gapCells = cells(of: gaps)
        var runs: [Pane.Run] = []
        for cell in 0..<width {
            let p = min(max(playedEighths - cell * 8, 0), 8), b = min(max(bufferedEighths - cell * 8, 0), 8)
            let isTick = tickCells.contains(cell), isHead = p < 8 && (p > 0 || cell * 8 == playedEighths)
            var (glyph, role) = sign(
                played: p, buffered: b, isTick: isTick, isHead: isHead)
            if cell == markCell {
                (glyph, role) = markSign(p, b)
            } else if !isTick, p == 0 || p == 8, look != .ascii || !isHead, gapCells.contains(cell) || breakCells.contains(cell) {
                (glyph, role) = stretchSign(p, b, isGap: gapCells.contains(cell))
            } else if p == 0, !isTick, readyCells.contains(cell) {
                (glyph, role) = readySign(b) ?? (glyph, role)
            }
            if let last = runs.indices.last, runs[last].role == role {
                runs[last].text.append(glyph)
            } else {
                runs.append(Pane.Run(column: column + cell, row: row, text: String(glyph), role: role))
            }
        }
        return runs
    }

    private func sign(played p: Int, buffered b: Int, isTick: Bool, isHead: Bool) -> (Character, ChromeRole) {
        switch look {
        case .colors: return colored(p, b, isTick)
        case .shades:
            let glyph: Character = isTick ? "│" : p >= 4 ? "█" : b >= 4 ? "▒" : "░"
            return (glyph, ProgressRole.played.chromeRole)
        case .ascii:
            let (glyph, role): (Character, ThemeRole) =
                isHead ? (">", .progressPlayed) : p >= 4 ? ("=", .progressPlayed) : b >= 4 ? ("-", .barDetail) : (".", .barDetail)
            return isTick && !isHead ? ("|", ThemeRole.barTime.chromeRole) : (glyph, role.chromeRole)
        }
    }

    /// The mark of the place that the hand is at.
    private func markSign(_ p: Int, _ b: Int) -> (Character, ChromeRole) {
        switch look {
        case .colors: ("┃", (p >= 4 ? ProgressRole.tickOnPlayed : b >= 4 ? .tickOnBuffered : .tickOnRest).chromeRole)
        case .shades: ("┃", ProgressRole.played.chromeRole)
        case .ascii: ("V", ThemeRole.barTime.chromeRole)
        }
    }

    private func cells(of ranges: [ClosedRange<Double>]) -> Set<Int> {
        Set(
            ranges.prefix(1000).flatMap { range in
                let last = min(width - 1, Int(range.upperBound * Double(width)))
                return min(width - 1, Int(range.lowerBound * Double(width)))...max(last, Int(range.lowerBound * Double(width)))
            })
    }

    /// A part of an advertisement, or of what is missing.
    private func stretchSign(_ p: Int, _ b: Int, isGap: Bool) -> (Character, ChromeRole) {
        switch look {
        case .colors:
            (isGap ? "╌" : "▂", (p >= 4 ? ProgressRole.tickOnPlayed : b >= 4 ? .tickOnBuffered : .tickOnRest).chromeRole)
        case .shades: (isGap ? "╌" : "▂", ProgressRole.played.chromeRole)
        case .ascii: (isGap ? "_" : "#", ThemeRole.barTime.chromeRole)
        }
    }

    /// A place with a still; nil where it looks like any other.
    private func readySign(_ b: Int) -> (Character, ChromeRole)? {
        switch look {
        case .colors where b == 0: ("▁", ProgressRole.bufferedOverRest.chromeRole)
        case .colors where b == 8: ("▁", ProgressRole.playedOverBuffered.chromeRole)
        case .ascii where b < 4: (":", ThemeRole.barDetail.chromeRole)
        case .colors, .shades, .ascii: nil
        }
    }

    private func colored(_ p: Int, _ b: Int, _ isTick: Bool) -> (Character, ChromeRole) {
        let eighths: [Character] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]
        if p == 8 { return isTick ? ("│", ProgressRole.tickOnPlayed.chromeRole) : ("█", ProgressRole.played.chromeRole) }
        if p > 0 {
            // A cell has two colours; where three stretches meet in one, the wider of the last two is the ground.
            let ground: ProgressRole = b - p >= 8 - b ? .playedOverBuffered : .playedOverRest
            return (eighths[p], ground.chromeRole)
        }
        if isTick { return ("│", (b >= 4 ? ProgressRole.tickOnBuffered : .tickOnRest).chromeRole) }
        if b == 8 { return ("█", ProgressRole.buffered.chromeRole) }
        return b > 0 ? (eighths[b], ProgressRole.bufferedOverRest.chromeRole) : ("█", ProgressRole.rest.chromeRole)
    }
}
