import AetherCore

/// Rows of an image at the size that it is displayed in: the nearest pixel, so that rows and columns repeat and cost little.
struct RowScaler: Sendable {
    private var source = PixelSize(width: 0, height: 0), display = PixelSize(width: 0, height: 0)
    private var columns: [Int32] = []
    private var row: [UInt32] = []
    private var held = -1

    /// Takes sizes and the columns that are visible of `display`; begins an image.
    mutating func prepare(from source: PixelSize, to display: PixelSize, width: Int) {
        held = -1
        if source == self.source, display == self.display, row.count == width { return }
        (self.source, self.display) = (source, display)
        row = [UInt32](repeating: 0, count: width)
        columns = (0..<width).map { Int32(truncatingIfNeeded: ($0 * 2 + 1) * source.width / (2 * display.width)) }
    }

    /// Lends a row.
    mutating func withRow(_ y: Int, of pixels: UnsafePointer<UInt32>, _ body: (UnsafePointer<UInt32>) -> Void) {
        let from = min(source.height - 1, (y * 2 + 1) * source.height / (2 * display.height))
        if source.width == display.width { return body(pixels + from * source.width) }
        if from != held {
            held = from
            let base = pixels + from * source.width
            for x in row.indices { row[x] = base[Int(columns[x])] }
        }
        row.withUnsafeBufferPointer { row in
            guard let base = row.baseAddress else { return }
            body(base)
        }
    }
}
