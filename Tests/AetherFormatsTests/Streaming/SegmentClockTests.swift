import AetherFormats
import Testing

@Suite struct SegmentClockTests {
    private func box(_ kind: String, _ body: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(body.count + 8)] + Array(kind.utf8) + body }

    private func fragment(_ time: [UInt8], track: UInt8 = 1) -> [UInt8] {
        let header = box("tfhd", [0, 2, 0, 0, 0, 0, 0, track])
        return box("moof", box("mfhd", [0, 0, 0, 0, 0, 0, 0, 7]) + box("traf", header + box("tfdt", time)))
    }

    @Test func theFirstFragmentSaysItsTime() throws {
        let short = fragment([0, 0, 0, 0, 0, 0, 1, 0]), long = fragment([1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
        #expect(SegmentClock(short[...])?.ticks == 256)
        let styled = box("styp", [1, 2, 3, 4]) + long + box("mdat", [9])
        let clock = try #require(SegmentClock(styled[...]))
        #expect(clock.ticks == 1 << 32 && clock.track == 1)
        // The data may be cut off, the time may not.
        #expect(SegmentClock((long + [0, 0, 255, 0] + Array("mdat".utf8))[...]) == clock)
        for count in long.indices { #expect(SegmentClock(long.prefix(count)) == nil) }
    }

    @Test(arguments: [[], [1], [0, 0, 0, 0, 0], [1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255]] as [[UInt8]])
    func timesThatAreNone(_ time: [UInt8]) { #expect(SegmentClock(fragment(time)[...]) == nil) }

    /// The init section says how long a tick is; of another track, and without one, nothing is known.
    @Test func theSecondsBetweenFragments() throws {
        let clocks = try [0, 1].map { turn in
            try #require(SegmentClock(fragment([0, 0, 0, 0, 0, UInt8(turn * 3), 0, 0])[...]))
        }
        func header(_ media: [UInt8], track: UInt8 = 1) -> [UInt8] {
            let head = box("tkhd", [0, 0, 0, 7] + [UInt8](repeating: 0, count: 8) + [0, 0, 0, track])
            return box("moov", box("trak", head + box("mdia", box("mdhd", media))))
        }
        let short = header([0, 0, 0, 0] + [UInt8](repeating: 0, count: 8) + [0, 0, 128, 0])
        let long = header([1, 0, 0, 0] + [UInt8](repeating: 0, count: 16) + [0, 0, 64, 0])
        #expect(clocks[0].seconds(to: clocks[1], header: short[...]) == 6)
        #expect(clocks[0].seconds(to: clocks[1], header: long[...]) == 12)
        #expect(clocks[1].seconds(to: clocks[0], header: short[...]) == nil)
        #expect(clocks[0].seconds(to: clocks[1], header: header([0, 0, 0, 0], track: 1)[...]) == nil)
        #expect(clocks[0].seconds(to: clocks[1], header: header([UInt8](repeating: 0, count: 16))[...]) == nil)
        let other = header([0, 0, 0, 0] + [UInt8](repeating: 0, count: 8) + [0, 0, 128, 0], track: 2)
        #expect(clocks[0].seconds(to: clocks[1], header: other[...]) == nil)
    }

    @Test func aClockThatBeginsAnewIsSeen() throws {
        let clocks = try [9, 8].map { ticks in
            try #require(SegmentClock(fragment([0, 0, 0, 0, 0, 0, 0, ticks])[...]))
        }
        #expect(clocks[0].isRestarted(by: clocks[1]) && !clocks[1].isRestarted(by: clocks[0]))
        #expect(clocks[0].isRestarted(by: clocks[0]), "another segment does not begin at the same time")
        let other = try #require(SegmentClock(fragment([0, 0, 0, 0, 0, 0, 0, 1], track: 2)[...]))
        #expect(!clocks[0].isRestarted(by: other))
    }

    // MARK: - MPEG-TS

    /// A packet that begins a unit, with a time for showing and one for decoding, where that is another one.
    private func packet(_ pid: Int, _ shown: Int, _ decoded: Int? = nil, id: UInt8 = 0xE0, stuffing: Int = 0) -> [UInt8] {
        func stamp(_ mark: Int, _ ticks: Int) -> [UInt8] {
            let parts = [
                mark << 4 | ticks >> 29 & 0xE | 1, ticks >> 22 & 0xFF, ticks >> 14 & 0xFE | 1, ticks >> 7 & 0xFF,
                ticks << 1 & 0xFE | 1,
            ]
            return parts.map { UInt8($0) }
        }
        let times = decoded.map { stamp(3, shown) + stamp(1, $0) } ?? stamp(2, shown)
        let unit = [0, 0, 1, id, 0, 0, 0x80, decoded == nil ? 0x80 : 0xC0, UInt8(times.count)] + times
        let filling = stuffing == 0 ? [] : [UInt8(stuffing - 1)] + [UInt8](repeating: 0, count: stuffing - 1)
        let bytes = [0x47, UInt8(0x40 | pid >> 8), UInt8(pid & 255), stuffing == 0 ? 0x10 : 0x30] + filling + unit
        return bytes + [UInt8](repeating: 0xFF, count: 188 - bytes.count)
    }

    @Test func theFirstPacketsOfATransportStreamSayTheirTime() throws {
        let table: [UInt8] = [0x47, 0x40, 0, 0x10, 0] + [UInt8](repeating: 0xFF, count: 183)
        let large = (1 << 33) - 2
        for (shown, decoded) in [(0, nil), (large, nil), (3600, 0), (large, large - 3600)] as [(Int, Int?)] {
            for stuffing in [0, 1, 20] {
                let clock = try #require(SegmentClock((table + packet(0x100, shown, decoded, stuffing: stuffing))[...]))
                #expect(clock.ticks == decoded ?? shown && clock.track == 0x100 && clock.isTransportStream)
            }
        }
        // Whichever comes first, the lower PID counts.
        let video = packet(0x100, 1000), audio = packet(0x101, 2000, id: 0xC0)
        #expect(SegmentClock((table + audio + video)[...]) == SegmentClock((table + video + audio)[...]))
        // Tables, other streams, packets that are cut off or damaged.
        #expect(SegmentClock(table[...]) == nil && SegmentClock(packet(0x100, 9, id: 0xBF)[...]) == nil)
        #expect(SegmentClock(video.prefix(187)) == nil && SegmentClock(packet(0x100, 9, stuffing: 170)[...]) == nil)
        var hidden = video
        hidden[3] |= 0xC0
        #expect(SegmentClock(hidden[...]) == nil)
        for place in video.indices.dropFirst() {
            var broken = video
            broken[place] = 0xFF
            _ = SegmentClock(broken[...])
        }
    }

    @Test func aTransportStreamsClockGoesRound() throws {
        func clock(_ ticks: Int) throws -> SegmentClock { try #require(SegmentClock(packet(0x100, ticks)[...])) }
        let last = try clock((1 << 33) - 90_000), first = try clock(90_000)
        #expect(!last.isRestarted(by: first) && last.seconds(to: first, header: []) == 2)
        #expect(first.isRestarted(by: last) && first.seconds(to: last, header: []) == nil)
    }
}
