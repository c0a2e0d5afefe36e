import AetherCore

/// Rows of an image at the size that it is displayed in: the nearest pixel, so that rows and columns repeat and cost little.
struct RowScaler: Sendable {
    private var source = PixelSize(width: 0, height: 0), display = PixelSize(width: 0, height: 0)
    private var columns: [Int32] = []
    /// Up to three rows as they are displayed, and the rows of the image that they are.
    private var scaled: [UInt32] = []
    private var held = SIMD3(repeating: -1)

    /// Takes sizes and the columns that are visible of `display`; begins an image.
    mutating func prepare(from source: PixelSize, to display: PixelSize, width: Int) {
        held = SIMD3(repeating: -1)
        if source == self.source, display == self.display, columns.count == width { return }
        (self.source, self.display) = (source, display)
        scaled = [UInt32](repeating: 0, count: 3 * width)
        columns = (0..<width).map { Int32(truncatingIfNeeded: ($0 * 2 + 1) * source.width / (2 * display.width)) }
    }

    /// Lends a row.
    mutating func withRow(_ y: Int, of pixels: UnsafePointer<UInt32>, _ body: (UnsafePointer<UInt32>) -> Void) {
        withRows(y..<y + 1, of: pixels) { body($0[0]) }
    }

    /// Lends one to three rows.
    mutating func withRows(_ rows: Range<Int>, of pixels: UnsafePointer<UInt32>, _ body: (SourceRows) -> Void) {
        var places = SIMD3<Int>()
        for slot in 0..<rows.count {
            places[slot] = min(source.height - 1, ((rows.lowerBound + slot) * 2 + 1) * source.height / (2 * display.height))
        }
        if source.width == display.width { return body(SourceRows(base: pixels, starts: places &* source.width)) }
        let width = columns.count
        for slot in 0..<rows.count where places[slot] != held[slot] {
            held[slot] = places[slot]
            let base = pixels + places[slot] * source.width
            for x in 0..<width { scaled[slot * width + x] = base[Int(columns[x])] }
        }
        scaled.withUnsafeBufferPointer { scaled in
            guard let base = scaled.baseAddress else { return }
            body(SourceRows(base: base, starts: SIMD3(0, width, 2 * width)))
        }
    }
}

/// One to three rows of an image.
struct SourceRows {
    fileprivate let base: UnsafePointer<UInt32>
    fileprivate let starts: SIMD3<Int>

    /// A row.
    @inline(__always) subscript(_ slot: Int) -> UnsafePointer<UInt32> { base + starts[slot] }
}
