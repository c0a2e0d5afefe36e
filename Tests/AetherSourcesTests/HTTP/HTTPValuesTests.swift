import AetherCore
import AetherTestSupport
import Testing

@testable import AetherSources

/// The pure parts of the network source, by tables.
@Suite struct HTTPValuesTests {
    // MARK: - Addresses

    @Test(arguments: [
        ("http://Host/a b?c=ü", "http://host/a%20b?c=%C3%BC", "http", "host", 80),
        ("HTTPS://user:p%40ss@host:8443/x#part", "https://host:8443/x", "https", "host", 8443),
        ("http://[::1]:81/", "http://[::1]:81/", "http", "[::1]", 81),
        ("http://host", "http://host/", "http", "host", 80),
        ("http://host/to?url=file:///x", "http://host/to?url=file:///x", "http", "host", 80),
        ("http://host/http:///x", "http://host/http:///x", "http", "host", 80),
    ])
    func anAddressIsTakenApart(_ given: String, _ text: String, _ scheme: String, _ host: String, _ port: Int) throws {
        let address = try #require(WebAddress(given))
        #expect(address.text.lowercased() == text.lowercased())
        #expect(address.origin == WebOrigin(scheme: scheme, host: host, port: port))
    }

    @Test func nameAndPasswordAreKeptApart() throws {
        let address = try #require(WebAddress("https://me:p%40ss@host/x"))
        #expect(address.user == "me" && address.password == "p@ss" && !address.text.contains("me"))
    }

