import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherSources

/// Which requests go through which proxy.
@Suite struct ProxySettingTests {
    private func proxy(_ environment: [String: String], _ address: String, stated: String? = nil) throws -> String? {
        ProxySetting { environment[$0] }.proxy(for: try #require(WebAddress(address)).origin, stated: stated)
    }

    @Test(
        arguments: [
            (["http_proxy": "p"], "http://host/x", "p"), (["http_proxy": "p"], "https://host/x", nil),
            // Servers make it of a field of requests: whoever sends one would choose the proxy.
            (["HTTP_PROXY": "p"], "http://host/x", nil),
            (["HTTPS_PROXY": "p"], "https://host/x", "p"), (["https_proxy": "a", "HTTPS_PROXY": "b"], "https://host/x", "a"),
            (["all_proxy": "p"], "sftp://host/x", "p"), (["ALL_PROXY": "p"], "http://host/x", "p"),
            (["http_proxy": "", "all_proxy": "p"], "http://host/x", "p"), (["ftp_proxy": "p"], "ftp://host/x", "p"),
            ([:], "http://host/x", nil),
        ] as [([String: String], String, String?)])
    func theEnvironmentNamesOneForEachScheme(_ environment: [String: String], _ address: String, _ expected: String?) throws {
        #expect(try proxy(environment, address) == expected)
    }

    @Test(arguments: [
        ("host", "http://host/x", true), ("host", "http://a.host/x", true), (".host", "http://host/x", true),
        ("host", "http://ghost/x", false), ("a, HOST ,b", "http://Host./x", true), ("*", "http://any/x", true),
        ("10.0.0.0/8", "http://10.9.8.7/x", true), ("10.0.0.0/9", "http://10.200.0.1/x", false),
        ("10.9.8.7", "http://10.9.8.7/x", true), ("10.9", "http://10.9.8.7/x", false), ("10.0.0.0/33", "http://10.0.0.1/", false),
        ("fd00::/8", "http://[fd12::1]/x", true), ("[::1]", "http://[::1]/x", true), ("::/0", "http://10.0.0.1/x", false),
        ("", "http://host/x", false), (".", "http://host/x", false), ("0.0.0.0/0", "http://host/x", false),
    ])
    func noProxyNamesWhoIsAskedWithoutOne(_ words: String, _ address: String, _ isExcepted: Bool) throws {
        for name in ["no_proxy", "NO_PROXY"] {
            #expect(try proxy(["all_proxy": "p", name: words], address) == (isExcepted ? nil : "p"), "\(words)")
            #expect(try proxy([name: words], address, stated: "q") == (isExcepted ? nil : "q"), "\(words)")
        }
    }

    @Test func whatAPersonSaysCountsBeforeTheEnvironment() throws {
        #expect(try proxy(["http_proxy": "p"], "http://host/x", stated: "q") == "q")
        #expect(try proxy(["http_proxy": "p"], "http://host/x", stated: "") == nil)
    }

    /// A proxy that stands before the network and finds nobody there is borne as long as a network that is away itself.
    @Test(arguments: [NetworkFault.Kind.proxy, .status(502), .status(504)])
    func aGatewayWithoutAServerIsOutlastedWhilePlaying(_ kind: NetworkFault.Kind) {
        for (patience, range) in [(RetryLadder.Patience.opening, 1.0...5), (.reading, 60...120)] {
            var ladder = RetryLadder(), now = HostTime(nanoseconds: 0)
            while let next = ladder.next(after: NetworkFault(kind), patience, now: now, jitter: 0.5) { now = next }
            #expect(range.contains((now - HostTime(nanoseconds: 0)).seconds), "\(now)")
        }
    }
}

/// A proxy that others made.
@Suite(.enabled(if: ProxyServer.isAvailable, "no tinyproxy here: scripts/setup.sh test installs it"))
struct ProxyTests {
    private let web: Web
    private static let bytes = TestOrigin.pattern(0..<5_000_000)

    init() throws { web = try Web() }

    private func options(_ environment: [String: String] = [:], _ proxy: String? = nil) -> HTTPOptions {
        var options = Web.options
        options.proxies = ProxySetting { environment[$0] }
        options.proxy = proxy
        return options
    }

    private func fault(_ address: String, _ options: HTTPOptions) -> NetworkFault? {
        do {
            try HTTPReader(address, options: options, loop: TransferLoop(), jitter: { 0 }).open()
            return nil
        } catch {
            guard case .network(let fault) = error else { return nil }
            return fault
        }
    }

    /// How each request came: over a proxy or not.
    private var ways: [Bool] { web.origin.requests.map { $0.fields["via"]?.contains("tinyproxy") ?? false } }

