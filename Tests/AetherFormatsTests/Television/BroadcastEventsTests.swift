import Testing

@testable import AetherFormats

/// Programmes out of a transport stream. The day 0xC079 with 12:45:00 is the standard's own example: 13 October 1993.
@Suite struct BroadcastEventsTests {
    private static func section(_ events: [[UInt8]], service: UInt16 = 28_106, table: UInt8 = 0x4E, isCurrent: Bool = true)
        -> [UInt8]
    {
        let head: [UInt8] = [UInt8(service >> 8), UInt8(service & 255), isCurrent ? 0xC3 : 0xC2, 0, 1, 0, 1, 0, 1, 1, table]
        let body: [UInt8] = head + Array(events.joined())
        let length = body.count + 4
        var section: [UInt8] = [table, 0xF0 | UInt8(length >> 8), UInt8(length & 255)]
        section += body
        let sum = ProgramTables.remainder(section)
        section += [UInt8(sum >> 24), UInt8(sum >> 16 & 255), UInt8(sum >> 8 & 255), UInt8(sum & 255)]
        return section
    }

    private static func event(
        _ number: UInt16, at time: [UInt8] = [0xC0, 0x79, 0x12, 0x45, 0x00], lasting: [UInt8] = [0x01, 0x45, 0x30],
        _ title: [UInt8],
        _ summary: [UInt8] = []
    ) -> [UInt8] {
        let text = Array("eng".utf8) + [UInt8(title.count)] + title + [UInt8(summary.count)] + summary
        let descriptor = [0x4D, UInt8(text.count)] + text
        return [UInt8(number >> 8), UInt8(number & 255)] + time + lasting + [0x80, UInt8(descriptor.count)] + descriptor
    }

    /// A section in packets on the tables' PID, among others.
    private static func packets(_ section: [UInt8]) -> [UInt8] {
        var rest = ([0] + section)[...], result: [UInt8] = [], isFirst = true
        while !rest.isEmpty {
            let part = rest.prefix(184)
            rest = rest.dropFirst(184)
            result += [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0, count: 184)
            result += [0x47, isFirst ? 0x40 : 0, 0x12, 0x10] + part + [UInt8](repeating: 0xFF, count: 184 - part.count)
            isFirst = false
        }
        return result
    }

    private static let noon: Int64 = 750_516_300

    @Test func theProgrammesOfASectionAreKept() {
        var events = BroadcastEvents()
        let isTaken = events.take(section: Self.section([Self.event(7, Array("News".utf8), Array("All of it".utf8))])[...])
        #expect(isTaken)
        #expect(events.services == [28_106])
        #expect(
            events.programmes(of: 28_106) == [
                GuideProgramme(start: Self.noon, stop: Self.noon + 6330, title: "News", summary: "All of it")
            ])
    }

    @Test(arguments: [1, 100, 188, 5000])
    func sectionsAreAssembledFromPackets(_ piece: Int) {
        let long = Self.section(
            (0..<8).map {
                Self.event(
                    $0, at: [0xC0, 0x79, 0x10 + UInt8($0), 0, 0], lasting: [0, 0x30, 0], Array("Programme \($0)".utf8),
                    [UInt8](repeating: 0x61, count: 100))
            })
        var events = BroadcastEvents(), rest = ([1, 2, 3] + Self.packets(long))[...]
        while !rest.isEmpty {
            events.take(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
        }
        #expect(events.programmes(of: 28_106).map(\.title) == (0..<8).map { "Programme \($0)" })
    }

    @Test func aProgrammeThatChangesIsTheSame() {
        var events = BroadcastEvents()
        _ = events.take(section: Self.section([Self.event(7, Array("Old".utf8))])[...])
        let before = events.revision
        _ = events.take(section: Self.section([Self.event(7, Array("Old".utf8))])[...])
        #expect(events.revision == before)
        _ = events.take(section: Self.section([Self.event(7, Array("New".utf8))])[...])
        #expect(events.programmes(of: 28_106).map(\.title) == ["New"] && events.revision == before + 1)
    }

    @Test func damagedAndForeignSectionsAreLeftOut() {
        var events = BroadcastEvents()
        var bad = Self.section([Self.event(7, Array("News".utf8))])
        bad[20] ^= 1
        let others = [
            bad, Self.section([Self.event(7, Array("x".utf8))], table: 0x4F),
            Self.section([Self.event(7, Array("x".utf8))], isCurrent: false),
        ].map { events.take(section: $0[...]) }
        #expect(others == [false, false, false])
        _ = events.take(section: Self.section([Self.event(7, at: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF], Array("x".utf8))])[...])
        #expect(events.services.isEmpty)
    }

    @Test(
        arguments: [
            (Array("Plain".utf8), "Plain"), ([0xC8, 0x61, 0x62], "äb"), ([0xC2, 0x65, 0xE9], "éØ"), ([0xA4, 0x31], "€1"),
            ([0x01, 0xBF, 0xE0, 0xD8], "При"),
            ([0x03, 0xC1, 0xE2], "Αβ"), ([0x05, 0xDD, 0xFE], "İş"), ([0x0B, 0xA4], "€"), ([0x10, 0x00, 0x02, 0xB1, 0xE8], "ąč"),
            ([0x10, 0x00, 0x01, 0xE9], "é"), ([0x11, 0x04, 0x16], "Ж"), ([0x15, 0xC3, 0xA9], "é"),
            ([0x86, 0x41, 0x87, 0x8A, 0x42], "A B"),
            ([0x1F, 0x01, 0x02], ""), ([0x10, 0x00], ""), ([0x11, 0x04], ""), ([], ""),
        ] as [([UInt8], String)])
    func textsAreReadByTheirTables(_ bytes: [UInt8], _ text: String) { #expect(BroadcastText.text(bytes[...]) == text) }
}
