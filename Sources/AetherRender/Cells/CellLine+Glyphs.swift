import AetherCore

/// The frame that a line's glyphs are drawn from.
struct GlyphSource {
    let sampler: CellSampler
    let glyphs: GlyphSet
    /// The scalars by mask.
    let scalars: UnsafePointer<UInt32>
    let rule: GlyphRule
    /// Whether cells must be shown as the renderer drew them.
    let isExact: Bool
    /// The cells that the frame covers.
    let columns: Range<Int>, rows: Range<Int>

    /// Lends the source of a frame's glyphs; nil where it has none.
    static func withSource(
        of video: CellFrame?, quality: EncodeQuality, depth: ColourDepth, size: CellSize, _ body: (GlyphSource?) -> Void
    ) {
        guard let video, let glyphs = video.glyphs else { return body(nil) }
        let image = video.image
        let clip = CellClip(
            size, origin: video.origin, width: (image.width + 1) / 2, height: (image.height + glyphs.rows - 1) / glyphs.rows)
        image.pixels.withUnsafeBufferPointer { pixels in
            glyphs.scalars.withUnsafeBufferPointer { scalars in
                guard let first = pixels.baseAddress, let scalars = scalars.baseAddress else { return body(nil) }
                body(
                    GlyphSource(
                        sampler: CellSampler(first, size: image.size, origin: video.origin, rows: glyphs.rows), glyphs: glyphs,
                        scalars: scalars, rule: GlyphRule(quality, glyphs: glyphs),
                        isExact: depth != .trueColor || quality.lambda == 0, columns: clip.columns, rows: clip.rows))
            }
        }
    }
}

extension CellLine {
    /// The row where the frame is drawn with several pixels a cell.
    mutating func encode(_ source: GlyphSource, _ stats: inout EncodeStats) {
        if writer.pen.style == PenState.unknown { writer.resetPen() }
        var column = 0
        var drawn = 0, elided = 0
        var error: Float = 0
        while column < writer.columns {
            let cell = wanted[column]
            var width = 1
            if cell.style.rawValue == Self.video, source.columns.contains(column), !cell.background.isDefault,
                let mask = source.glyphs.mask(of: cell.glyph)
            {
                if source.isExact || errors.isDue(column) {
                    let before = writer.next
                    elided += encodeExactly(cell, mask: mask, at: column, source, &drawn)
                    if !source.isExact { errors.room -= writer.next - before }
                    errors.misses[column] = 0
                } else {
                    error += encodeNearly(cell, mask: mask, at: column, source, &drawn, &elided)
                }
            } else {
                let (columns, changed, kept) = encodeText(cell, at: column)
                errors.misses[column] = 0
                width = columns
                drawn += changed
                elided += kept
            }
            column += width
        }
        stats.cellsChanged += drawn
        stats.cellsSkipped += writer.columns - drawn
        stats.coloursElided += elided
        stats.squaredError += Int(error)
    }

    /// Draws a cell as it is, unless it is shown so: with the colours on the side that costs less.
    private mutating func encodeExactly(
        _ cell: Cell, mask: UInt32, at column: Int, _ source: GlyphSource, _ drawn: inout Int
    ) -> Int {
        let before = shown[column]
        var (mask, fore, back) = (mask, cell.foreground.packed, cell.background.packed)
        if let now = shownGlyph(before, source) {
            let full: UInt32 = 1 << UInt32(2 * source.glyphs.rows) - 1
            let isSame = now.mask == mask && (mask == 0 || now.foreground == fore) && now.background == back
            let isSwapped = source.glyphs.isSolid && now.mask == ~mask & full && now.foreground == back && now.background == fore
            if isSame || isSwapped { return 0 }
        }
        if mask != 0, source.glyphs.isSolid {
            let pen = writer.pen
            func cost(_ colour: UInt32, _ now: UInt32) -> Int { colour == now ? 0 : DecimalTable.cost(colour) }
            if cost(back, pen.foreground) + cost(fore, pen.background) < cost(fore, pen.foreground) + cost(back, pen.background) {
                (mask, fore, back) = (~mask & (1 << UInt32(2 * source.glyphs.rows) - 1), back, fore)
            }
        }
        drawn += 1
        let foreground = mask == 0 ? writer.pen.foreground : fore
        return draw(mask: mask, foreground: foreground, background: back, at: column, source)
    }

    /// Draws a cell in the way that is worth its bytes, or leaves it. Returns the squared error.
    @inline(__always) private mutating func encodeNearly(
        _ cell: Cell, mask: UInt32, at column: Int, _ source: GlyphSource, _ drawn: inout Int, _ elided: inout Int
    ) -> Float {
        let pixels = source.sampler.cell(column: column, row: row)
        var leaving = Float.infinity
        if let now = shownGlyph(shown[column], source) { leaving = error(pixels, now.mask, now.foreground, now.background) }
        // The shown cell is already the best possible one.
        errors.misses[column] = leaving == 0 ? 0 : 1
        if leaving == 0 { return 0 }
        let ahead = column + 1 < writer.columns ? wanted[column + 1] : cell
        let isVideo = ahead.style.rawValue == Self.video
        let rule = source.rule
        let first = isVideo ? rule.aim(cell.foreground.packed, next: ahead.foreground.packed) : cell.foreground.packed
        let second = isVideo ? rule.aim(cell.background.packed, next: ahead.background.packed) : cell.background.packed
        let isHere = writer.pen.column == column && writer.pen.row == row
        let choice = rule.choose(
            GlyphSituation(
                pixels: pixels, first: first, second: second, mean: 0x0100_0000 | pixels.mean, foreground: writer.pen.foreground,
                background: writer.pen.background, leaving: leaving, moveBytes: isHere ? 3 : 0))
        if choice.leaves { return leaving }
        drawn += 1
        elided += draw(
            mask: choice.mask, foreground: choice.foreground, background: choice.background, at: column, source)
        return choice.error
    }

    private mutating func draw(
        mask: UInt32, foreground: UInt32, background: UInt32, at column: Int, _ source: GlyphSource
    ) -> Int {
        let glyph = source.scalars[Int(mask)]
        writer.moveCursor(column: column, row: row)
        let elided = writer.setPen(foreground: foreground, background: background, style: 0)
        writer.put(glyph: glyph, width: 1)
        shown[column] = Cell(
            glyph: glyph, foreground: CellColor(packed: foreground), background: CellColor(packed: background), style: .video)
        return elided
    }

    /// A cell's content in terms of this frame's glyphs; nil for anything else.
    @inline(__always) private func shownGlyph(
        _ cell: Cell, _ source: GlyphSource
    ) -> (mask: UInt32, foreground: UInt32, background: UInt32)? {
        guard cell.style == .video || cell.glyph == 0x20 && cell.style == [], !cell.background.isDefault else { return nil }
        guard let mask = source.glyphs.mask(of: cell.glyph), mask == 0 || !cell.foreground.isDefault else { return nil }
        return (mask, cell.foreground.packed, cell.background.packed)
    }

    @inline(__always) private func error(_ pixels: CellPixels, _ mask: UInt32, _ foreground: UInt32, _ background: UInt32)
        -> Float
    {
        let bits = SIMD8<UInt32>(1, 2, 4, 8, 16, 32, 64, 128) & mask
        let inside = bits .!= 0
        return pixels.distances(to: background).replacing(with: pixels.distances(to: foreground), where: inside).total
    }
}
