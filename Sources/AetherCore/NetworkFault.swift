/// The reason why a server gave nothing: a kind to decide by, and words for people.
public struct NetworkFault: Error, Sendable, Equatable {
    /// The kinds of trouble that lead to different decisions.
    public enum Kind: Sendable, Equatable {
        /// The address is none, or of a scheme that is not spoken.
        case invalidAddress
        case noSuchHost
        /// No server listens there.
        case refused
        /// No way to the host.
        case unreachable
        case timedOut
        /// The server's certificate is not to be trusted.
        case certificate
        /// The server's key of ssh is not one that is known.
        case hostKey
        /// No secure connection came about, for another reason than the certificate.
        case handshake
        /// The connection ended before all was sent.
        case brokeOff
        /// The connection was taken and ended before a byte of an answer: often a forwarder whose server is gone.
        case hungUp
        /// The server refused with this number: 404, 503 …
        case status(Int)
        /// The server, which is none of the web, has no such file.
        case missing
        /// The server, which is none of the web, does not let in who asks.
        case denied
        /// The server of shares does not take this name and password, or lets in no guests.
        case login
        /// The server of shares has no share of that name.
        case noShare
        /// The name is known, but may not read the file.
        case forbidden
        /// A page for people instead of media.
        case webPage
        /// The file is another one than before.
        case changed
        /// The server answered another part of the file than was asked for, or something that is no answer.
        case badAnswer
        /// A redirection that is not followed: the sixth, to another scheme, or from https to http.
        case redirection
        /// The answer led from the open network into a private one.
        case privateAddress
        case proxy
        case other
    }

    /// The kind of the fault.
    public let kind: Kind
    /// The library's or the server's words for it; "" where the kind says all.
    public let detail: String
    /// The time for which the server wants to be left alone.
    public let retryAfter: TimeSpan?

    /// A fault. The detail is made safe to display.
    public init(_ kind: Kind, detail: String = "", retryAfter: TimeSpan? = nil) {
        self.kind = kind
        self.detail = DisplayText.singleLine(Redaction.text(detail), limit: 200)
        self.retryAfter = retryAfter
    }

    /// Whether another name or password may open the address.
    public var asksForLogin: Bool { [.status(401), .denied, .login].contains(kind) }

    /// The fault and what can be done, without a full stop: "the server says 404: no such file; check the address".
    public var sentence: String { sentence(happening, advice) }

    /// The sentence about a request for an address: a server that takes no name and password is told from one that was given none.
    public func sentence(asked address: String) -> String {
        guard Self.hasLogin(address), [.status(401), .denied].contains(kind) else { return sentence }
        let refusal = translated("the server rejects this name and password")
        return sentence(
            kind == .denied ? refusal : translated("the server says 401: it rejects this name and password"),
            translated("check both; %40 is an @ in them, %3A a colon"))
    }

    private func sentence(_ what: String, _ advice: String?) -> String {
        let more = detail.isEmpty ? what : "\(what) (\(detail))"
        return advice.map { "\(more); \($0)" } ?? more
    }

    /// Whether a name stands in front of the host.
    private static func hasLogin(_ address: String) -> Bool {
        guard let start = address.firstRange(of: "://") else { return false }
        return address[start.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }.contains("@")
    }

    private var happening: String {
        switch kind {
        case .invalidAddress: translated("this address cannot be opened")
        case .noSuchHost: translated("no such host")
        case .refused: translated("the server refuses connections")
        case .unreachable: translated("the server cannot be reached")
        case .timedOut: translated("the server does not answer")
        case .certificate: translated("the server's certificate cannot be trusted")
        case .hostKey: translated("the server's ssh key is not a known one")
        case .handshake: translated("no secure connection could be made")
        case .brokeOff: translated("the connection broke off")
        case .hungUp: translated("the server hangs up without an answer")
        case .status(let number): NetworkFault.words(of: number)
        case .missing: translated("the server has no such file")
        case .denied: translated("the server refuses this login")
        case .login: translated("the server rejects this name and password")
        case .noShare: translated("the server has no share of that name")
        case .forbidden: translated("access is denied")
        case .webPage: translated("the server sent a web page")
        case .changed: translated("the file on the server has changed")
        case .badAnswer: translated("the server's answer makes no sense")
        case .redirection: translated("the server redirects to an address that is not followed")
        case .privateAddress: translated("the server sends into a private network")
        case .proxy: translated("the proxy does not work")
        case .other: translated("the transfer failed")
        }
    }

    private static func words(of status: Int) -> String {
        switch status {
        case 401: translated("the server says 401: it asks for a name and a password")
        case 402: translated("the server says 402: it wants to be paid for this file")
        case 403: translated("the server says 403: it refuses this file")
        case 404: translated("the server says 404: no such file")
        case 407: translated("the proxy says 407: it asks for a name and a password")
        case 410: translated("the server says 410: the file is gone")
        case 429: translated("the server says 429: too many requests")
        case 451: translated("the server says 451: the law forbids this file here")
        case 502: translated("the server says 502: another one behind it fails")
        case 503: translated("the server says 503: it is overloaded, or closed for a while")
        case 504: translated("the server says 504: another one behind it does not answer")
        case 500...599: translated("the server says \(status): it has an internal error")
        default: translated("the server says \(status)")
        }
    }

    /// A wait, in whole seconds, minutes or hours: never shorter than it is.
    private static func words(of wait: TimeSpan) -> String {
        let seconds = max(1, (wait.nanoseconds + 999_999_999) / 1_000_000_000)
        if seconds < 120 { return "\(seconds) s" }
        return seconds < 7200 ? "\((seconds + 59) / 60) min" : "\((seconds + 3599) / 3600) h"
    }

    private var advice: String? {
        switch kind {
        case .noSuchHost: translated("check the name and the network")
        case .refused: translated("check the port, or try later")
        case .unreachable, .timedOut: translated("check the network, or try later")
        case .certificate: translated("check the date, name its authority with --ca-file, or take any with --insecure")
        case .hostKey: translated("log in once with the program ssh, which notes the key in ~/.ssh/known_hosts")
        case .status(401): translated("write them as name:password@ in front of the host, or into ~/.netrc")
        case .status(403): translated("the address may have expired")
        case .denied: translated("write name and password into the address, or into ~/.netrc")
        case .login: translated("write name and password into the address, in front of the host")
        case .noShare: translated("check the address")
        case .forbidden: translated("write a name that has access into the address")
        case .hungUp: translated("try later")
        case .missing, .status(404), .status(410): translated("check the address")
        case .status(429), .status(500...599):
            retryAfter.map { translated("try again in \(Self.words(of: $0))") } ?? translated("try later")
        case .changed: translated("open it again")
        case .privateAddress: translated("--allow-lan permits it")
        case .proxy, .status(407): translated("check --http-proxy, and http_proxy and https_proxy of the environment")
        default: nil
        }
    }
}
