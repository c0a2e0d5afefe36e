/// Two planes of pens: what the terminal shows of an image, and what it is to show.
struct PenPlane: Sendable {
    private(set) var width = 0, height = 0
    /// The registers on screen; `SixelPalette.none` where that is not known.
    private(set) var shown: [UInt8] = []
    /// The registers that are wanted.
    private(set) var wanted: [UInt8] = []
    /// For each row the first and the last column where the two differ; first > last where nothing does.
    private(set) var firstChange: [Int32] = [], lastChange: [Int32] = []
    /// The errors of the row above and of three rows, with one more column on either side; the plane of the row above; and what
    /// three rows aim at.
    private var errors: [SIMD4<Int16>] = [], errorPlane = 0
    private var aims = [SIMD4<Int16>](repeating: SIMD4(), count: 3 * PenRow.room)
    private static let errorPlanes = 4
    private var blank: [UInt8] = []
    /// The factor of the rule in each chunk of columns, found in the first row of a band for all six.
    private var masking: [Float] = []
    /// The largest squared error of a row of this image.
    private(set) var worstRow: Float = 0

    /// Nothing is known of what is shown.
    mutating func forget() { shown.withUnsafeMutableBufferPointer { $0.update(repeating: SixelPalette.none) } }

    /// Takes a size; where it is another one, everything is forgotten.
    mutating func resize(width: Int, height: Int) {
        if width == self.width && height == self.height { return }
        (self.width, self.height) = (width, height)
        shown = [UInt8](repeating: SixelPalette.none, count: width * height)
        wanted = shown
        firstChange = [Int32](repeating: 0, count: height)
        lastChange = firstChange
        errors = [SIMD4<Int16>](repeating: SIMD4(), count: Self.errorPlanes * (width + 2))
        blank = [UInt8](repeating: SixelPalette.none, count: width)
        masking = [Float](repeating: 1, count: (width + PenRow.chunk - 1) / PenRow.chunk)
    }

    /// Forgets what is shown in a rectangle within the plane.
    mutating func forget(columns: Range<Int>, rows: Range<Int>) {
        for y in rows { for x in columns { shown[y * width + x] = SixelPalette.none } }
    }

    /// The number of pixels of each register.
    func usage() -> [Int] {
        var counts = [Int](repeating: 0, count: 256)
        for pen in shown { counts[Int(pen)] += 1 }
        return counts
    }

    /// Forgets what is shown wherever it is one of these pens: they have other colours now.
    mutating func forget(pens: [Int]) {
        var isForgotten = [Bool](repeating: false, count: 256)
        for pen in pens { isForgotten[pen] = true }
        for index in shown.indices where isForgotten[Int(shown[index])] { shown[index] = SixelPalette.none }
    }

    /// The pixels between the first and the last change of each row.
    var reach: Int {
        var count = 0
        for y in 0..<height { count += max(0, Int(lastChange[y] - firstChange[y]) + 1) }
        return count
    }

    /// Whether the rows of a range show what is wanted.
    func isSettled(_ rows: Range<Int>) -> Bool {
        for y in rows where firstChange[y] <= lastChange[y] { return false }
        return true
    }

    /// Chooses the pens of one to three rows of a band. Returns the squared error.
    mutating func choose(
        rows: Range<Int>, sources: SourceRows, rule: PenRule, palette: borrowing SixelPalette, nearest: inout NearestPens
    ) -> Float {
        let y = rows.lowerBound, width = width, first = errorPlane
        errorPlane = (first + rows.count) % Self.errorPlanes
        if y == 0 { errors.withUnsafeMutableBufferPointer { $0.update(repeating: SIMD4()) } }
        var sums = SIMD3<Float>()
        errors.withUnsafeMutableBufferPointer { errors in
            aims.withUnsafeMutableBufferPointer { aims in
                wanted.withUnsafeMutableBufferPointer { wanted in
                    masking.withUnsafeMutableBufferPointer { masking in
                        nearest.withEntries { entries in
                            Self.lend(palette, shown, blank) { shades, points, eighths, shown, blank in
                                guard let wanted = wanted.baseAddress, let errors = errors.baseAddress,
                                    let aims = aims.baseAddress, let masking = masking.baseAddress
                                else { return }
                                let tables = PenTables(
                                    shades: shades, points: points, eighths: eighths, count: palette.count,
                                    nearest: entries, masking: masking)
                                if y % 6 == 0 { tables.mask(rule.masking, source: sources[0], width: width) }
                                func row(_ slot: Int) -> PenRow {
                                    let isTop = (y + slot) % 6 == 0
                                    let start = wanted + (y + slot) * width, plane = (first + slot) % Self.errorPlanes
                                    return PenRow(
                                        width: width, source: sources[slot], above: isTop ? blank : UnsafePointer(start - width),
                                        shown: rule.stay > 0 ? shown + (y + slot) * width : blank, wanted: start,
                                        errorsAbove: errors + plane * (width + 2),
                                        errors: errors + (plane + 1) % Self.errorPlanes * (width + 2),
                                        colours: aims + slot * PenRow.room, rule: rule,
                                        isTop: isTop, left: tables.pen(for: sources[slot][0]))
                                }
                                sums = PenRows.choose(rows.count, tables, row)
                            }
                        }
                    }
                }
            }
        }
        worstRow = max(y == 0 ? 0 : worstRow, sums.max())
        return sums.x + sums.y + sums.z
    }

