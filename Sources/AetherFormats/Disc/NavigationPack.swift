/// The first sector of a unit of video, which tells its times and how long it is. Pure.
public struct NavigationPack: Sendable, Equatable {
    /// The time of the first frame of the unit and the end of its last one, in ticks of 90 kHz by the clock of its video object.
    public let start, end: Int64
    /// The video object that it is of, and the cell in that.
    public let object, cell: Int

    /// Reads a sector; nil where it is none.
    public init?(_ sector: some Collection<UInt8>) {
        let bytes = Array(sector.prefix(DiscSector.size))
        guard bytes.count == DiscSector.size, bytes.starts(with: [0, 0, 1, 0xBA]), bytes[0x26..<0x2A] == [0, 0, 1, 0xBF],
            bytes[0x2C] == 0, bytes[0x400..<0x404] == [0, 0, 1, 0xBF], bytes[0x406] == 1
        else { return nil }
        func number(_ place: Int, _ count: Int) -> Int64 { bytes[place..<place + count].reduce(0) { $0 << 8 | Int64($1) } }
        let start = number(0x39, 4), end = number(0x3D, 4)
        self.start = start
        // The clock is of 32 bits here.
        self.end = end < start ? end + 1 << 32 : end
        (object, cell) = (Int(number(0x41F, 2)), Int(bytes[0x422]))
    }

    /// Whether a sector of a program stream holds something that is scrambled: two bits behind the head of what is packed in it.
    public static func isScrambled(_ sector: some Collection<UInt8>) -> Bool {
        let bytes = Array(sector.prefix(24))
        guard bytes.count == 24, bytes.starts(with: [0, 0, 1, 0xBA]), bytes[13] & 7 == 0, bytes[14..<17] == [0, 0, 1] else {
            return false
        }
        let hasFlags = bytes[17] == 0xBD || 0xC0...0xEF ~= bytes[17]
        return hasFlags && bytes[20] & 0xC0 == 0x80 && bytes[20] & 0x30 != 0
    }
}
