import AetherCore

/// One row on its way to the terminal: the inner loop of `CellDiff`.
///
/// A video cell is shown in one form whatever glyph drew it: upper half block, top pixel as foreground, bottom pixel as
/// background. So pixels are compared and not glyphs.
///
/// Writing over one half of a wide character blanks the other in the terminal. That mends itself: the second half is shown as glyph
/// 0, which is never wanted alone, and a first half whose second is not wanted becomes a space, so both are drawn.
struct CellLine {
    let row: Int
    let wanted: UnsafePointer<Cell>
    let shown: UnsafeMutablePointer<Cell>
    let depth: ColourDepth
    let rule: CellRule
    var errors: RowErrors
    var writer: CellWriter

    static let video: UInt16 = 0x8000

    mutating func encode(_ stats: inout EncodeStats) {
        if writer.pen.style == PenState.unknown { writer.resetPen() }
        var column = 0
        var tally = Tally()
        let isIndexed = depth == .indexed256 && rule.bound > 0
        while column < writer.columns {
            let cell = wanted[column]
            errors.misses[column] = 0
            if isIndexed, !errors.isDue(column), let miss = miss(of: cell, at: column) {
                errors.misses[column] = miss > 0 ? 1 : 0
                tally.squaredError &+= miss
                column += 1
            } else if cell.style.rawValue == Self.video, let (top, bottom) = pixels(cell) {
                encodeVideo(top, bottom, at: column, &tally)
                column += 1
            } else if cell == Cell.pixels {
                shown[column] = cell
                column += 1
            } else {
                let (width, changed, kept) = encodeText(cell, at: column)
                tally.drawn += changed
                tally.elided += kept
                column += width
            }
        }
        stats.cellsChanged += tally.drawn
        stats.cellsSkipped += writer.columns - tally.drawn
        stats.coloursElided += tally.elided
        stats.squaredError += tally.squaredError
    }

    /// The sums of a row.
    private struct Tally {
        var drawn = 0, elided = 0, squaredError = 0
    }

    // MARK: Frame

    /// Draws a cell of two pixels, or leaves what is shown where that costs less. Inlined: it is the body of the loop over all cells.
    @inline(__always) private mutating func encodeVideo(_ top: UInt32, _ bottom: UInt32, at column: Int, _ tally: inout Tally) {
        let before = shown[column]
        var leaving = CellChoice.impossible
        if before.style.rawValue == Self.video, before.glyph == CellChoice.upper {
            leaving = rule.error(top, before.foreground.packed) &+ rule.error(bottom, before.background.packed)
            if leaving == 0 { return }
            if errors.isDue(column) { return encodeExactly(top, bottom, at: column, &tally) }
            // No way to draw it costs less than one byte.
            if leaving <= rule.lambda {
                errors.misses[column] = 1
                tally.squaredError &+= leaving >> 4
                return
            }
            // Where the cursor stands here, not drawing costs a move before the next cell drawn.
            if writer.pen.column == column && writer.pen.row == row { leaving &+= 3 &* rule.lambda }
        }
        let (aimTop, aimBottom) = aims(top, bottom, at: column)
        let choice = rule.choose(
            top: top, bottom: bottom, aimTop: aimTop, aimBottom: aimBottom,
            foreground: writer.pen.foreground, background: writer.pen.background, leaving: leaving)
        if choice.glyph != CellChoice.leave {
            tally.elided += draw(choice, at: column)
            tally.drawn += 1
        }
        let now = shown[column]
        if rule.bound > 0 {
            let miss = Int(squaredDistance(top, now.foreground.packed)) &+ Int(squaredDistance(bottom, now.background.packed))
            errors.misses[column] = miss > 0 ? 1 : 0
            tally.squaredError &+= miss
        }
    }

    /// Draws a cell that has been off for long enough as it is. Rare, so it stays out of the loop.
    @inline(never) private mutating func encodeExactly(_ top: UInt32, _ bottom: UInt32, at column: Int, _ tally: inout Tally) {
        let before = writer.next
        let choice = CellRule.exact.choose(
            top: top, bottom: bottom, aimTop: top, aimBottom: bottom, foreground: writer.pen.foreground,
            background: writer.pen.background, leaving: CellChoice.impossible)
        tally.elided += draw(choice, at: column)
        tally.drawn += 1
        errors.room -= writer.next - before
    }

    /// The colours to draw two pixels in, with a look at the cells ahead, which they may serve as well.
    @inline(__always) private func aims(_ top: UInt32, _ bottom: UInt32, at column: Int) -> (UInt32, UInt32) {
        if rule.short != nil {
            let ahead = wanted + (column + 1), count = writer.columns - column - 1
            return (
                rule.aim(top, ahead: ahead, count: count, isTop: true), rule.aim(bottom, ahead: ahead, count: count, isTop: false)
            )
        }
        if rule.reach > 0, column + 1 < writer.columns {
            let ahead = wanted[column + 1]
            if ahead.style.rawValue == Self.video, ahead.glyph == CellChoice.upper {
                return (rule.aim(top, next: ahead.foreground.packed), rule.aim(bottom, next: ahead.background.packed))
            }
        }
        return (top, bottom)
    }

