import AetherTestSupport
import Testing

@testable import AetherServe

@Suite struct ServedRequestTests {
    private func request(_ text: String) -> Result<ServedRequest, ServedRequest.Flaw> {
        do throws(ServedRequest.Flaw) {
            return .success(try ServedRequest(Array(text.utf8)))
        } catch {
            return .failure(error)
        }
    }

    @Test func aUsualRequestIsRead() throws {
        let head = "GET /0/1.m4s?x=1 HTTP/1.1\r\nHost: 127.0.0.1:80\r\nRange: bytes=0-\r\n\r\n"
        let read = try request(head).get()
        #expect(read.path == "/0/1.m4s" && read.host == "127.0.0.1:80" && read.keepsAlive && !read.isHead)
        #expect(try !request("HEAD / HTTP/1.0\r\nHost: a\r\n\r\n").get().keepsAlive)
    }

    @Test(arguments: [
        ("POST / HTTP/1.1\r\nHost: a\r\n\r\n", ServedRequest.Flaw.notAllowed), ("GET / HTTP/2\r\nHost: a\r\n\r\n", .version),
        ("GET /\r\n\r\n", .malformed), ("GET / HTTP/1.1\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", .malformed),
        ("GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n", .malformed), ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n", .hasBody),
        ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", .hasBody),
        ("GET /\u{0} HTTP/1.1\r\nHost: a\r\n\r\n", .malformed), ("GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n", .malformed),
        ("GET /a\rb HTTP/1.1\r\nHost: a\r\n\r\n", .malformed), ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", .malformed),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 9000))\r\n\r\n", .tooLong),
    ])
    func whatIsNoneIsRefused(_ text: String, _ flaw: ServedRequest.Flaw) {
        #expect(request(text) == .failure(flaw), "\(text.prefix(60))")
    }

    /// The next video at the same port has the same addresses.
    @Test(arguments: ["video/mp4", "text/vtt; charset=utf-8"]) func noAnswerIsKept(_ kind: String) {
        let head = String(decoding: ServedAnswer(200, kind, [1]).head(keepsAlive: true), as: UTF8.self)
        #expect(head.contains("\r\nCache-Control: no-store\r\n"))
    }

    @Test func anyBytesAreAnswered() {
        var random = SeededRandom(seed: 7)
        let base = Array("GET /0/1.m4s HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n".utf8)
        for _ in 0..<5000 {
            var bytes = base
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if case .success(let read) = request(String(decoding: bytes, as: UTF8.self)) { _ = ServedRoute(read.path) }
        }
    }

    @Test(arguments: [
        ("/", ServedRoute.page), ("/master.m3u8", .master), ("/player.js", .script), ("/chapters.json", .chapters),
        ("/3/index.m3u8", .playlist(track: 3)), ("/0/init2.mp4", .header(track: 0, version: 2)),
        ("/0/17.m4s", .segment(track: 0, number: 17)), ("/2/0.vtt", .segment(track: 2, number: 0)),
    ])
    func addressesHaveAMeaning(_ path: String, _ route: ServedRoute) {
        #expect(ServedRoute(path) == route)
        #expect(ServedRoute("/secret" + path, token: "secret") == route && ServedRoute(path, token: "secret") == nil)
    }

    @Test(arguments: [
        "", "//", "/..", "/../etc/passwd", "/0/../index.m3u8", "/%2e%2e/a", "/0/-1.m4s", "/0/01.m4s", "/0/99999999999.m4s",
        "/1600/0.m4s",
        "/0/.m4s", "/0/init.mp4", "/0/index.m3u8/", "/0\\1.m4s", "/a/0.m4s",
    ])
    func nothingElseHas(_ path: String) { #expect(ServedRoute(path) == nil) }
}