    /// Lends what a row only reads.
    @inline(__always) private static func lend(
        _ palette: borrowing SixelPalette, _ shown: [UInt8], _ blank: [UInt8],
        _ body: (
            UnsafePointer<SIMD4<Float>>, UnsafePointer<SIMD4<Int16>>, UnsafePointer<SIMD4<Int16>>, UnsafePointer<UInt8>,
            UnsafePointer<UInt8>
        ) -> Void
    ) {
        palette.shades.withUnsafeBufferPointer { shades in
            palette.points.withUnsafeBufferPointer { points in
                palette.eighths.withUnsafeBufferPointer { eighths in
                    shown.withUnsafeBufferPointer { shown in
                        blank.withUnsafeBufferPointer { blank in
                            guard let shades = shades.baseAddress, let points = points.baseAddress,
                                let eighths = eighths.baseAddress, let shown = shown.baseAddress, let blank = blank.baseAddress
                            else { return }
                            body(shades, points, eighths, shown, blank)
                        }
                    }
                }
            }
        }
    }

    /// The squared error of a row as it is wanted.
    func error(row y: Int, source: UnsafePointer<UInt32>, shades: [SIMD4<Float>]) -> Float {
        var total = SIMD4<Float>()
        for x in 0..<width {
            let miss = SixelPalette.colour(source[x]) - shades[Int(wanted[y * width + x])]
            total += miss * miss
        }
        return total.sum()
    }

    /// Wants a pen in a piece of a row.
    mutating func want(_ pen: UInt8, row y: Int, columns: Range<Int>) {
        let start = y * width
        for x in columns { wanted[start + x] = pen }
    }

    /// Wants nothing in a piece of a row.
    mutating func leave(row y: Int, columns: Range<Int>) {
        for x in columns { wanted[y * width + x] = SixelPalette.none }
    }

    /// Wants what is shown in a rectangle.
    mutating func keep(rows: Range<Int>, columns: Range<Int>) {
        for y in rows { for x in columns { wanted[y * width + x] = shown[y * width + x] } }
    }

    /// Finds where the row differs from what is shown.
    mutating func compare(row y: Int) {
        let range = y * width..<(y + 1) * width
        var first = range.lowerBound, last = range.upperBound - 1
        shown.withUnsafeBytes { shown in
            wanted.withUnsafeBytes { wanted in
                while first + 8 <= range.upperBound, word(shown, first) == word(wanted, first) { first += 8 }
                while first < range.upperBound, shown[first] == wanted[first] { first += 1 }
                while last >= first + 8, word(shown, last - 7) == word(wanted, last - 7) { last -= 8 }
                while last >= first, shown[last] == wanted[last] { last -= 1 }
            }
        }
        firstChange[y] = Int32(truncatingIfNeeded: first - range.lowerBound)
        lastChange[y] = Int32(truncatingIfNeeded: last - range.lowerBound)
    }

    @inline(__always) private func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
        bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    }

    /// Whether a piece of a row is to be painted.
    func differs(row y: Int, columns: Range<Int>) -> Bool {
        if firstChange[y] > lastChange[y] { return false }
        for x in columns where shown[y * width + x] != wanted[y * width + x] { return true }
        return false
    }

    /// Says that a piece of a row now shows what was wanted.
    mutating func settle(row y: Int, columns: Range<Int>) {
        let range = y * width + columns.lowerBound..<y * width + columns.upperBound
        shown.withUnsafeMutableBytes { shown in
            wanted.withUnsafeBytes { shown[range].copyBytes(from: $0[range]) }
        }
    }
}
