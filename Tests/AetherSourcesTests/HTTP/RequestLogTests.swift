import AetherCore
import AetherTestSupport
import Testing

@testable import AetherSources

@Suite struct RequestLogTests {
    private func at(_ seconds: Double) -> HostTime { HostTime(nanoseconds: 1_000_000_000) + .seconds(seconds) }

    @Test func aRequestHasItsTimesBytesAndEnd() {
        var log = RequestLog()
        log.begin(7, "a.ts", offset: 100, now: at(0))
        log.begin(8, "b.ts", offset: nil, now: at(1))
        log.answer(7, status: 206, now: at(0.25))
        log.receive(7, 1000)
        log.receive(7, 500)
        log.end(7, now: at(2))
        log.end(7, trouble: "late", now: at(3))
        log.end(8, trouble: "it broke off", now: at(4))
        log.answer(9, status: 200, now: at(5))
        let (first, second) = (log.requests[0], log.requests[1])
        #expect(first.bytes == 1500 && first.status == 206 && first.firstByte == at(0.25) && first.end == at(2))
        #expect(first.trouble.isEmpty && first.offset == 100 && second.trouble == "it broke off" && second.firstByte == nil)
    }

    @Test func theOldestThatHaveEndedGoFirst() {
        var log = RequestLog()
        for number in 0..<200 {
            log.begin(number, "n", offset: 0, now: at(Double(number)))
            if number != 3 { log.end(number, now: at(Double(number) + 0.5)) }
        }
        #expect(log.requests.count == RequestLog.limit && log.requests.first?.number == 3 && log.requests.last?.number == 199)
    }

    @Test(arguments: [
        ("http://host.example/a/film.mkv?token=secret", "film.mkv"), ("http://host.example/token/secret", "***"),
        ("http://host.example/", "host.example"),
        ("https://host.example", "host.example"),
    ])
    func aNameIsTheLastPartOfTheAddressWithoutSecrets(_ address: String, _ name: String) throws {
        #expect(try #require(WebAddress(address)).fileName == name)
    }

    @Test func everyRequestOfAReaderIsLogged() throws {
        let web = try Web(), meter = NetworkMeter()
        let reader = try HTTPReader(
            web.origin.address + "/~drop=700000,drops=1,etag=a/film", options: Web.options, loop: web.loop, meter: meter,
            jitter: { 0 })
        #expect(try readAll(reader, piece: 64 << 10) == TestOrigin.pattern(0..<5_000_000))
        let requests = meter.requests
        #expect(requests.count == 2 && requests.map(\.name) == ["film", "film"])
        #expect(requests.map(\.bytes).reduce(0, +) == 5_000_000 && requests[0].bytes >= 700_000)
        #expect(!requests[0].trouble.isEmpty && requests[1].trouble.isEmpty && requests[1].offset == requests[0].bytes)
        for request in requests { #expect((request.firstByte ?? request.begin) >= request.begin && request.end != nil) }
    }
}
