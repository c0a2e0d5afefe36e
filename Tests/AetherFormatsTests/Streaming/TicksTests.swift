import AetherCore
import AetherFormats
import Testing

@Suite struct TicksTests {
    @Test func sumsOfDifferentScalesAreExact() {
        let third = Ticks(1, timescale: 3), sum = third + Ticks(1, timescale: 90_000) + third + third
        #expect(sum == Ticks(90_001, timescale: 90_000))
        #expect(Ticks(1, timescale: 3) + Ticks(1, timescale: 6) == Ticks(1, timescale: 2))
        #expect(Ticks(1, timescale: 2) - Ticks(1, timescale: 3) == Ticks(1, timescale: 6))
    }

    @Test func comparisonsRoundNothing() {
        #expect(Ticks(1, timescale: 3) < Ticks(333_333_334, timescale: Ticks.nanoseconds))
        #expect(Ticks(1, timescale: 3) > Ticks(333_333_333, timescale: Ticks.nanoseconds))
        #expect(Ticks(.max, timescale: 1) > Ticks(.max, timescale: 2))
    }

    @Test func nothingTraps() {
        let edge = Ticks(.max, timescale: 7)
        #expect((edge + edge).value == .max)
        #expect((Ticks(.min, timescale: 7) - edge).value == .min)
        #expect((Ticks(0, timescale: 1) - Ticks(.min, timescale: 1)).value == .max)
        #expect(Ticks(.max, timescale: 1).rescaled(to: 1000).value == .max)
        #expect(Ticks(5, timescale: 0).timescale == Ticks.nanoseconds)
        #expect(Ticks(-3, timescale: 2).rescaled(to: 1).value == -2 && Ticks(3, timescale: 2).rescaled(to: 1).value == 2)
    }
}