    /// The distance of the shown cell from a video cell of two palette colours, if it is so little that the shown cell may stay: film grain
    /// moves mixes to and fro between entries. nil where the cell is to be drawn.
    private func miss(of cell: Cell, at column: Int) -> Int? {
        let before = shown[column]
        guard cell.style.rawValue == Self.video, let now = CellMix(before), let then = CellMix(cell) else { return nil }
        let miss = Int(now.distance(to: then, bound: rule.bound))
        // Twenty bytes of colours and glyph.
        return miss &* 16 <= 20 &* rule.lambda ? miss : nil
    }

    /// The two pixels of a video cell, if it is one that has two pixels of known colour.
    @inline(__always) private func pixels(_ cell: Cell) -> (UInt32, UInt32)? {
        var top: UInt32, bottom: UInt32
        switch cell.glyph {
        case CellChoice.upper: (top, bottom) = (cell.foreground.packed, cell.background.packed)
        case CellChoice.lower: (top, bottom) = (cell.background.packed, cell.foreground.packed)
        case CellChoice.full: (top, bottom) = (cell.foreground.packed, cell.foreground.packed)
        case CellChoice.space: (top, bottom) = (cell.background.packed, cell.background.packed)
        default: return nil
        }
        if depth != .trueColor {
            top = depth.map(CellColor(packed: top)).packed
            bottom = depth.map(CellColor(packed: bottom)).packed
        }
        return top == 0 || bottom == 0 ? nil : (top, bottom)
    }

    @inline(__always) private mutating func draw(_ choice: CellChoice, at column: Int) -> Int {
        writer.moveCursor(column: column, row: row)
        let elided = writer.setPen(foreground: choice.foreground, background: choice.background, style: 0)
        writer.put(glyph: choice.glyph, width: 1)
        let foreground = CellColor(packed: choice.foreground), background = CellColor(packed: choice.background)
        let top = choice.glyph == CellChoice.upper || choice.glyph == CellChoice.full ? foreground : background
        let bottom = choice.glyph == CellChoice.lower || choice.glyph == CellChoice.full ? foreground : background
        shown[column] = Cell(
            glyph: CellChoice.upper, foreground: top, background: bottom, style: CellStyle(rawValue: Self.video))
        return elided
    }

    // MARK: Text

    /// Draws a cell that must be exact, if it differs. Returns its columns, the cells drawn and the colours elided.
    mutating func encodeText(_ cell: Cell, at column: Int) -> (width: Int, drawn: Int, elided: Int) {
        let (exact, width) = normalised(cell, at: column)
        if shown[column] == exact, width == 1 || shown[column + 1].glyph == 0 { return (width, 0, 0) }
        writer.moveCursor(column: column, row: row)
        // A space without lines or reverse video has a background only.
        let blank = exact.glyph == 0x20 && exact.style.isDisjoint(with: [.underline, .reverse])
        let style = blank ? writer.pen.style & ~24 : UInt32(exact.style.rawValue)
        let elided = writer.setPen(
            foreground: blank ? nil : exact.foreground.packed, background: exact.background.packed, style: style)
        writer.put(glyph: exact.glyph, width: width)
        shown[column] = exact
        if width == 2 {
            shown[column + 1] = Cell(glyph: 0, foreground: exact.foreground, background: exact.background, style: exact.style)
        }
        return (width, width, elided)
    }

    /// Of a letter with marks, that of the letter.
    private func clusterWidth(_ cell: Cell) -> Int {
        guard let scalars = GlyphCluster.scalars(of: cell.glyph), !scalars.contains(where: DisplayText.isUnsafe),
            scalars.dropFirst().allSatisfy({ ScalarWidth.of($0) == 0 })
        else { return 0 }
        return scalars.first.map { ScalarWidth.of($0) } ?? 0
    }

    /// The cell as the terminal will show it: safe glyph, its depth's colours, halves of wide characters only in pairs.
    private func normalised(_ cell: Cell, at column: Int) -> (Cell, Int) {
        var exact = depth == .trueColor ? cell : depth.map(cell)
        exact.style = CellStyle(rawValue: exact.style.rawValue & 31)
        var width = 1
        if exact.glyph < 0x20 || exact.glyph >= 0x7F {
            width = Unicode.Scalar(exact.glyph).map { DisplayText.isUnsafe($0) ? 0 : ScalarWidth.of($0) } ?? clusterWidth(exact)
            let halved = width == 2 && (column + 1 >= writer.columns || wanted[column + 1].glyph != 0)
            if width == 0 || halved {
                exact.glyph = 0x20
                width = 1
            }
        }
        if exact.glyph == 0x20, exact.style.isDisjoint(with: [.underline, .reverse]) {
            exact.foreground = .terminalDefault
            exact.style = []
        }
        return (exact, width)
    }
}