    @Test(arguments: [
        "", "film.mkv", "gopher://host/x", "HTTPS:///host/x", ":///host/x", "file:///etc/passwd", "http://", "http:///x",
        "http://host:99999/", "http://a\u{0}b/",
    ])
    func whatIsNoWebAddressIsNone(_ text: String) { #expect(WebAddress(text) == nil) }

    @Test(arguments: [
        ("other.ts", "http://host/a/other.ts"), ("/x", "http://host/x"), ("//else/x", "http://else/x"),
        ("https://else/x", "https://else/x"), ("?q", "http://host/a/film.mkv?q"), ("../up", "http://host/up"),
    ])
    func aReferenceIsRelativeToTheAddress(_ reference: String, _ text: String) throws {
        #expect(try #require(WebAddress("http://host/a/film.mkv")).resolved(reference)?.text == text)
    }

    @Test(arguments: [
        ("8.8.8.8", AddressClass.open), ("1.1.1.1", .open), ("10.1.2.3", .closed), ("172.16.0.1", .closed), ("172.32.0.1", .open),
        ("192.168.1.1", .closed), ("127.0.0.1", .closed), ("169.254.169.254", .closed), ("100.64.0.1", .closed),
        ("0.0.0.0", .closed),
        ("224.0.0.1", .closed), ("255.255.255.255", .closed), ("::1", .closed), ("::", .closed), ("fe80::1", .closed),
        ("fd00::1", .closed), ("ff02::1", .closed), ("2001:4860:4860::8888", .open), ("::ffff:10.0.0.1", .closed),
        ("::ffff:8.8.8.8", .open), ("64:ff9b::a00:1", .closed), ("64:ff9b::808:808", .open),
        // 6to4 and Teredo lead to an address of IPv4 that is in them; Teredo's turned over, behind that of its server.
        ("2002:7f00:1::", .closed), ("2002:a00:1::1", .closed), ("2002:a9fe:a9fe::", .closed), ("2002:808:808::1", .open),
        ("2001:0:808:808:0:0:80ff:fffe", .closed), ("2001:0:808:808:0:0:f7f7:f7f7", .open),
        ("2001:0:a00:1:0:0:f7f7:f7f7", .closed), ("64:ff9b:1::808:808", .closed),
    ])
    func addressesAreOpenOrClosed(_ text: String, _ expected: AddressClass) { #expect(AddressClass(text) == expected) }

    // MARK: - Redirections

    @Test func redirectionsHaveBounds() throws {
        let secure = try #require(WebAddress("https://host/x")), plain = try #require(WebAddress("http://host/x"))
        #expect(try RedirectPolicy.next(from: plain, to: "https://else/", hops: 4).get().text == "https://else/")
        for (address, reference, hops) in [
            (plain, "/y", 5), (secure, "http://host/x", 0), (plain, "file:///etc/passwd", 0), (plain, "ftp://host/", 0),
            (plain, "data:,x", 0), (plain, "javascript:x", 0),
        ] {
            #expect(throws: NetworkFault.self) { try RedirectPolicy.next(from: address, to: reference, hops: hops).get() }
        }
    }

    // MARK: - Heads

    private func parsed(_ lines: String...) -> HTTPHead? {
        var parser = HTTPHeadLines()
        for line in lines + [""] {
            let bytes = Array((line + "\r\n").utf8)
            if case .done(let head) = bytes.withUnsafeBytes({ parser.take($0) }) { return head }
        }
        return nil
    }

    @Test func aHeadIsReadLineByLine() throws {
        let head = try #require(
            parsed("HTTP/1.1 206 Partial", "ETag:  \"a\" ", "content-RANGE: bytes 5-9/10", "Content-Length: 5", "nonsense"))
        #expect(head.status == 206 && head.contentLength == 5 && head.validator == "\"a\"" && head.acceptsRanges)
        #expect(head.contentRange?.bounds == 5...9 && head.contentRange?.total == 10)
    }

    /// Ways to prove a name in fields of their own, in either order, and in one list.
    @Test(
        arguments: [
            (["Digest realm=\"r\", nonce=\"a\""], true), (["Digest realm=\"r\"", "Bearer realm=\"x\""], true),
            (["Negotiate", "NTLM", "Digest realm=\"r\""], true), (["Negotiate, Digest realm=\"r\""], true),
            (["Basic realm=\"digest\""], false), (["Basic realm=\"r\"", "Bearer"], false), ([], false),
        ])
    func aDigestIsAskedForAmongOthers(_ ways: [String], _ isWanted: Bool) throws {
        var parser = HTTPHeadLines(), head: HTTPHead?
        for line in ["HTTP/1.1 401 Unauthorized"] + ways.map({ "WWW-Authenticate: " + $0 }) + [""] {
            if case .done(let done) = Array((line + "\r\n").utf8).withUnsafeBytes({ parser.take($0) }) { head = done }
        }
        #expect(try #require(head).wantsDigest == isWanted)
    }

    @Test func whatIsNoAnswerYetIsPassedOver() throws {
        var parser = HTTPHeadLines()
        var done: HTTPHead?
        for line in ["HTTP/1.1 100 Continue", "", "HTTP/2 200", "Content-Length: 7", ""] {
            if case .done(let head) = Array((line + "\r\n").utf8).withUnsafeBytes({ parser.take($0) }) { done = head }
        }
        #expect(done == HTTPHead(status: 200, fields: ["content-length": "7"]))
    }

    @Test func aHeadWithoutEndIsTooMuch() {
        var parser = HTTPHeadLines()
        let line = [UInt8](repeating: 0x61, count: 1000)
        #expect((0..<70).contains { _ in line.withUnsafeBytes { parser.take($0) } == .tooMuch })
    }

    @Test(
        arguments: [
            ("bytes 0-9/10", 0...9, 10), ("bytes 5-5/*", 5...5, nil), ("BYTES 0-0/1", 0...0, 1), ("bytes */7", nil, 7),
        ] as [(String, ClosedRange<Int64>?, Int64?)])
    func aContentRangeIsRead(_ text: String, _ bounds: ClosedRange<Int64>?, _ total: Int64?) throws {
        let range = try #require(ContentRange(text))
        #expect(range.bounds == bounds && range.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-9", "bytes 9-0/10", "bytes 0-10/10", "bytes -1-5/10", "bytes 0-9/ten", "items 0-9/10",
        "bytes 0--9/10",
        "bytes 99999999999999999999-9/10", "bytes 0-9/10 x",
    ])
    func aContentRangeThatMakesNoSenseIsNone(_ text: String) { #expect(ContentRange(text) == nil) }

    // MARK: - Answers

    private func file(size: Int64? = 10, validator: String? = "\"a\"", weakTag: String? = nil) -> WebFile {
        let address = WebAddress("http://host/")!
        return WebFile(size: size, isSeekable: true, validator: validator, weakTag: weakTag, target: address, isPrivate: false)
    }

    private func kind(_ answer: HTTPAnswer) -> NetworkFault.Kind? {
        if case .fault(let fault) = answer { return fault.kind }
        return nil
    }

    @Test func aPartIsTheOneThatWasAskedFor() {
        let part = HTTPHead(status: 206, fields: ["content-range": "bytes 5-9/10", "content-length": "5", "etag": "\"a\""])
        #expect(HTTPAnswer(part, asked: 5, known: file()) == .bytes(from: 5, size: 10, isSeekable: true, validator: "\"a\""))
        #expect(HTTPAnswer(part, asked: 5, known: nil) == .bytes(from: 5, size: 10, isSeekable: true, validator: "\"a\""))
        #expect(kind(HTTPAnswer(part, asked: 4, known: file())) == .badAnswer)
        #expect(kind(HTTPAnswer(part, asked: nil, known: nil)) == .badAnswer)
        var short = part
        short.fields["content-length"] = "4"
        #expect(kind(HTTPAnswer(short, asked: 5, known: file())) == nil)
        var long = HTTPHead(status: 206, fields: ["content-range": "bytes 5-7/10", "content-length": "4"])
        #expect(kind(HTTPAnswer(long, asked: 5, known: file(validator: nil))) == .badAnswer)
        long.fields["content-range"] = "bytes 5-9/10"
        long.fields["content-length"] = "9"
        #expect(kind(HTTPAnswer(long, asked: 5, known: file(validator: nil))) == nil)
        #expect(kind(HTTPAnswer(HTTPHead(status: 206), asked: 0, known: nil)) == .badAnswer)
        var packed = part
        packed.fields["content-encoding"] = "gzip"
        #expect(HTTPAnswer(packed, asked: 5, known: file()) == .packed)
        let whole = HTTPHead(status: 200, fields: ["content-length": "10", "content-encoding": "gzip"])
        #expect(HTTPAnswer(whole, asked: nil, known: nil) == .packed)
        #expect(
            HTTPAnswer(whole, asked: nil, known: nil, unpacks: true)
                == .bytes(from: 0, size: nil, isSeekable: false, validator: nil))
    }

