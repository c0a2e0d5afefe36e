public import AetherCore
public import AetherSources
public import ArgumentParser
import Glibc

/// How web servers are spoken to, on the command line.
public struct NetworkOptions: ParsableArguments, Sendable {
    /// `--http-header`: name and value, sent to the origin of the address alone.
    @Option(
        help: .translated(
            "Send this line to the server of each http address, and to no other: \"Name: value\"; may be given several times.",
            value: "line"))
    public var httpHeader: [String] = []

    /// `--user-agent`: the name of the program that requests state.
    @Option(help: .translated("The name of this program for web servers; aether-tui by default.", value: "name"))
    public var userAgent: String?

    /// `--referrer`: the page that requests say they come from.
    @Option(help: .translated("The page that http addresses are said to come from.", value: "address"))
    public var referrer: String?

    /// `--cookies`: a file in Netscape's format.
    @Option(help: .translated("Send the cookies of this file, in Netscape's format.", value: "file"), completion: .file())
    public var cookies: String?

    /// `--http-proxy`: its address; nil for that of the environment.
    @Option(help: .translated("Ask this proxy for http addresses, and not the environment's.", value: "address"))
    public var httpProxy: String?

    /// `--ca-file`: authorities to trust in place of the system's.
    @Option(
        help: .translated("Trust the authorities in this PEM file, and not the system's.", value: "file"),
        completion: .file())
    public var caFile: String?

    /// `--client-cert`: certificate and key of this side in one PEM file.
    @Option(
        help: .translated("Show servers the certificate in this PEM file, with its key.", value: "file"), completion: .file()
    )
    public var clientCert: String?

    /// `--insecure`: certificates are not checked.
    @Flag(help: .translated("Do not check certificates: anyone may answer, and eavesdrop."))
    public var insecure = false

    /// `--connect-timeout`: seconds for a connection.
    @Option(help: .translated("Wait this long for a connection to a web server, 1 to 300.", value: "seconds"))
    public var connectTimeout = 15.0

    /// `--net-limit`: bytes a second for each transfer.
    @Option(help: .translated("Read at most this many bytes a second from a web server: 500K, 2M.", value: "bytes"))
    public var netLimit: ByteCount?

    /// `--disk-cache`: bytes of web servers' files that are kept between runs.
    @Option(
        help: .translated(
            "Keep this much of web servers' files on disk for the next time: 500M, 8G; 0, the default, keeps nothing.",
            value: "bytes"))
    public var diskCache: ByteCount?

    /// `--allow-lan`: documents and redirections of public servers may lead into private networks.
    @Flag(help: .translated("Let playlists and redirections of public servers lead into private networks."))
    public var allowLan = false

    /// `--probe-size`: bytes for the analysis.
    @Option(
        help: .translated("Read at most this much to find out what a file holds: 500K, 20M; 5 MB by default.", value: "bytes"))
    public var probeSize: ByteCount?

    /// `--analyze-time`: media time for the analysis, in seconds.
    @Option(
        help: .translated(
            "Read at most this many seconds of a file to find out what it holds, 0 to 60; 5 by default.", value: "seconds"))
    public var analyzeTime: Double?

    /// Options of some hosts alone, from the settings file; the command line has none.
    public var hosts: [HTTPHostOptions] = []

    /// Without `hosts`, which the parser does not read.
    enum CodingKeys: CodingKey {
        case httpHeader, userAgent, referrer, cookies, httpProxy, caFile, clientCert, insecure, connectTimeout, netLimit, allowLan
        case diskCache, probeSize, analyzeTime
    }

    /// The defaults.
    public init() {}

    /// Checks what types alone do not say.
    public func validate() throws {
        for line in httpHeader where NetworkOptions.header(line) == nil {
            throw ValidationError(
                translated("--http-header takes a name, a colon and a value, for example --http-header \"X-Token: abc\"."))
        }
        // libcurl passes over cookies that are not there, and complains of certificates at the first connection alone.
        for (name, file) in [("cookies", cookies), ("ca-file", caFile), ("client-cert", clientCert)] {
            guard let file, access(HomePath.expanded(file), R_OK) != 0 else { continue }
            throw ValidationError(translated("--\(name) cannot read its file: \(String(cString: strerror(errno)))."))
        }
        if !(1...300).contains(connectTimeout) {
            throw ValidationError(translated("--connect-timeout takes 1 to 300 seconds, for example --connect-timeout 30."))
        }
        if let probeSize, !(2048...1 << 30).contains(probeSize.bytes) {
            throw ValidationError(translated("--probe-size takes 2048 bytes to 1G, for example --probe-size 20M."))
        }
        if let analyzeTime, !(0...60).contains(analyzeTime) {
            throw ValidationError(translated("--analyze-time takes 0 to 60 seconds, for example --analyze-time 10."))
        }
        if let diskCache, diskCache.bytes > 0, diskCache.bytes < 10_000_000 {
            throw ValidationError(translated("--disk-cache takes at least 10M, or 0 for none, for example --disk-cache 8G."))
        }
        if let netLimit, netLimit.bytes < 10_000 {
            throw ValidationError(translated("--net-limit takes at least 10K, for example --net-limit 500K."))
        }
    }

    /// Name and value of a line; nil where the name is none by RFC 9110.
    public static func header(_ line: String) -> (name: String, value: String)? {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = line[..<colon], value = line[line.index(after: colon)...]
        let isName = { (byte: UInt8) in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
        guard !name.isEmpty, name.utf8.allSatisfy(isName), !value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return nil
        }
        return (String(name), String(value.drop { $0 == " " }))
    }
}
