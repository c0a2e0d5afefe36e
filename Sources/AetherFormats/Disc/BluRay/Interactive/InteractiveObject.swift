/// A bitmap of a Blu-ray disc's menu: places in the palette of its page. Pure.
public struct InteractiveObject: Sendable, Equatable {
    /// Pixels.
    public let width, height: Int
    /// Row by row.
    public let pixels: [UInt8]
    /// The place in all palettes where nothing is seen.
    public static let clear: UInt8 = 0xFF

    /// A bitmap. Traps where the pixels are not width × height.
    public init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(width >= 0 && height >= 0 && pixels.count == width * height, "pixel count does not match the size")
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// Reads a size and the runs behind it; nil where it is larger than the limits say. Rows that are missing are clear.
    init?(_ bytes: ArraySlice<UInt8>, width widthLimit: Int, height heightLimit: Int, count: Int) {
        guard bytes.count >= 4 else { return nil }
        func short(_ place: Int) -> Int { Int(bytes[bytes.startIndex + place]) << 8 | Int(bytes[bytes.startIndex + place + 1]) }
        (width, height) = (short(0), short(2))
        guard 1...widthLimit ~= width, 1...heightLimit ~= height, width * height <= count else { return nil }
        pixels = Self.pixels(bytes.dropFirst(4), width: width, height: height)
    }

    /// A byte is a pixel, or a zero and one to three bytes of a run; a run of none ends the row.
    private static func pixels(_ bytes: ArraySlice<UInt8>, width: Int, height: Int) -> [UInt8] {
        var pixels = [UInt8](repeating: clear, count: width * height)
        var place = bytes.startIndex, row = 0, column = 0
        func next() -> Int? {
            guard place < bytes.endIndex else { return nil }
            defer { place += 1 }
            return Int(bytes[place])
        }
        while row < height, let value = next() {
            var count = 1, colour = value
            if value == 0 {
                guard let head = next() else { break }
                count = head & 0x3F
                if head & 0x40 != 0 {
                    guard let low = next() else { break }
                    count = count << 8 | low
                }
                if head & 0x80 != 0 {
                    guard let own = next() else { break }
                    colour = own
                }
                if count == 0 {
                    (row, column) = (row + 1, 0)
                    continue
                }
            }
            let end = min(width, column + count)
            for index in column..<max(column, end) { pixels[row * width + index] = UInt8(colour) }
            column = end
        }
        return pixels
    }
}

/// The colours of a page of a Blu-ray disc's menu. Pure.
public struct InteractivePalette: Sendable, Equatable {
    /// Y, Cr, Cb and the strength, by the place.
    private var entries = [UInt32](repeating: 0, count: 256)

    /// A palette in which nothing is seen.
    public init() {}

    /// Takes entries: a place, Y, Cr, Cb, and the strength.
    mutating func take(_ bytes: ArraySlice<UInt8>) {
        var place = bytes.startIndex
        while place + 5 <= bytes.endIndex {
            let number = bytes[place + 1..<place + 5].reduce(0) { $0 << 8 | UInt32($1) }
            entries[Int(bytes[place])] = number
            place += 5
        }
    }

    /// The colours as 0xAARRGGBB, not multiplied, by the matrix of a video of so many rows: those of HD have another. The last one is clear.
    public func colours(height: Int) -> [UInt32] {
        // ITU-R BT.709 and BT.601 in their narrow range.
        let isHigh = height > 576
        let (red, greenRed, greenBlue, blue) =
            isHigh ? (1.792741, 0.532909, 0.213249, 2.112402) : (1.596027, 0.812968, 0.391762, 2.017232)
        return entries.enumerated().map { place, entry in
            guard place != Int(InteractiveObject.clear), entry & 0xFF != 0 else { return 0 }
            let y = 1.164383 * (Double(entry >> 24) - 16), cr = Double(entry >> 16 & 0xFF) - 128
            let cb = Double(entry >> 8 & 0xFF) - 128
            func level(_ value: Double) -> UInt32 { UInt32(min(max(value.rounded(), 0), 255)) }
            return (entry & 0xFF) << 24 | level(y + red * cr) << 16 | level(y - greenRed * cr - greenBlue * cb) << 8
                | level(y + blue * cb)
        }
    }
}
