import AetherCore
import AetherTestSupport
import Testing

@testable import AetherSources

/// The counts of a source's requests.
@Suite struct NetworkMeterTests {
    @Test func everythingThatAReaderDoesIsCounted() throws {
        let web = try Web(), meter = NetworkMeter()
        let reader = try HTTPReader(
            web.origin.address + "/~drop=700000,drops=1,etag=a/film", options: Web.options, loop: web.loop, meter: meter,
            jitter: { 0 })
        #expect(meter.figures.firstByte == nil && meter.figures.requests == 0)
        #expect(try readAll(reader, piece: 64 << 10) == TestOrigin.pattern(0..<5_000_000))
        let figures = meter.figures
        #expect(
            figures.bytes == 5_000_000 && figures.requests == 2 && figures.connections == 2 && figures.retries == 1, "\(figures)")
        #expect(figures.firstByte.map { $0 > .zero } == true && figures.cacheHits == 0)
        // The head is held.
        let second = try #require(reader.makeIndependentReader())
        #expect(try read(second, 1000) == TestOrigin.pattern(0..<1000))
        #expect(meter.figures.cacheHits > 0 && meter.figures.requests == 2 && meter.figures.bytes == 5_000_000)
    }
}
