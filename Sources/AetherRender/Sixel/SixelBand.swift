/// Writes bands of six rows: which pen paints which columns, in as few bytes as it can.
///
/// Later sixels paint over earlier ones, so a pen may paint every pixel that a later pen of the band paints again: a pattern of
/// two pens is one long run of the first, with the second drawn on it. That halves the bytes of dithered images. Owns its
/// scratch memory; allocates only when the width grows.
struct SixelBand: Sendable {
    /// A stretch of columns that one pen paints in one go.
    private struct Span: Sendable {
        var start: Int32, end: Int32
        var pen: UInt8
        var next: Int32
    }

    /// For each pen a byte a column: the rows where it is wanted.
    private var masks: [UInt8] = []
    /// For each column the rows still to be painted.
    private var open: [UInt8] = []
    private var spans: [Span] = []
    private var heads: [Int32] = []
    private var waiting: [Int32] = []
    /// First and last column of each pen.
    private var first = [Int32](repeating: .max, count: 256), last = [Int32](repeating: -1, count: 256)
    private var width = 0
    /// Columns without a pen that end its span; a gap costs at most four bytes, a new span at least that.
    private static let gap = 12

    /// Takes a width in pixels.
    mutating func resize(width: Int) {
        if width == self.width { return }
        self.width = width
        // Eight columns more, so that words may be read across the end.
        masks = [UInt8](repeating: 0, count: 256 * (width + 8))
        open = [UInt8](repeating: 0, count: width + 8)
        heads = [Int32](repeating: -1, count: width + 1)
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

    /// Fills the masks of the pens, also where they are shown already: there they may paint again.
    private mutating func fill(_ plane: borrowing PenPlane, top: Int, rows: Range<Int>, columns: Range<Int>) {
        let pitch = width + 8
        for row in max(rows.lowerBound, top)..<min(rows.upperBound, top + 6) {
            let bit = UInt8(1) << UInt8(truncatingIfNeeded: row - top)
            let start = row * plane.width
            plane.wanted.withUnsafeBufferPointer { wanted in
                masks.withUnsafeMutableBufferPointer { masks in
                    first.withUnsafeMutableBufferPointer { first in
                        last.withUnsafeMutableBufferPointer { last in
                            var x = columns.lowerBound
                            while x < columns.upperBound {
                                let pen = Int(wanted[start &+ x]), base = pen &* pitch
                                first[pen] = min(first[pen], Int32(truncatingIfNeeded: x))
                                repeat {
                                    masks[base &+ x] |= bit
                                    x &+= 1
                                } while x < columns.upperBound && Int(wanted[start &+ x]) == pen
                                last[pen] = max(last[pen], Int32(truncatingIfNeeded: x &- 1))
                            }
                        }
                    }
                }
            }
        }
    }

    /// Makes spans of the columns where pens are to paint, sorted by where they start.
    private mutating func collect(_ columns: Range<Int>) {
        spans.removeAll(keepingCapacity: true)
        heads.withUnsafeMutableBufferPointer { $0.update(repeating: -1) }
        let pitch = width + 8
        for pen in 0..<255 where last[pen] >= 0 {
            let base = pen * pitch
            var x = Int(first[pen]), start = -1, end = -1
            let stop = Int(last[pen]) + 1
            while x < stop {
                // Most pens are rare: 32 columns at once, and then eight.
                if x + 32 <= stop, isClear(base + x, x) {
                    x += 32
                    continue
                }
                if x + 8 <= stop, word(masks, base + x) & word(open, x) == 0 {
                    x += 8
                    continue
                }
                if masks[base + x] & open[x] != 0 {
                    if start >= 0, x - end > Self.gap {
                        append(pen, start, end)
                        start = -1
                    }
                    if start < 0 { start = x }
                    end = x + 1
                }
                x += 1
            }
            if start >= 0 { append(pen, start, end) }
        }
        waiting.removeAll(keepingCapacity: true)
        for x in columns {
            var index = heads[x]
            while index >= 0 {
                waiting.append(index)
                index = spans[Int(index)].next
            }
        }
    }

    /// Whether a pen has nothing to paint in 32 columns.
    @inline(__always) private func isClear(_ mask: Int, _ column: Int) -> Bool {
        masks.withUnsafeBytes { masks in
            open.withUnsafeBytes { open in
                let both =
                    masks.loadUnaligned(fromByteOffset: mask, as: SIMD4<UInt64>.self)
                    & open.loadUnaligned(fromByteOffset: column, as: SIMD4<UInt64>.self)
                return both.x | both.y | both.z | both.w == 0
            }
        }
    }

    /// Eight columns at once.
    @inline(__always) private func word(_ bytes: [UInt8], _ index: Int) -> UInt64 {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index, as: UInt64.self) }
    }

    private mutating func append(_ pen: Int, _ start: Int, _ end: Int) {
        spans.append(
            Span(
                start: Int32(truncatingIfNeeded: start), end: Int32(truncatingIfNeeded: end), pen: UInt8(truncatingIfNeeded: pen),
                next: heads[start]))
        heads[start] = Int32(truncatingIfNeeded: spans.count - 1)
    }

    /// Paints the spans: from left to right as many as fit behind each other, then back to the left for the rest.
    private mutating func paint(
        origin: Int, palette: borrowing SixelPalette, state: inout SixelPens, into buffer: inout ByteBuffer
    ) {
        let limit = Self.limit(columns: width)
        var isFirst = true
        while !waiting.isEmpty {
            buffer.appendUnchecked(limit: limit) { base in
                var out = SixelWriter(base)
                if !isFirst { out.put(0x24) }
                isFirst = false
                var x = origin, kept = 0
                for place in waiting.indices {
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
                waiting.removeLast(waiting.count - kept)
                return out.count
            }
        }
        let pitch = width + 8
        for pen in 0..<256 where last[pen] >= 0 {
            let range = pen * pitch + Int(first[pen])...pen * pitch + Int(last[pen])
            masks.withUnsafeMutableBufferPointer { masks in for index in range { masks[index] = 0 } }
            (first[pen], last[pen]) = (.max, -1)
        }
    }

    /// Draws one span as runs of equal sixels. Each column has rows that it must paint and rows that it may; a run goes on while
    /// one sixel does for all of its columns.
    private mutating func draw(_ span: Span, _ out: inout SixelWriter) {
        let base = Int(span.pen) * (width + 8)
        masks.withUnsafeBufferPointer { masks in
            open.withUnsafeMutableBufferPointer { open in
                var must: UInt8 = 0, may: UInt8 = 63
                var length = 0
                for x in Int(span.start)..<Int(span.end) {
                    let mask = masks[base &+ x], left = open[x]
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
}
