import AetherFormats
import Testing

@Suite struct FragmentClockTests {
    private func box(_ kind: String, _ body: [UInt8]) -> [UInt8] { [0, 0, 0, UInt8(body.count + 8)] + Array(kind.utf8) + body }

    private func fragment(_ time: [UInt8], track: UInt8 = 1) -> [UInt8] {
        let header = box("tfhd", [0, 2, 0, 0, 0, 0, 0, track])
        return box("moof", box("mfhd", [0, 0, 0, 0, 0, 0, 0, 7]) + box("traf", header + box("tfdt", time)))
    }

    @Test func theFirstFragmentSaysItsTime() throws {
        let short = fragment([0, 0, 0, 0, 0, 0, 1, 0]), long = fragment([1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
        #expect(FragmentClock(short[...])?.ticks == 256)
        let styled = box("styp", [1, 2, 3, 4]) + long + box("mdat", [9])
        let clock = try #require(FragmentClock(styled[...]))
        #expect(clock.ticks == 1 << 32 && clock.track == 1)
        // The data may be cut off, the time may not.
        #expect(FragmentClock((long + [0, 0, 255, 0] + Array("mdat".utf8))[...]) == clock)
        for count in long.indices { #expect(FragmentClock(long.prefix(count)) == nil) }
    }

    @Test(arguments: [[], [1], [0, 0, 0, 0, 0], [1, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255]] as [[UInt8]])
    func timesThatAreNone(_ time: [UInt8]) { #expect(FragmentClock(fragment(time)[...]) == nil) }

    @Test func aClockThatBeginsAnewIsSeen() throws {
        let clocks = try [9, 8].map { ticks in
            try #require(FragmentClock(fragment([0, 0, 0, 0, 0, 0, 0, ticks])[...]))
        }
        #expect(clocks[0].isAhead(of: clocks[1]) && !clocks[1].isAhead(of: clocks[0]) && !clocks[0].isAhead(of: clocks[0]))
        let other = try #require(FragmentClock(fragment([0, 0, 0, 0, 0, 0, 0, 1], track: 2)[...]))
        #expect(!clocks[0].isAhead(of: other))
    }
}
