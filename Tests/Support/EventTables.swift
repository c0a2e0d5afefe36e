/// Tables of programmes of a transport stream (ETSI EN 300 468, 5.2.4), for tests.
public enum EventTables {
    /// A section of events. `number` 0 of table 0x4E is the present programme, 1 the next one.
    public static func section(
        _ events: [[UInt8]], service: UInt16 = 28_106, table: UInt8 = 0x4E, number: UInt8 = 0, isCurrent: Bool = true
    ) -> [UInt8] {
        let head: [UInt8] = [UInt8(service >> 8), UInt8(service & 255), isCurrent ? 0xC3 : 0xC2, number, 1, 0, 1, 0, 1, 1, table]
        let body: [UInt8] = head + Array(events.joined())
        let length = body.count + 4
        let section = [table, 0xF0 | UInt8(length >> 8), UInt8(length & 255)] + body
        let sum = checksum(section)
        return section + [UInt8(sum >> 24), UInt8(sum >> 16 & 255), UInt8(sum >> 8 & 255), UInt8(sum & 255)]
    }

    /// An event. `time` is a day (modified Julian) and a time in decimal digits; `lasting` has hours, minutes and seconds.
    public static func event(
        _ number: UInt16, at time: [UInt8] = [0xC0, 0x79, 0x12, 0x45, 0x00], lasting: [UInt8] = [0x01, 0x45, 0x30],
        _ title: [UInt8], _ summary: [UInt8] = []
    ) -> [UInt8] {
        let text = Array("eng".utf8) + [UInt8(title.count)] + title + [UInt8(summary.count)] + summary
        let descriptor = [0x4D, UInt8(text.count)] + text
        return [UInt8(number >> 8), UInt8(number & 255)] + time + lasting + [0x80, UInt8(descriptor.count)] + descriptor
    }

    /// A section in packets on the tables' PID, each behind an empty one. `counter` goes on from packet to packet.
    public static func packets(_ section: [UInt8], counter: inout UInt8) -> [UInt8] {
        var rest = ([0] + section)[...], result: [UInt8] = [], isFirst = true
        while !rest.isEmpty {
            let part = rest.prefix(184)
            rest = rest.dropFirst(184)
            result += [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0, count: 184)
            result += [0x47, isFirst ? 0x40 : 0, 0x12, 0x10 | counter] + part + [UInt8](repeating: 0xFF, count: 184 - part.count)
            (isFirst, counter) = (false, (counter + 1) & 15)
        }
        return result
    }

    /// CRC 32 of MPEG-2 (ISO/IEC 13818-1, annex A).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(0xFFFF_FFFF as UInt32) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
        }
    }
}
