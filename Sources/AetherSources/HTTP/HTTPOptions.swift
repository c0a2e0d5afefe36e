public import AetherCore

/// The document that an address comes from, and what that may have.
public struct Provenance: Sendable, Equatable {
    /// The origin that headers, name and password were given for.
    let origin: WebOrigin
    /// The document itself came from a private address: it may name such.
    let isPrivate: Bool
    let user: String?
    let password: String?
    /// The document came over https: what it names comes over https, too.
    let isSecure: Bool
}

/// The method of a request.
public enum HTTPMethod: Sendable, Equatable {
    /// The file, or a part of it.
    case get
    /// The header fields of the file alone.
    case head
    /// An answer to a text of JSON.
    case post(String)
}

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
    /// nil: what the environment says (http_proxy, https_proxy). Hosts of no_proxy are asked without one in any case.
    public var proxy: String?
    /// Proxies named by the environment.
    var proxies = ProxySetting.present
    /// Authorities to trust instead of the system's.
    public var caFile: String?
    /// Certificate and key of this side, in one PEM file.
    public var clientCertificate: String?
    /// Certificates are not checked: anyone may answer.
    public var trustsAnybody = false
    /// How long a connection may take to be made.
    public var connectTimeout = TimeSpan.seconds(15)
    /// A file of names and passwords by host; nil: `~/.netrc`, where there is one.
    var netrcFile: String?
    /// Keys and known hosts of ssh; nil: `~/.ssh`.
    var sshFolder: String?
    /// Bytes a second at most from one server.
    public var rateLimit: Int?
    /// Options of some hosts alone.
    public var hosts: [HTTPHostOptions] = []
    /// Addresses of private networks are open to everybody's documents and redirections.
    public var allowsLAN = false
    /// Where files are kept between runs; nil: nowhere.
    public var diskCache: DiskCacheOptions?
    /// The document that named the address; nil for one that a person gave.
    var document: Provenance?
    /// The properties of a folder and its entries are asked for (PROPFIND, RFC 4918), and nothing is kept.
    var isListing = false
    /// The server may compress the file: a document, which is read from its start to its end.
    var unpacks = false
    /// The method of the request.
    var method = HTTPMethod.get
    /// A radio station is asked to put the titles of its songs between its audio.
    public var asksForSongs = false
    /// Without a byte for so long, a transfer is given up and made again: longer than a lossy link's retransmissions.
    public var stallLimit = TimeSpan.seconds(15)
    var opening = RetryLadder.Patience.opening
    var reading = RetryLadder.Patience.reading
    /// Bytes that a transfer may be ahead of its reader, where no rate is set.
    var ringSize = 4 << 20
    /// The memory for heads and tails of files: these options and their copies share it.
    package var heldRoom = HeldRoom()
    /// The cookies that servers set: these options and their copies share them.
    let jar = CookieJar()

    /// The defaults.
    public init() {}

    /// Bytes that a transfer may be ahead of its reader: of a rate that is set no more than a second, so that the server feels the brake.
    var aheadLimit: Int { rateLimit.map { max(64 << 10, min(ringSize, $0)) } ?? ringSize }

    /// Bytes that the system may take ahead of libcurl; nil: as many as it finds right.
    var socketBuffer: Int? { rateLimit.map { max(16 << 10, min(256 << 10, $0 / 4)) } }

    /// For an address that a document names; as they are where a person has given it.
    public func named(by document: Provenance?) -> HTTPOptions {
        var options = self
        options.document = document ?? options.document
        return options
    }

    /// For the list of a WebDAV folder: the address is asked about and not read.
    public var listing: HTTPOptions {
        var options = self
        options.isListing = true
        return options
    }

    /// For what is not worth a wait: asked once, for a few seconds.
    public var brief: HTTPOptions {
        var options = self
        (options.connectTimeout, options.stallLimit) = (min(connectTimeout, .seconds(3)), .seconds(3))
        options.opening = RetryLadder.Patience(answers: 1, span: .zero, outlastsAbsence: false)
        options.reading = options.opening
        return options
    }

    /// With further lines for the server.
    public func adding(_ headers: [String: String]) -> HTTPOptions {
        var options = self
        options.headers.merge(headers) { $1 }
        return options
    }
}