    @Test func anotherFileIsNeverMixedIn() {
        let part = HTTPHead(status: 206, fields: ["content-range": "bytes 5-9/10", "etag": "\"b\""])
        #expect(kind(HTTPAnswer(part, asked: 5, known: file())) == .changed)
        let longer = HTTPHead(status: 206, fields: ["content-range": "bytes 5-9/11"])
        #expect(kind(HTTPAnswer(longer, asked: 5, known: file())) == .changed)
        #expect(kind(HTTPAnswer(HTTPHead(status: 200, fields: ["content-length": "11"]), asked: 5, known: file())) == .changed)
        // 200 without anything to go by could be anything.
        #expect(kind(HTTPAnswer(HTTPHead(status: 200), asked: 5, known: file())) == .changed)
        #expect(
            kind(HTTPAnswer(HTTPHead(status: 200, fields: ["content-length": "10", "etag": "\"b\""]), asked: 5, known: file()))
                == .changed)
    }

    /// A weak tag promises no equal bytes, but another one is another file. Of one that has the time of its change, too, that time decides: servers
    /// of one name may make weak tags each for itself.
    @Test(arguments: [
        ("W/\"b\"", nil, true), ("W/\"a\"", nil, false), (nil, nil, false), ("W/\"b\"", "Mon", false), ("W/\"a\"", "Tue", true),
    ])
    func aWeakTagTellsAnotherFile(_ tag: String?, _ change: String?, _ isOther: Bool) {
        var head = HTTPHead(status: 206, fields: ["content-range": "bytes 5-9/10"])
        (head.fields["etag"], head.fields["last-modified"]) = (tag, change)
        let known = file(validator: change == nil ? nil : "Mon", weakTag: "\"a\"")
        #expect((kind(HTTPAnswer(head, asked: 5, known: known)) == .changed) == isOther)
    }

    @Test(
        arguments: [
            ("7", nil, 7.0), ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", 30),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:50:07 GMT", 0),
            ("Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", 30),
            ("Sun, 06 Nov 2094 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:07 GMT", 86_400),
            ("Sun, 06 Nov 1994 08:49:37 GMT", nil, nil),
            ("soon", "Sun, 06 Nov 1994 08:49:07 GMT", nil), ("-5", nil, nil),
        ] as [(String, String?, Double?)])
    func aServerSaysHowLongToLeaveItAlone(_ text: String, _ date: String?, _ seconds: Double?) {
        var head = HTTPHead(status: 503, fields: ["retry-after": text])
        head.fields["date"] = date
        #expect(head.retryAfter == seconds.map { .seconds($0) })
    }

    @Test func aServerWithoutPartsGivesTheWhole() {
        let whole = HTTPHead(status: 200, fields: ["content-length": "10", "etag": "\"a\""])
        #expect(HTTPAnswer(whole, asked: 0, known: nil) == .bytes(from: 0, size: 10, isSeekable: false, validator: "\"a\""))
        #expect(HTTPAnswer(whole, asked: 5, known: file()) == .bytes(from: 0, size: 10, isSeekable: true, validator: "\"a\""))
        var knows = whole
        knows.fields["accept-ranges"] = "bytes"
        #expect(HTTPAnswer(knows, asked: 0, known: nil) == .bytes(from: 0, size: 10, isSeekable: true, validator: "\"a\""))
        #expect(
            HTTPAnswer(HTTPHead(status: 200), asked: 0, known: nil)
                == .bytes(from: 0, size: nil, isSeekable: false, validator: nil))
    }

    @Test func behindTheEndThereIsTheEnd() {
        let none = HTTPHead(status: 416, fields: ["content-range": "bytes */10"])
        #expect(HTTPAnswer(none, asked: 10, known: file(size: nil)) == .end(size: 10))
        #expect(HTTPAnswer(none, asked: 10, known: file(size: 10)) == .end(size: 10))
        // All bytes came up to here, and no part was said to reach further: the length was a lie.
        #expect(HTTPAnswer(none, asked: 10, known: file(size: 20)) == .end(size: 10))
        var known = file(size: 20)
        known.partEnd = 10
        #expect(HTTPAnswer(none, asked: 10, known: known) == .end(size: 10))
        // The file was longer, or is longer now: it is another one.
        known.partEnd = 20
        for asked in [5, 10, 15] { #expect(kind(HTTPAnswer(none, asked: Int64(asked), known: known)) == .changed) }
        #expect(kind(HTTPAnswer(none, asked: 15, known: file(size: 20))) == .changed)
        #expect(kind(HTTPAnswer(none, asked: 5, known: file())) == .status(416))
        #expect(HTTPAnswer(HTTPHead(status: 416, fields: ["content-range": "bytes */0"]), asked: 0, known: nil) == .end(size: 0))
    }

    @Test func theRestIsARedirectionOrAFault() {
        #expect(HTTPAnswer(HTTPHead(status: 302, fields: ["location": "/x"]), asked: 0, known: nil) == .redirect("/x"))
        #expect(kind(HTTPAnswer(HTTPHead(status: 302), asked: 0, known: nil)) == .status(302))
        #expect(kind(HTTPAnswer(HTTPHead(status: 404), asked: 0, known: nil)) == .status(404))
        let busy = HTTPAnswer(HTTPHead(status: 503, fields: ["retry-after": "7"]), asked: 0, known: nil)
        #expect(busy == .fault(NetworkFault(.status(503), retryAfter: .seconds(7))))
    }

    @Test func whatIsSaidToAServerHasNoFurtherLines() throws {
        var options = HTTPOptions()
        options.headers = ["X-A": "1\r\nX-Evil: 2", "X-B:": "b", "Empty": ""]
        let address = try #require(WebAddress("http://host/"))
        var order = TransferOrder(address: address, offset: 5, validator: "\"a\"", options: options)
        #expect(order.lines == ["Range: bytes=5-", "If-Range: \"a\"", "Empty;", "X-A: 1X-Evil: 2", "X-B: b"])
        order.isTrusted = false
        order.offset = 0
        #expect(order.lines == ["Range: bytes=0-"])
    }
}
