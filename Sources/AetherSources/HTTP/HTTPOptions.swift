public import AetherCore

/// How servers are spoken to: what a person says about it, and limits.
public struct HTTPOptions: Sendable, Equatable {
    /// Sent to the origin of the address that was opened, and to no other.
    public var headers: [String: String] = [:]
    /// The name of the program that a request states.
    public var userAgent = "aether-tui"
    /// The page that a request says it comes from; nil for none.
    public var referrer: String?
    /// A file of cookies in Netscape's format; each goes where it says.
    public var cookieFile: String?
    /// nil: what the environment says (http_proxy, https_proxy, no_proxy).
    public var proxy: String?
    /// Authorities to trust instead of the system's.
    public var caFile: String?
    /// Certificate and key of this side, in one PEM file.
    public var clientCertificate: String?
    /// Certificates are not checked: anybody may answer.
    public var trustsAnybody = false
    /// How long a connection may take to be made.
    public var connectTimeout = TimeSpan.seconds(15)
    /// Bytes a second at most for each transfer.
    public var rateLimit: Int?
    /// Without a byte for so long, a transfer is given up and made again: longer than a lossy link's retransmissions.
    var stallLimit = TimeSpan.seconds(15)
    var opening = RetryLadder.Patience.opening
    var reading = RetryLadder.Patience.reading
    /// Bytes that a transfer may be ahead of its reader.
    var ringSize = 2 << 20

    /// The defaults.
    public init() {}
}
