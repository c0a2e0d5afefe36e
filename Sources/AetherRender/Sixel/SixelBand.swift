/// Writes bands of six rows: which pen paints which columns, in as few bytes as it can.
///
/// Later sixels paint over earlier ones, so a pen may paint every pixel that a later pen of the band paints again: a pattern of
/// two pens is one long run of the first, with the second drawn on it. That halves the bytes of dithered images. Owns its
/// scratch memory; allocates only when the width grows.
struct SixelBand: Sendable {
    /// A stretch of columns that one pen paints in one go.
    private struct Span: Sendable {
        var start: Int32 = 0, end: Int32 = 0
        var pen: UInt8 = 0
    }

    /// The pens of each column, that of the first row in the lowest byte; none where there is no row.
    private var pens: [UInt64] = []
    /// For each column the rows still to be painted.
    private var open: [UInt8] = []
    private var spans: [Span] = []
    /// The spans that are not painted yet, by where they start.
    private var waiting: [Int32] = []
    private var waitingCount = 0
    /// The span of each pen that began last; -1 where there is none.
    private var latest = [Int32](repeating: -1, count: 256)
    private var width = 0
    /// Columns without a pen that end its span; a gap costs at most four bytes, a new span at least that.
    private static let gap = 12

    /// Takes a width in pixels.
    mutating func resize(width: Int) {
        if width == self.width { return }
        self.width = width
        pens = [UInt64](repeating: .max, count: width)
        open = [UInt8](repeating: 0, count: width)
        spans = [Span](repeating: Span(), count: 6 * width)
        waiting = [Int32](repeating: 0, count: 6 * width)
    }

    /// The most bytes that a band of so many columns can have: each of six pixels a column may be a span of its own, with 26
    /// bytes to move there, name the pen, define it once and paint.
    static func limit(columns: Int) -> Int { columns * 6 * 12 + 256 * 24 + 64 }

    /// Appends the band whose first row is `top` of the plane (it may begin above and end below). `rows` are those that may be
    /// painted. Returns whether anything was.
    mutating func encode(
        _ plane: borrowing PenPlane, top: Int, rows: Range<Int>, columns: Range<Int>, palette: borrowing SixelPalette,
        state: inout SixelPens, pendingLines: Int, into buffer: inout ByteBuffer
    ) -> Bool {
        let range = mark(plane, top: top, rows: rows, columns: columns)
        if range.isEmpty { return false }
        fill(plane, top: top, rows: rows, columns: range)
        collect(range)
        for _ in 0..<pendingLines { buffer.append(0x2D) }
        paint(origin: columns.lowerBound, palette: palette, state: &state, into: &buffer)
        return true
    }

    /// Finds what is to be painted and returns the columns that have any of it.
    private mutating func mark(
        _ plane: borrowing PenPlane, top: Int, rows: Range<Int>, columns: Range<Int>
    ) -> Range<Int> {
        let stride = plane.width
        var low = columns.upperBound, high = columns.lowerBound
        open.withUnsafeMutableBufferPointer { open in
            for x in columns { open[x] = 0 }
            for row in max(rows.lowerBound, top)..<min(rows.upperBound, top + 6) {
                let bit = UInt8(1) << UInt8(truncatingIfNeeded: row - top)
                plane.shown.withUnsafeBufferPointer { shown in
                    plane.wanted.withUnsafeBufferPointer { wanted in
                        let start = row * stride
                        for x in columns { open[x] |= shown[start &+ x] != wanted[start &+ x] ? bit : 0 }
                    }
                }
            }
            low = columns.lowerBound
            while low < columns.upperBound, open[low] == 0 { low += 1 }
            high = columns.upperBound
            while high > low, open[high - 1] == 0 { high -= 1 }
        }
        return low..<high
    }

    /// Takes the pens of the columns, also where they are shown already: there they may paint again.
    private mutating func fill(_ plane: borrowing PenPlane, top: Int, rows: Range<Int>, columns: Range<Int>) {
        pens.withUnsafeMutableBufferPointer { pens in
            for x in columns { pens[x] = .max }
            plane.wanted.withUnsafeBufferPointer { wanted in
                for row in max(rows.lowerBound, top)..<min(rows.upperBound, top + 6) {
                    let shift = UInt64(truncatingIfNeeded: 8 * (row - top)), start = row * plane.width
                    for x in columns { pens[x] ^= (UInt64(wanted[start &+ x]) ^ 255) &<< shift }
                }
            }
        }
    }

