/// A subtitle of a DVD as its pixels are stored: values of two bits, to which colours are given by the subtitle itself or, within a button, by
/// that. Pure.
public struct Subpicture: Sendable, Equatable {
    /// Where it lies in the frame.
    public let x, y, width, height: Int
    /// A value from 0 to 3 for each pixel, row by row.
    public let pixels: [UInt8]
    /// Its own colours: places in the palette, and strengths from 0 to 15, by value.
    public let colours, strengths: [Int]
    /// From when to when it is seen, in ticks of 90 kHz behind its time stamp; nil: until another comes.
    public let begin: Int64
    /// The end of that.
    public let end: Int64?
    /// It is seen although subtitles are switched off.
    public let isForced: Bool

    /// A frame has at most so many columns and rows.
    private static let sideLimit = 2048
    /// The lists of commands of one subtitle.
    private static let listLimit = 64

    /// The settings of the lists of commands.
    private struct Orders {
        var colours = [0, 1, 2, 3], strengths = [0, 15, 15, 15]
        var area: (x: ClosedRange<Int>, y: ClosedRange<Int>)?
        var fields: (Int, Int)?
        var begin: Int64?, end: Int64?
        var isForced = false
    }

    /// Reads a whole packet; nil where it shows nothing.
    public init?(_ packet: [UInt8]) {
        guard packet.count > 4, let orders = Self.orders(packet), let area = orders.area, let fields = orders.fields else {
            return nil
        }
        let width = area.x.count, height = area.y.count
        guard width <= Self.sideLimit, height <= Self.sideLimit else { return nil }
        (x, y, self.width, self.height) = (area.x.lowerBound, area.y.lowerBound, width, height)
        (colours, strengths, isForced) = (orders.colours, orders.strengths, orders.isForced)
        begin = orders.begin ?? 0
        end = orders.end.map { max($0, orders.begin ?? 0) }
        var pixels = [UInt8](repeating: 0, count: width * height)
        for (field, offset) in [fields.0, fields.1].enumerated() {
            Self.read(packet, from: offset, into: &pixels, width: width, rows: stride(from: field, to: height, by: 2))
        }
        self.pixels = pixels
    }

    private static func orders(_ packet: [UInt8]) -> Orders? {
        func short(_ place: Int) -> Int? { place + 1 < packet.count ? Int(packet[place]) << 8 | Int(packet[place + 1]) : nil }
        func nibbles(_ place: Int) -> [Int]? {
            short(place).map { number in (0..<4).map { number >> (4 * $0) & 15 } }
        }
        var orders = Orders(), place = short(2) ?? 0
        for _ in 0..<listLimit {
            guard let date = short(place), let next = short(place + 2), place >= 4 else { break }
            let time = Int64(date) * 1024
            var cursor = place + 4
            commands: while cursor < packet.count {
                let code = packet[cursor]
                cursor += 1
                switch code {
                case 0, 1:
                    orders.begin = orders.begin ?? time
                    if code == 0 { orders.isForced = true }
                case 2: orders.end = orders.end ?? time
                case 3, 4:
                    guard let values = nibbles(cursor) else { return nil }
                    if code == 3 { orders.colours = values } else { orders.strengths = values }
                    cursor += 2
                case 5:
                    guard let high = short(cursor), let middle = short(cursor + 2), let low = short(cursor + 4) else {
                        return nil
                    }
                    let left = high >> 4, right = (high & 15) << 8 | middle >> 8
                    let top = (middle & 255) << 4 | low >> 12, bottom = low & 0xFFF
                    guard left <= right, top <= bottom else { return nil }
                    orders.area = orders.area ?? (left...right, top...bottom)
                    cursor += 6
                case 6:
                    guard let first = short(cursor), let second = short(cursor + 2) else { return nil }
                    orders.fields = orders.fields ?? (first, second)
                    cursor += 4
                // Changes of colour within it are left out.
                case 7: cursor += max(2, short(cursor) ?? 2)
                default: break commands
                }
            }
            guard next > place else { break }
            place = next
        }
        return orders
    }

    /// Runs of 4, 8, 12 or 16 bits; a line begins with a whole byte.
    private static func read(
        _ packet: [UInt8], from offset: Int, into pixels: inout [UInt8], width: Int, rows: StrideTo<Int>
    ) {
        var place = offset * 2
        func nibble() -> Int {
            defer { place += 1 }
            guard place >> 1 < packet.count else { return 0 }
            return Int(place & 1 == 0 ? packet[place >> 1] >> 4 : packet[place >> 1] & 15)
        }
        for row in rows {
            guard place >> 1 < packet.count else { return }
            var column = 0
            while column < width {
                var code = nibble()
                for limit in [4, 16, 64] {
                    guard code < limit else { break }
                    code = code << 4 | nibble()
                }
                let count = code < 4 ? width - column : min(code >> 2, width - column)
                if code & 3 != 0 {
                    for index in row * width + column..<row * width + column + count { pixels[index] = UInt8(code & 3) }
                }
                column += count
            }
            place += place & 1
        }
    }
}
