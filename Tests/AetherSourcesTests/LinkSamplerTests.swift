import AetherCore
import Testing

@testable import AetherSources

@Suite struct LinkSamplerTests {
    private func at(_ seconds: Double) -> HostTime { HostTime(nanoseconds: Int64(seconds * 1e9)) }

    private func told(_ link: inout LinkSampler) -> [LinkSample] { link.take() }

    @Test func transfersAreMeasuredTogether() {
        var link = LinkSampler()
        link.received(1000, of: 1, now: at(0))
        link.received(1000, of: 2, now: at(0.1))
        link.received(1000, of: 1, now: at(0.2))
        link.ended(1)
        #expect(told(&link).isEmpty)
        link.received(1000, of: 2, now: at(0.4))
        link.ended(2)
        // The first piece came before anybody looked at the clock.
        #expect(told(&link) == [LinkSample(bytes: 3000, span: .seconds(0.4))])
        #expect(told(&link).isEmpty)
    }

    @Test func whatWaitsForItsReaderSaysNothing() {
        var link = LinkSampler()
        link.received(1000, of: 1, now: at(0))
        link.received(5000, of: 1, now: at(0.5))
        link.paused(1)
        #expect(told(&link) == [LinkSample(bytes: 5000, span: .seconds(0.5))])
        link.received(900_000, of: 1, now: at(9))
        link.ended(1)
        #expect(told(&link).isEmpty)
        // The next transfer of that number is another one.
        link.received(1, of: 1, now: at(10))
        link.received(2000, of: 1, now: at(10.1))
        link.ended(1)
        #expect(told(&link).map(\.bytes) == [2000])
    }

    @Test func aLongTransferIsToldEverySecond() {
        var link = LinkSampler()
        for step in 0...25 { link.received(1000, of: 1, now: at(Double(step) / 10)) }
        #expect(told(&link).map(\.bytes) == [10_000, 10_000])
    }
}
