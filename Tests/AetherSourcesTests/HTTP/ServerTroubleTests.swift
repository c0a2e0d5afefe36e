import AetherCore
import AetherTestSupport
import Testing

@testable import AetherSources

/// Servers that change their mind while a file is read: the log of requests says what came of it.
@Suite struct ServerTroubleTests {
    private let all = TestOrigin.pattern(0..<5_000_000)

    private func rest(_ reader: HTTPReader, from offset: Int) throws -> [UInt8] {
        try reader.seek(to: Int64(offset))
        return try readAll(reader, piece: 64 << 10)
    }

    /// Addresses with a token that is good for one request: each time the first address gives another one.
    @Test func aTokenThatExpiresIsAskedForAnew() throws {
        let web = try Web(), other = try TestOrigin(["/film": .pattern(5_000_000)])
        let target = other.address.replacing("/", with: "!") + "!~lease=1500000!film^token=*"
        let reader = try web.opened("/~to=\(target)/film")
        #expect(try readAll(reader, piece: 64 << 10) == all)
        #expect(web.origin.requests.count == 4)
        let tokens = other.requests.map { "\($0.target.suffix(7)) \($0.status)" }
        #expect(
            tokens == ["token=1 206", "token=1 403", "token=2 206", "token=2 403", "token=3 206", "token=3 403", "token=4 206"])
    }

    /// A request for a file has no body to ask for leave to send.
    @Test func noRequestExpectsAnything() throws {
        let web = try Web()
        _ = try rest(web.opened("/film"), from: 3_000_000)
        var options = Web.options
        options.method = .post("{\"a\": 1}")
        _ = try? web.opened("/small", options)
        #expect(web.origin.requests.count == 3 && web.origin.requests.allSatisfy { $0.fields["expect"] == nil })
        #expect(web.origin.requests.last?.method == "POST")
    }

    /// As behind a balancer one of whose servers knows no parts.
    @Test(arguments: ["/~parts=1,etag=a/film", "/~parts=1/film"])
    func aServerThatForgetsPartsIsReadThrough(_ path: String) throws {
        let web = try Web()
        let reader = try web.opened(path)
        #expect(try rest(reader, from: 3_000_000) == Array(all[3_000_000...]))
        // A request for the start, for a part, and where the version was named for that part without it.
        #expect(web.origin.requests.count <= 3 && web.origin.requests.map(\.status).dropFirst().allSatisfy { $0 == 200 })
    }

    @Test func aServerThatTakesNoVersionsIsAskedWithoutThem() throws {
        let web = try Web()
        let reader = try web.opened("/~versions,etag=a/film")
        #expect(try rest(reader, from: 3_000_000) == Array(all[3_000_000...]))
        #expect(try rest(reader, from: 2_000_000) == Array(all[2_000_000...]))
        #expect(web.origin.requests.map(\.status) == [206, 200, 206, 206], "\(web.origin.requests)")
        #expect(web.origin.requests.last?.fields["if-range"] == nil)
    }

    /// A weak tag does not promise the same bytes, and is not named; but a file with another one is another file.
    @Test func aFileWithAnotherWeakTagIsNotMixedIn() throws {
        let web = try Web()
        let reader = try web.opened("/~weak,etag=a,change=2,flip/film")
        #expect(throws: IOReaderError.network(NetworkFault(.changed))) { try rest(reader, from: 3_000_000) }
        #expect(web.origin.requests.last?.fields["if-range"] == nil)
        #expect(try rest(try web.opened("/~weak,etag=a,change=9/film"), from: 3_000_000) == Array(all[3_000_000...]))
    }

    /// The server says where the file ends by now: before what is asked for.
    @Test func aFileThatHasBecomeShorterIsAnotherOne() throws {
        let web = try Web()
        let reader = try web.opened("/~change=2,cut=2000000/film")
        #expect(throws: IOReaderError.network(NetworkFault(.changed))) { try rest(reader, from: 3_000_000) }
        #expect(web.origin.requests.map(\.status) == [206, 416])
    }

    /// The date is the server's, and so is the time that it is counted from.
    @Test func aDateToComeBackAtIsWaitedFor() throws {
        let web = try Web()
        func date(_ second: String) -> String { "Thu;+26+Nov+2026+10:00:\(second)+GMT" }
        var options = Web.options
        options.opening.span = .seconds(30)
        // It is past: at once.
        #expect(try web.fault("/~fail=503:1,retry=\(date("00")),date=\(date("40"))/film", options) == nil)
        #expect(web.origin.requests.count == 2)
        // Longer than there is patience: said, with the time.
        do {
            try web.reader("/~fail=503:1,retry=\(date("59")),date=\(date("00"))/film", options).open()
            Issue.record("it was opened")
        } catch IOReaderError.network(let fault) {
            #expect(
                fault.kind == .status(503) && fault.retryAfter == .seconds(59) && fault.sentence.contains("59"),
                "\(fault.sentence)")
        }
        #expect(web.origin.requests.count == 3)
    }
}
