import Glibc

/// The proxies that the environment names. Which of them a request goes through is decided here, and not by libcurl: where the server itself is
/// connected to, its address must be known to be its own. Pure but for `present`.
struct ProxySetting: Sendable, Equatable {
    /// By the scheme of the addresses that they are for; "all" for every other one.
    private var proxies: [String: String] = [:]
    /// `no_proxy`: the hosts that are asked without one.
    private var exceptions: [Substring] = []

    /// Of the process's environment, as it was at the first request.
    static let present = ProxySetting { name in getenv(name).map { String(cString: $0) } }

    /// Reads an environment as libcurl does: names in small letters come first, and `HTTP_PROXY` is none, because servers make it of a field of
    /// requests.
    init(_ variable: (_ name: String) -> String?) {
        func first(_ names: String...) -> String? { names.lazy.compactMap(variable).first { !$0.isEmpty } }
        proxies["http"] = first("http_proxy")
        for scheme in ["https", "ftp", "ftps", "sftp"] {
            proxies[scheme] = first("\(scheme)_proxy", "\(scheme.uppercased())_PROXY")
        }
        proxies["all"] = first("all_proxy", "ALL_PROXY")
        exceptions = (first("no_proxy", "NO_PROXY") ?? "").split { $0 == "," || $0 == " " }
    }

    /// The proxy for requests to a server; nil: it is asked itself. `stated`: what a person has said, "" for none, nil for nothing.
    func proxy(for origin: WebOrigin, stated: String?) -> String? {
        guard let proxy = stated ?? proxies[origin.scheme] ?? proxies["all"], !proxy.isEmpty else { return nil }
        return isExcepted(origin.host) ? nil : proxy
    }

    /// Whether `no_proxy` names a host: by its name, by a domain above it, by its number or a network of numbers, or all of them by a star.
    private func isExcepted(_ host: String) -> Bool {
        if exceptions == ["*"] { return true }
        let host =
            host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host.hasSuffix(".") ? String(host.dropLast()) : host
        let number = Self.number(host)
        return exceptions.contains { word in
            if let number { return Self.network(word).map { Self.lies(number, in: $0.number, bits: $0.bits) } ?? false }
            let name = word.drop { $0 == "." }.lowercased(), domain = name.hasSuffix(".") ? String(name.dropLast()) : name
            return !domain.isEmpty && (host == domain || host.hasSuffix("." + domain))
        }
    }

    /// "10.0.0.0/8", "fd00::/8", or a number alone.
    private static func network(_ word: Substring) -> (number: [UInt8], bits: Int)? {
        let parts = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let number = number(parts[0].filter { $0 != "[" && $0 != "]" }) else { return nil }
        guard parts.count > 1 else { return (number, number.count * 8) }
        guard let bits = Int(parts[1]), 0...number.count * 8 ~= bits else { return nil }
        return (number, bits)
    }

    private static func number(_ text: String) -> [UInt8]? {
        var four = in_addr(), six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: &four) { Array($0) } }
        if inet_pton(AF_INET6, text, &six) == 1 { return withUnsafeBytes(of: &six) { Array($0) } }
        return nil
    }

    private static func lies(_ number: [UInt8], in network: [UInt8], bits: Int) -> Bool {
        guard number.count == network.count else { return false }
        return number.indices.allSatisfy { place in
            let held = min(max(bits - place * 8, 0), 8), mask = UInt8(truncatingIfNeeded: 0xFF00 >> held)
            return number[place] & mask == network[place] & mask
        }
    }
}