    /// Makes spans of the columns where pens are to paint, sorted by where they start.
    private mutating func collect(_ columns: Range<Int>) {
        var count = 0
        latest.withUnsafeMutableBufferPointer { latest in
            latest.update(repeating: -1)
            spans.withUnsafeMutableBufferPointer { spans in
                waiting.withUnsafeMutableBufferPointer { waiting in
                    for x in columns where open[x] != 0 {
                        var left = open[x], previous = SixelPalette.none
                        while left != 0 {
                            let row = left.trailingZeroBitCount
                            left &= left &- 1
                            let pen = UInt8(truncatingIfNeeded: pens[x] >> UInt64(truncatingIfNeeded: 8 &* row))
                            if pen == previous || pen == SixelPalette.none { continue }
                            previous = pen
                            let last = Int(latest[Int(pen)])
                            if last >= 0, x &- Int(spans[last].end) <= Self.gap {
                                spans[last].end = Int32(truncatingIfNeeded: x &+ 1)
                                continue
                            }
                            latest[Int(pen)] = Int32(truncatingIfNeeded: count)
                            spans[count] = Span(
                                start: Int32(truncatingIfNeeded: x), end: Int32(truncatingIfNeeded: x &+ 1), pen: pen)
                            // Of those that start together the rarest pen comes first.
                            var place = count
                            while place > 0, spans[Int(waiting[place &- 1])].start == x, spans[Int(waiting[place &- 1])].pen < pen
                            {
                                waiting[place] = waiting[place &- 1]
                                place &-= 1
                            }
                            waiting[place] = Int32(truncatingIfNeeded: count)
                            count &+= 1
                        }
                    }
                }
            }
        }
        waitingCount = count
    }

    /// Paints the spans: from left to right as many as fit behind each other, then back to the left for the rest.
    private mutating func paint(
        origin: Int, palette: borrowing SixelPalette, state: inout SixelPens, into buffer: inout ByteBuffer
    ) {
        let limit = Self.limit(columns: width)
        var isFirst = true
        while waitingCount > 0 {
            buffer.appendUnchecked(limit: limit) { base in
                var out = SixelWriter(base)
                if !isFirst { out.put(0x24) }
                isFirst = false
                var x = origin, kept = 0
                for place in 0..<waitingCount {
                    let index = waiting[place]
                    let span = spans[Int(index)]
                    if Int(span.start) < x {
                        waiting[kept] = index
                        kept += 1
                        continue
                    }
                    state.select(span.pen, palette, &out)
                    out.run(0, Int(span.start) - x)
                    draw(span, &out)
                    x = Int(span.end)
                }
                waitingCount = kept
                return out.count
            }
        }
    }

    /// Draws one span as runs of equal sixels. Each column has rows that it must paint and rows that it may; a run goes on while
    /// one sixel does for all of its columns.
    private mutating func draw(_ span: Span, _ out: inout SixelWriter) {
        let pattern = UInt64(span.pen) &* 0x0101_0101_0101_0101
        pens.withUnsafeBufferPointer { pens in
            open.withUnsafeMutableBufferPointer { open in
                var must: UInt8 = 0, may: UInt8 = 63
                var length = 0
                for x in Int(span.start)..<Int(span.end) {
                    let mask = Self.zeros(pens[x] ^ pattern), left = open[x]
                    let needed = mask & left, allowed = mask | left
                    open[x] = left & ~needed
                    let both = must | needed, common = may & allowed
                    if both & ~common != 0 {
                        out.run(must, length)
                        (must, may, length) = (needed, allowed, 1)
                    } else {
                        (must, may) = (both, common)
                        length &+= 1
                    }
                }
                out.run(must, length)
            }
        }
    }

    /// A bit for each byte that is zero.
    @inline(__always) private static func zeros(_ word: UInt64) -> UInt8 {
        let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        let zero = ~((word & low) &+ low | word | low)
        // Brings the highest bits of all bytes together in the uppermost byte.
        return UInt8(truncatingIfNeeded: ((zero &>> 7) &* 0x0102_0408_1020_4080) &>> 56)
    }
}
