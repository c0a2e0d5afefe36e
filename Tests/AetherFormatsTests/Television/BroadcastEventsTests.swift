import AetherTestSupport
import Testing

@testable import AetherFormats

/// Programmes out of a transport stream. The day 0xC079 with 12:45:00 is the standard's own example: 13 October 1993.
@Suite struct BroadcastEventsTests {
    private static let noon: Int64 = 750_516_300

    @Test func theProgrammesOfASectionAreKept() {
        var events = BroadcastEvents()
        let isTaken = events.take(
            section: EventTables.section([EventTables.event(7, Array("News".utf8), Array("All of it".utf8))])[...])
        #expect(isTaken)
        #expect(events.services == [28_106])
        #expect(
            events.programmes(of: 28_106) == [
                GuideProgramme(start: Self.noon, stop: Self.noon + 6330, title: "News", summary: "All of it")
            ])
    }

    @Test(arguments: [1, 100, 188, 5000])
    func sectionsAreAssembledFromPackets(_ piece: Int) {
        let long = EventTables.section(
            (0..<8).map {
                EventTables.event(
                    $0, at: [0xC0, 0x79, 0x10 + UInt8($0), 0, 0], lasting: [0, 0x30, 0], Array("Programme \($0)".utf8),
                    [UInt8](repeating: 0x61, count: 100))
            })
        var events = BroadcastEvents(), counter: UInt8 = 0,
            rest = ([1, 2, 3] + EventTables.packets(long, counter: &counter))[...]
        while !rest.isEmpty {
            events.take(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
        }
        #expect(events.programmes(of: 28_106).map(\.title) == (0..<8).map { "Programme \($0)" })
    }

    @Test func theBroadcasterSaysWhatIsOnAndWhatComesNext() {
        var events = BroadcastEvents()
        func take(_ number: UInt8, _ list: [[UInt8]]) { _ = events.take(section: EventTables.section(list, number: number)[...]) }
        #expect(events.nowNext(of: 28_106) == NowNext(at: 0))
        take(0, [EventTables.event(7, Array("News".utf8))])
        take(1, [EventTables.event(8, at: [0xC0, 0x79, 0x14, 0x30, 0x30], Array("Film".utf8))])
        #expect(events.nowNext(of: 28_106).now?.title == "News" && events.nowNext(of: 28_106).next?.title == "Film")
        // The next one begins, and nothing follows it.
        let before = events.revision
        take(0, [EventTables.event(8, at: [0xC0, 0x79, 0x14, 0x30, 0x30], Array("Film".utf8))])
        take(1, [])
        #expect(events.nowNext(of: 28_106).now?.title == "Film" && events.nowNext(of: 28_106).next == nil)
        #expect(events.revision == before + 2 && events.nowNext(of: 1) == NowNext(at: 0))
        take(1, [])
        #expect(events.revision == before + 2)
    }

    @Test func aProgrammeThatChangesIsTheSame() {
        var events = BroadcastEvents()
        _ = events.take(section: EventTables.section([EventTables.event(7, Array("Old".utf8))])[...])
        let before = events.revision
        _ = events.take(section: EventTables.section([EventTables.event(7, Array("Old".utf8))])[...])
        #expect(events.revision == before)
        _ = events.take(section: EventTables.section([EventTables.event(7, Array("New".utf8))])[...])
        #expect(events.programmes(of: 28_106).map(\.title) == ["New"] && events.revision == before + 1)
    }

    @Test func damagedAndForeignSectionsAreLeftOut() {
        var events = BroadcastEvents()
        var bad = EventTables.section([EventTables.event(7, Array("News".utf8))])
        bad[20] ^= 1
        let others = [
            bad, EventTables.section([EventTables.event(7, Array("x".utf8))], table: 0x4F),
            EventTables.section([EventTables.event(7, Array("x".utf8))], isCurrent: false),
        ].map { events.take(section: $0[...]) }
        #expect(others == [false, false, false])
        _ = events.take(
            section: EventTables.section([EventTables.event(7, at: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF], Array("x".utf8))])[...])
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