    @Test func aFileIsReadAndSoughtThroughIt() throws {
        let proxy = try ProxyServer()
        let reader = try web.reader("/film", options([:], "http://" + proxy.place))
        try reader.open()
        #expect(reader.size == 5_000_000 && reader.isSeekable)
        try reader.seek(to: 4_000_000)
        #expect(try read(reader, 1_000_000) == Array(Self.bytes[4_000_000...]))
        try reader.seek(to: 0)
        #expect(try readAll(reader, piece: 64 << 10) == Self.bytes)
        #expect(ways.allSatisfy { $0 } && ways.count >= 2)
        #expect(proxy.wasAsked(for: "GET \(web.origin.address)/film"))
    }

    @Test func theEnvironmentsIsAskedButForTheHostsOfNoProxy() throws {
        let proxy = try ProxyServer(), environment = ["http_proxy": "http://" + proxy.place]
        for exceptions in ["", "localhost,10.0.0.0/8", "127.0.0.0/8"] {
            let reader = try web.reader("/small", options(environment.merging(["no_proxy": exceptions]) { $1 }))
            #expect(try readAll(reader) == Array("small".utf8))
        }
        #expect(ways == [true, true, false])
        // "": nobody's.
        #expect(try readAll(web.reader("/small", options(environment, ""))) == Array("small".utf8))
        #expect(ways == [true, true, false, false])
    }

    @Test func oneThatAsksForAPasswordGetsItAndNobodyElseDoes() throws {
        let proxy = try ProxyServer(account: "me:secret")
        for address in [web.origin.address + "/film", "https://127.0.0.1:\(web.origin.number)/film"] {
            let refused = fault(address, options([:], "http://" + proxy.place))
            #expect(
                refused?.kind == .status(407) && refused?.sentence.contains("proxy says 407") == true,
                "\(String(describing: refused))")
        }
        #expect(web.origin.requests.isEmpty)
        let reader = try web.reader("/film", options([:], "http://me:secret@" + proxy.place))
        #expect(try readAll(reader, piece: 64 << 10) == Self.bytes)
        #expect(web.origin.requests.allSatisfy { $0.fields["proxy-authorization"] == nil && $0.fields["authorization"] == nil })
    }

    @Test(.enabled(if: SecureServer.isAvailable, "no nginx or openssl here"))
    func httpsGoesThroughItUnread() throws {
        let folder = try TemporaryFolder()
        try Data(Self.bytes).write(to: folder.url.appending(path: "film"))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder.path("film"))
        let server = try SecureServer(folder.url), proxy = try ProxyServer(account: "me:secret")
        var options = options(["https_proxy": "http://me:secret@" + proxy.place])
        #expect(fault(server.address + "/film", options)?.kind == .certificate)
        options.caFile = server.certificate
        let reader = try HTTPReader(server.address + "/film", options: options, loop: TransferLoop())
        try reader.seek(to: 3_000_000)
        #expect(try readAll(reader, piece: 64 << 10) == Array(Self.bytes[3_000_000...]))
        #expect(proxy.wasAsked(for: "CONNECT " + server.address.dropFirst("https://".count)))
    }

    @Test func ftpGoesThroughItToo() throws {
        let server = try FileServer(["film.mkv": Self.bytes], FileServer.Habits()), proxy = try ProxyServer()
        var options = options(["all_proxy": "http://" + proxy.place])
        options.netrcFile = "/dev/null"
        let reader = try HTTPReader(server.address + "/film.mkv", options: options, loop: TransferLoop(), jitter: { 0 })
        #expect(try readAll(reader, piece: 64 << 10) == Self.bytes)
        #expect(proxy.wasAsked(for: "CONNECT " + server.address.dropFirst("ftp://".count)))
    }

    @Test func whoIsNotThereIsToldApart() throws {
        let proxy = try ProxyServer()
        // Nobody listens on the first port.
        #expect(fault("http://127.0.0.1:1/film", options([:], "http://" + proxy.place))?.kind == .status(500))
        let tunnel = fault("https://127.0.0.1:1/film", options([:], "http://" + proxy.place))
        #expect(tunnel?.kind == .proxy && tunnel?.detail == "it says 500", "\(String(describing: tunnel))")
        let gone = fault(web.origin.address + "/film", options([:], "http://127.0.0.1:1"))
        #expect(gone?.kind == .refused && gone?.sentence.contains("the proxy") == true, "\(String(describing: gone))")
    }

    /// The address of the proxy says nothing about the server's; that of a server that is asked itself does.
    @Test func aPublicDocumentReachesNoPrivateAddressThatNoProxyNames() throws {
        let proxy = try ProxyServer(), environment = ["http_proxy": "http://" + proxy.place, "no_proxy": "127.0.0.1"]
        var options = options(environment)
        options.document = Provenance(
            origin: WebOrigin(scheme: "http", host: "example.org", port: 80), isPrivate: false, user: nil, password: nil,
            isSecure: false)
        #expect(fault(web.origin.address + "/film", options)?.kind == .privateAddress)
        #expect(web.origin.requests.isEmpty)
    }
}
