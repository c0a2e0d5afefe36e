/// Filters: Sub where there is something, Up where a row repeats the one above.
extension PNGStream {
    /// A row of opaque pixels as RGB.
    mutating func appendRGB(_ pixels: UnsafePointer<UInt32>, above: UnsafePointer<UInt32>?, width: Int) {
        if let above, PixelRows.isEqual(pixels, above, count: width) {
            appendConstant(filter: 2, count: width * 3)
            return
        }
        PixelRows.pack(pixels, count: width, into: line)
        row[0] = 1
        PixelRows.subtract(line, count: width * 3, step: 3, into: row + 1)
        append(count: 1 + width * 3)
    }

    /// A row of pixels with their alpha.
    mutating func appendRGBA(_ pixels: UnsafePointer<UInt32>, width: Int) {
        row[0] = 1
        pixels.withMemoryRebound(to: UInt8.self, capacity: width * 4) {
            PixelRows.subtract($0, count: width * 4, step: 4, into: row + 1)
        }
        append(count: 1 + width * 4)
    }

    /// A row without any pixel.
    mutating func appendClear(width: Int) { appendConstant(filter: 1, count: width * 4) }

    private mutating func appendConstant(filter: UInt8, count: Int) {
        row[0] = filter
        (row + 1).update(repeating: 0, count: count)
        append(count: 1 + count)
    }
}
