import AetherCore
import AetherTestSupport
import Testing

@testable import AetherSources

/// Options for one host.
@Suite struct HTTPHostOptionsTests {
    private func origin(_ text: String) throws -> WebOrigin { try #require(WebAddress(text)).origin }

    @Test(arguments: [
        ("example.org", "https://example.org/a", true), ("Example.ORG.", "http://example.org/a", true),
        ("example.org", "https://EXAMPLE.org./a", true), ("example.org", "https://www.example.org/a", false),
        ("example.org", "https://example.org.evil.net/a", false), ("example.org", "https://badexample.org/a", false),
        ("*.example.org", "https://a.b.example.org/", true), ("*.example.org", "https://example.org/", false),
        ("*.example.org", "https://badexample.org/", false), ("example.org:8443", "https://example.org:8443/", true),
        ("example.org:8443", "https://example.org/", false), ("example.org:443", "https://example.org/", true),
        ("127.0.0.1", "http://127.0.0.1:99/", true), ("[::1]", "http://[::1]:99/", true), ("::1", "http://[::1]/", true),
        ("[::1]:99", "http://[::1]:99/", true), ("[::1]:98", "http://[::1]:99/", false),
        // Behind a name and a password stands the host.
        ("example.org", "https://example.org@evil.net/a", false),
    ])
    func aPatternFitsItsHostAlone(_ pattern: String, _ address: String, _ fits: Bool) throws {
        let host = try #require(HTTPHostOptions(pattern)), origin = try origin(address)
        #expect(host.fits(origin) == fits)
    }

    @Test(arguments: [
        "", "*", "*.", ".", "a b", "http://example.org", "example.org/x", "me@example.org", "a*b", "a:0", "a:x", "*.[::1]",
    ])
    func whatNamesNoHostIsRefused(_ pattern: String) { #expect(HTTPHostOptions(pattern) == nil) }

    private func host(_ pattern: String, _ change: (inout HTTPHostOptions) -> Void) throws -> HTTPHostOptions {
        var host = try #require(HTTPHostOptions(pattern))
        change(&host)
        return host
    }

    @Test func theClosestPatternCounts() throws {
        var options = HTTPOptions()
        (options.userAgent, options.referrer, options.rateLimit) = ("all", "all", 5)
        options.headers = ["X-A": "all", "X-B": "all"]
        options.hosts = [
            try host("a.example.org:8080") { $0.userAgent = "port" },
            try host("a.example.org") {
                ($0.userAgent, $0.referrer) = ("host", "host")
                $0.headers = ["x-a": "host"]
            },
            try host("*.example.org") {
                ($0.userAgent, $0.referrer, $0.proxy) = ("domain", "domain", "http://p")
                ($0.connectTimeout, $0.caFile) = (.seconds(2), "ca")
                $0.headers = ["X-A": "domain", "X-C": "domain"]
            },
        ]
        let here = options.applied(to: try origin("http://a.example.org:8080/"), isTrusted: true)
        #expect(here.userAgent == "port" && here.referrer == "host" && here.proxy == "http://p" && here.rateLimit == 5)
        #expect(here.connectTimeout == .seconds(2) && here.caFile == "ca")
        #expect(here.headers == ["x-a": "host", "X-B": "all", "X-C": "domain"])
        let elsewhere = options.applied(to: try origin("http://example.com/"), isTrusted: true)
        #expect(elsewhere.userAgent == "all" && elsewhere.proxy == nil && elsewhere.headers == options.headers)
    }

    /// A list of a stranger in the clear must not make a token travel in the clear.
    @Test func headersOfAHostAreSentWhereStrangersLeadThereOverHTTPSAlone() throws {
        var options = HTTPOptions()
        (options.headers, options.clientCertificate) = (["X-All": "1"], "all.pem")
        options.hosts = [
            try host("example.org") { ($0.headers, $0.clientCertificate) = (["X-Token": "t"], "one.pem") }
        ]
        let clear = options.applied(to: try origin("http://example.org/"), isTrusted: false)
        #expect(clear.headers.isEmpty)
        let secure = options.applied(to: try origin("https://example.org/"), isTrusted: false)
        #expect(secure.headers == ["X-Token": "t"] && secure.clientCertificate == "one.pem")
        let other = options.applied(to: try origin("https://example.com/"), isTrusted: false)
        #expect(other.headers.isEmpty && other.clientCertificate == nil)
    }

    /// A page's address may hold a token. Where it leads the person to another server than they named, that one hears of whose page it is.
    @Test(arguments: [
        ("http://Page/a/b?token=1#c", "http://page/"), ("http://me:word@page:8080/a", "http://page:8080/"),
        ("http://page?x=/", "http://page/"),
        ("http://host/a?token=1", "http://host/a?token=1"), ("no address", nil),
    ])
    func aStrangerHearsWhosePageItWas(_ page: String, _ told: String?) throws {
        var options = HTTPOptions()
        options.referrer = page
        #expect(options.applied(to: try origin("http://host/"), isTrusted: true).referrer == page)
        #expect(options.applied(to: try origin("http://host/"), isTrusted: false).referrer == told)
        // What was meant for that server goes there as it is.
        options.hosts = [try host("host") { $0.referrer = "http://page/x?y" }]
        #expect(options.applied(to: try origin("http://host/"), isTrusted: false).referrer == "http://page/x?y")
    }

    @Test func aRedirectionTakesNoQueryOfAPageAlong() throws {
        let web = try Web(), other = try Web()
        var options = Web.options
        options.referrer = "http://page/a?token=hunter2"
        _ = try web.opened("/~to=\(other.origin.address.replacing("/", with: "!"))!film,redir=0/film", options)
        #expect(web.origin.requests.first?.fields["referer"] == "http://page/a?token=hunter2")
        #expect(other.origin.requests.first?.fields["referer"] == "http://page/")
    }

    /// The options of a host reach its server, and no other to which this one sends.
    @Test func aServerHearsWhatIsMeantForIt() throws {
        let web = try Web(), other = try Web()
        var options = Web.options
        options.hosts = [
            try host("127.0.0.1:\(web.origin.number)") { ($0.headers, $0.userAgent) = (["X-Token": "here"], "first") },
            try host("127.0.0.1:\(other.origin.number)") { ($0.headers, $0.referrer) = (["X-Token": "there"], "http://page/") },
        ]
        _ = try web.opened("/~to=\(other.origin.address.replacing("/", with: "!"))!film,redir=0/film", options)
        let first = try #require(web.origin.requests.first).fields, second = try #require(other.origin.requests.first).fields
        #expect(first["x-token"] == "here" && first["user-agent"] == "first" && first["referer"] == nil)
        #expect(second["x-token"] == nil && second["user-agent"] == "aether-tui" && second["referer"] == "http://page/")
        _ = try other.opened("/film", options)
        #expect(other.origin.requests.last?.fields["x-token"] == "there")
    }
}
