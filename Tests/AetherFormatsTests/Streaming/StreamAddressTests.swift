import AetherFormats
import Testing

@Suite struct StreamAddressTests {
    /// RFC 3986, 5.4.1 and 5.4.2, against http://a/b/c/d;p?q.
    @Test(
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
            ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"), ("#s", "http://a/b/c/d;p?q#s"),
            ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"),
            ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
            ("../../", "http://a/"),
            ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"), ("/./g", "http://a/g"),
            ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."),
            ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
            ("http:g", "http:g"),
        ] as [(String, String)])
    func referencesOfTheStandard(_ reference: String, _ expected: String) throws {
        let base = try #require(StreamAddress("http://a/b/c/d;p?q"))
        #expect(base.resolved(reference)?.text == expected)
    }

    @Test(
        arguments: [
            ("https://h/a/m.m3u8?token=1", "s.ts", "https://h/a/s.ts"), ("https://h", "s.ts", "https://h/s.ts"),
            ("https://h?x", "s.ts", "https://h/s.ts"), ("https://h/a/", "data:text/plain,x", "data:text/plain,x"),
            ("https://h/a/m", "//cdn/x", "https://cdn/x"), ("file:///v/a.m3u8", "b%20c.ts", "file:///v/b%20c.ts"),
            ("https://h/a/m", "12:30.ts", "https://h/a/12:30.ts"), ("https://u:p@H:8/a/m", "x", "https://u:p@H:8/a/x"),
            ("https://h/a/m", "ä b.ts", "https://h/a/ä b.ts"), ("https://h/a//m", "x", "https://h/a//x"),
        ] as [(String, String, String)])
    func referencesOfTheField(_ base: String, _ reference: String, _ expected: String) throws {
        #expect(try #require(StreamAddress(base)).resolved(reference)?.text == expected)
    }

    @Test func localFilesHaveNeitherQueryNorFragment() throws {
        #expect(StreamAddress("file:///v/a.ts?x=1#y")?.bare?.text == "file:///v/a.ts")
        #expect(StreamAddress("file:///v/a.ts#y?z")?.bare?.text == "file:///v/a.ts")
        #expect(StreamAddress("file:///v/a.ts")?.bare == nil && StreamAddress(filePath: "/v/a?b.ts").bare == nil)
        #expect(StreamAddress("HTTPS://h/a")?.scheme == "https" && StreamAddress(filePath: "/v").scheme == "file")
    }

    @Test func whatIsNoAddress() throws {
        #expect(StreamAddress("a/b") == nil)
        #expect(StreamAddress("") == nil)
        let base = try #require(StreamAddress("http://h/"))
        #expect(base.resolved("a\u{1B}[2J") == nil)
        #expect(base.resolved(String(repeating: "a", count: 1 << 20)) == nil)
    }

    @Test func partsAreFound() throws {
        let address = try #require(StreamAddress("HTTPS://name:word@Host:8443/a/b?x=1&long%20name=a%2Fb&empty=&last"))
        #expect(address.scheme == "https")
        #expect(address.host == "host:8443")
        #expect(address.parameter("x") == "1")
        #expect(address.parameter("long name") == "a/b")
        #expect(address.parameter("empty") == "" && address.parameter("last") == "" && address.parameter("none") == nil)
    }

    @Test func pathsOfFilesAreEscaped() throws {
        let address = StreamAddress(filePath: "/films/a b#1?/100%.m3u8")
        #expect(address.text == "file:///films/a%20b%231%3F/100%25.m3u8")
        #expect(address.resolved("s.ts")?.text == "file:///films/a%20b%231%3F/s.ts")
    }

    @Test(
        arguments: [
            ("https://h/a/m.m3u8", "https://other/x.ts", nil), ("https://h/m", "http://h/x.ts", .downgrade),
            ("http://h/m", "http://h/x.ts", nil), ("http://h/m", "file:///etc/passwd", .local),
            ("http://h/m", "ftp://h/x", .scheme),
            ("http://h/m", "concat:a|b", .scheme), ("http://h/m", "pipe:0", .scheme), ("http://h/m", "data:,x", .scheme),
            ("file:///v/m.m3u8", "file:///v/s.ts", nil), ("file:///v/m.m3u8", "file:///v/sub/s.ts", nil),
            ("file:///v/m.m3u8", "file:///etc/passwd", .outside), ("file:///v/m.m3u8", "file:///v/../etc/passwd", .outside),
            ("file:///v/m.m3u8", "file:///v/%2e%2e/etc/passwd", .outside), ("file:///v/m.m3u8", "file:///vault/s.ts", .outside),
            ("file:///v/m.m3u8", "file:///v/a%2f..%2f..%2fetc", .outside), ("file:///v/m.m3u8", "file://host/v/s.ts", .outside),
            ("file:///v/m.m3u8", "file:///v/a%00", .outside), ("file:///v/m.m3u8", "https://h/s.ts", nil),
            ("file:///a%20b/m.m3u8", "file:///a%20b/s.ts", nil),
        ] as [(String, String, StreamFault.Refusal?)])
    func addressesThatAreFollowed(_ root: String, _ named: String, _ refusal: StreamFault.Refusal?) throws {
        let policy = AddressPolicy(root: try #require(StreamAddress(root)))
        let address = try #require(StreamAddress(named))
        var kind: StreamFault.Kind?
        do throws(StreamFault) { try policy.check(address) } catch { kind = error.kind }
        #expect(kind == refusal.map { .refusedAddress($0) })
    }

    /// 64 KB of text, and not a byte more.
    @Test func aKeyInThePlaylistHasALimit() throws {
        let start = "data:;base64,", room = StreamAddress.lengthLimit - start.utf8.count
        #expect(StreamAddress.lengthLimit == 65_536)
        let longest = start + String(repeating: "A", count: room), root = try #require(StreamAddress("https://h/m"))
        #expect(StreamAddress(longest) != nil && StreamAddress(longest + "A") == nil)
        #expect(root.resolved(longest) != nil && root.resolved(longest + "A") == nil)
        func list(_ key: String) -> [UInt8] {
            let line = "#EXT-X-KEY:METHOD=AES-128,URI=\"\(key)\""
            return Array("#EXTM3U\n#EXT-X-TARGETDURATION:4\n\(line)\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n".utf8)
        }
        func key(_ text: String) throws -> StreamAddress? {
            guard case .segments(let found) = try HLSPlaylist(list(text), address: root) else { return nil }
            return found.segments.segment(0)?.encryption?.key
        }
        let long = start + String(repeating: "A", count: 60_000)
        #expect(try key(long)?.text == long)
        #expect(throws: StreamFault.self) { try key(longest + "A") }
    }

    @Test func keysMayStandInThePlaylistAndHTTPMayBeAllowed() throws {
        let root = try #require(StreamAddress("https://h/m"))
        let key = try #require(StreamAddress("data:;base64,AAAA")), plain = try #require(StreamAddress("http://h/s"))
        try AddressPolicy(root: root).check(key, as: .small)
        try AddressPolicy(root: root, allowsDowngrade: true).check(plain)
    }
}
