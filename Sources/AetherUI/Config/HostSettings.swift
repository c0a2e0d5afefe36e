import AetherCore
import AetherOptions
import AetherSources
import ArgumentParser
import FoundationEssentials

/// A section of the settings file about one host, or about all below a domain.
struct HostSettings: Sendable, Equatable {
    /// The settings that it may have.
    static let names = [
        "http-header", "user-agent", "referrer", "cookies", "http-proxy", "ca-file", "client-cert", "connect-timeout",
        "net-limit",
    ]

    /// The name of the host, or `*.` and a domain.
    let pattern: String
    /// In the command line's form.
    var values: [String: String] = [:]

    /// The options that come of it; the command line counts more. nil where the pattern names no host. Throws what the parser says of a value.
    func options(under commandLine: [String]) throws -> HTTPHostOptions? {
        guard var options = HTTPHostOptions(pattern) else { return nil }
        let said = OptionCatalogue.player.settings(in: commandLine)
        let isHere = { (name: String) in values[name] != nil && !said.contains { $0.option.name == name } }
        let network = try NetworkOptions.parse(
            values.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.flatMap { name, value in
                name == "http-header"
                    ? value.components(separatedBy: Settings.separator).filter { !$0.isEmpty }.map { "--\(name)=\($0)" }
                    : ["--\(name)=\(value)"]
            })
        let lines = said.filter { $0.option.name == "http-header" }.compactMap {
            NetworkOptions.header($0.value)?.name.lowercased()
        }
        for header in network.httpHeader.compactMap(NetworkOptions.header) where !lines.contains(header.name.lowercased()) {
            options.headers[header.name] = header.value
        }
        if isHere("user-agent") { options.userAgent = network.userAgent }
        if isHere("referrer") { options.referrer = network.referrer }
        if isHere("cookies") { options.cookieFile = network.cookies.map { HomePath.expanded($0) } }
        if isHere("http-proxy") { options.proxy = network.httpProxy }
        if isHere("ca-file") { options.caFile = network.caFile.map { HomePath.expanded($0) } }
        if isHere("client-cert") { options.clientCertificate = network.clientCert.map { HomePath.expanded($0) } }
        if isHere("connect-timeout") { options.connectTimeout = .seconds(network.connectTimeout) }
        if isHere("net-limit") { options.rateLimit = network.netLimit?.bytes }
        return options
    }
}
