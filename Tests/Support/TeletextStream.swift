import Foundation

/// Puts a page of DVB teletext into a transport stream that ffmpeg has made of one picture stream: ffmpeg has no encoder for it.
public enum TeletextStream {
    /// The contents of page 888 from a time on: nothing, or rows of text. The first bytes of a row may be control codes for colours.
    public struct Page {
        /// The time from which the page is sent.
        public let seconds: Double
        /// Rows by their numbers, 1 … 24.
        public let rows: [(number: Int, bytes: [UInt8])]

        /// A page.
        public init(at seconds: Double, _ rows: [(number: Int, colour: UInt8, text: String)] = []) {
            self.seconds = seconds
            // Double height, the colour, the box in which subtitles stand, and its end.
            self.rows = rows.map { ($0.number, [0x0D, $0.colour, 0x0B, 0x0B] + Array($0.text.utf8) + [0x0A, 0x0A]) }
        }
    }

    private static let pid = 0x110
    private static let packetSize = 188

    /// The stream with the pages; `film` begins at 1.4 s, as ffmpeg's do, and has its table of programmes in 0x1000, its pictures in 0x100.
    public static func insert(_ pages: [Page], into film: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [], waiting = pages[...], counter = 0
        for start in stride(from: 0, to: film.count - packetSize + 1, by: packetSize) {
            let packet = film[start..<start + packetSize]
            let pid = Int(film[start + 1] & 31) << 8 | Int(film[start + 2])
            if pid == 0x1000 {
                result += section(table, pid: pid, counter: film[start + 3] & 15)
                continue
            }
            if pid == 0x100, film[start + 1] & 0x40 != 0 {
                let header = start + 4 + (film[start + 3] & 0x20 != 0 ? 1 + Int(film[start + 4]) : 0)
                let now = stamp(film[(header + 9)...].prefix(5).map(Int64.init))
                while let page = waiting.first, 126_000 + Int64(page.seconds * 90_000) <= now {
                    let pts = 126_000 + Int64(page.seconds * 90_000)
                    let rows = page.rows.map { row($0.number, $0.bytes) }
                    // The page is complete when another one begins.
                    result += packets(pes([Self.header(page: 0x88)] + rows, pts: pts), &counter)
                    result += packets(pes([Self.header(page: 0xFF)], pts: pts + 1800), &counter)
                    waiting.removeFirst()
                }
            }
            result += packet
        }
        return result
    }

    private static func stamp(_ b: [Int64]) -> Int64 {
        (b[0] >> 1 & 7) << 30 | b[1] << 22 | (b[2] >> 1) << 15 | b[3] << 7 | b[4] >> 1
    }

    // MARK: - Teletext

    private static func hamming(_ value: Int) -> UInt8 {
        let d = (0..<4).map { UInt8(value >> $0 & 1) }
        let (p1, p2, p3) = (1 ^ d[0] ^ d[2] ^ d[3], 1 ^ d[0] ^ d[1] ^ d[3], 1 ^ d[0] ^ d[1] ^ d[2])
        let p4 = 1 ^ p1 ^ p2 ^ p3 ^ d[0] ^ d[1] ^ d[2] ^ d[3]
        return [p1, d[0], p2, d[1], p3, d[2], p4, d[3]].enumerated().reduce(0) { $0 | $1.element << UInt8($1.offset) }
    }

    private static func parity(_ value: UInt8) -> UInt8 { value | (value.nonzeroBitCount % 2 == 0 ? 0x80 : 0) }

    private static func address(_ row: Int) -> [UInt8] {
        let value = row << 3
        return [hamming(value & 15), hamming(value >> 4)]
    }

    /// The first row, which says the page and that it takes the place of the former one, that it is subtitles, and itself not
    /// shown.
    private static func header(page: Int) -> [UInt8] {
        let control = [page & 15, page >> 4, 0, 8, 0, 8, 1, 0].map(hamming)
        return address(0) + control + [UInt8](repeating: parity(32), count: 32)
    }

    private static func row(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
        address(number) + (bytes + [UInt8](repeating: 32, count: 40)).prefix(40).map(parity)
    }

    // MARK: - Packets

    private static func pes(_ rows: [[UInt8]], pts: Int64) -> [UInt8] {
        var data: [UInt8] = [0x10]
        for (index, row) in rows.enumerated() {
            data += [0x03, 0x2C, 0xE0 | UInt8(7 + index), 0xE4] + row.map { reversed($0) }
        }
        while (45 + data.count) % 184 != 0 { data += [0xFF, 0x2C] + [UInt8](repeating: 0xFF, count: 44) }
        let time: [UInt8] = [
            0x21 | UInt8(pts >> 29 & 14), UInt8(pts >> 22 & 255), UInt8(pts >> 14 & 254) | 1, UInt8(pts >> 7 & 255),
            UInt8(pts << 1 & 254) | 1,
        ]
        let head = [0x84, 0x80, 0x24] + time + [UInt8](repeating: 0xFF, count: 31)
        let length = head.count + data.count
        return [0, 0, 1, 0xBD, UInt8(length >> 8), UInt8(length & 255)] + head + data
    }

    private static func reversed(_ value: UInt8) -> UInt8 { (0..<8).reduce(0) { $0 | (value >> UInt8($1) & 1) << UInt8(7 - $1) } }

    private static func packets(_ bytes: [UInt8], _ counter: inout Int) -> [UInt8] {
        var result: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 184) {
            result += [0x47, (start == 0 ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 255), 0x10 | UInt8(counter & 15)]
            result += bytes[start..<start + 184]
            counter += 1
        }
        return result
    }

    /// H.264 in 0x100, and teletext subtitles in English on page 888.
    private static let table: [UInt8] = {
        let body: [UInt8] =
            [0, 1, 0xC1, 0, 0, 0xE1, 0, 0xF0, 0, 0x1B, 0xE1, 0, 0xF0, 0, 6, 0xE1, 0x10, 0xF0, 7, 0x56, 5] + Array("eng".utf8)
            + [0x10, 0x88]
        return [2, 0xB0, UInt8(body.count + 4)] + body
    }()

    private static func section(_ bytes: [UInt8], pid: Int, counter: UInt8) -> [UInt8] {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            sum ^= UInt32(byte) << 24
            for _ in 0..<8 { sum = sum << 1 ^ (sum >> 31 == 1 ? 0x04C1_1DB7 : 0) }
        }
        let whole = [0] + bytes + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * UInt32($0))) }
        return [0x47, 0x40 | UInt8(pid >> 8), UInt8(pid & 255), 0x10 | counter] + whole
            + [UInt8](repeating: 0xFF, count: 184 - whole.count)
    }
}
