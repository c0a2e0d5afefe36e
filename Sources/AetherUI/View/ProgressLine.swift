import AetherTerminal

/// The progress line: what was played, what is buffered, the rest, chapter ticks; an eighth of a cell precise.
struct ProgressLine {
    /// How the stretches are told apart.
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

    /// Numbers from files and clocks: whatever they are, they end in 0 … 1.
    init(width: Int, played: Double, buffered: Double, ticks: [Double], look: Look) {
        func clamp(_ value: Double) -> Double { value.isNaN ? 0 : min(max(value, 0), 1) }
        self.width = max(0, width)
        self.played = clamp(played)
        self.buffered = max(clamp(buffered), clamp(played))
        self.ticks = ticks.filter { $0 > 0 && $0 < 1 }
        self.look = look
    }

    /// The line as stretches of one role each, from column 0.
    func runs(column: Int, row: Int) -> [Pane.Run] {
        let tickCells = Set(ticks.map { min(width - 1, Int($0 * Double(width))) })
        let playedEighths = Int((played * Double(width * 8)).rounded()),
            bufferedEighths = Int((buffered * Double(width * 8)).rounded())
        var runs: [Pane.Run] = []
        for cell in 0..<width {
            let p = min(max(playedEighths - cell * 8, 0), 8), b = min(max(bufferedEighths - cell * 8, 0), 8)
            let (glyph, role) = sign(
                played: p, buffered: b, isTick: tickCells.contains(cell), isHead: p < 8 && (p > 0 || cell * 8 == playedEighths))
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
