public import AetherCore

/// The options of one host, or of all hosts below a domain: they hold for requests to these alone.
public struct HTTPHostOptions: Sendable, Equatable {
    /// As it was written: "example.org", "*.example.org" for all hosts below it, either with a port: "example.org:8080".
    public let pattern: String
    /// Sent to the host beside the other headers; of two with one name this one is sent. A document or a redirection of another server
    /// leads to them over https alone.
    public var headers: [String: String] = [:]
    /// The name of the program; nil: as everywhere.
    public var userAgent: String?
    /// The page that a request says it comes from; nil: as everywhere.
    public var referrer: String?
    /// A file of cookies in Netscape's format; nil: as everywhere.
    public var cookieFile: String?
    /// The proxy's address, "" for none; nil: as everywhere.
    public var proxy: String?
    /// Authorities to trust; nil: as everywhere.
    public var caFile: String?
    /// Certificate and key of this side; nil: as everywhere.
    public var clientCertificate: String?
    /// How long a connection may take to be made; nil: as everywhere.
    public var connectTimeout: TimeSpan?
    /// Bytes a second at most for each transfer; nil: as everywhere.
    public var rateLimit: Int?

    /// Without the star, in small letters.
    private let host: String
    private let isDomain: Bool
    private let port: Int?

    /// Nothing is said yet. nil where the pattern names no host.
    public init?(_ pattern: String) {
        var host = pattern.lowercased()
        var port: Int?
        // An address of IPv6 has colons of its own.
        let isBare = host.filter { $0 == ":" }.count > 1 && host.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        if isBare {
            host = "[\(host)]"
        } else if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") {
            guard let number = Int(host[host.index(after: colon)...]), 1...65_535 ~= number else { return nil }
            (port, host) = (number, String(host[..<colon]))
        }
        let isDomain = host.hasPrefix("*.")
        if isDomain { host = String(host.dropFirst(2)) }
        while host.hasSuffix(".") { host.removeLast() }
        let isName = host.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 >= 0x80
                || "-._".utf8.contains($0)
        }
        let isAddress = host.hasPrefix("[") && host.hasSuffix("]") && host.count > 2
        guard !host.isEmpty, host.utf8.count <= 253, isName || isAddress && !isDomain else { return nil }
        (self.pattern, self.host, self.isDomain, self.port) = (pattern, host, isDomain, port)
    }

    func fits(_ origin: WebOrigin) -> Bool {
        guard port.map({ $0 == origin.port }) ?? true else { return false }
        var name = origin.host
        while name.hasSuffix(".") { name.removeLast() }
        return isDomain ? name.hasSuffix("." + host) : name == host
    }

    /// The closer a pattern is, the more it counts: a host before a domain, a port before none, a longer domain before a shorter one.
    private var closeness: (Int, Int, Int) { (isDomain ? 0 : 1, port == nil ? 0 : 1, host.utf8.count) }

    /// Those that fit, the closest last.
    static func fitting(_ origin: WebOrigin, _ hosts: [HTTPHostOptions]) -> [HTTPHostOptions] {
        hosts.filter { $0.fits(origin) }.sorted { $0.closeness < $1.closeness }
    }
}

extension HTTPOptions {
    /// As they count for an address that a person has given; as they are for what is none.
    public func applied(to url: String) -> HTTPOptions {
        WebAddress(url).map { applied(to: $0.origin, isTrusted: true) } ?? self
    }

    /// As they count for requests to an origin. `isTrusted`: it is the one that headers and certificate were given for.
    func applied(to origin: WebOrigin, isTrusted: Bool) -> HTTPOptions {
        var options = self
        options.hosts = []
        if !isTrusted { (options.headers, options.clientCertificate, options.referrer) = ([:], nil, referrer(for: origin)) }
        for host in HTTPHostOptions.fitting(origin, hosts) {
            if isTrusted || origin.scheme == "https" {
                for (name, value) in host.headers {
                    options.headers = options.headers.filter { $0.key.lowercased() != name.lowercased() }
                    options.headers[name] = value
                }
            }
            options.userAgent = host.userAgent ?? options.userAgent
            options.referrer = host.referrer ?? options.referrer
            options.cookieFile = host.cookieFile ?? options.cookieFile
            options.proxy = host.proxy ?? options.proxy
            options.caFile = host.caFile ?? options.caFile
            options.clientCertificate = host.clientCertificate ?? options.clientCertificate
            options.connectTimeout = host.connectTimeout ?? options.connectTimeout
            options.rateLimit = host.rateLimit ?? options.rateLimit
        }
        return options
    }

    /// The page that a server hears of which the person did not name: of another server's page no more than whose it is, as browsers have it.
    private func referrer(for origin: WebOrigin) -> String? {
        guard let page = referrer.flatMap({ WebAddress($0) }) else { return nil }
        return page.origin == origin ? page.text : page.root
    }
}
