import AetherCore
import CCurl
import Glibc

/// Which answers may be kept on disk. Pure, but for libcurl's reader of dates.
enum CacheRules {
    /// Header lines that do not tell who the person is.
    private static let harmless: Set<String> = ["accept", "accept-language", "dnt", "origin", "referer", "user-agent"]

    /// Whether a file may be kept, by its request: what goes to a server with credentials, cookies or a certificate is for this person alone, and
    /// an answer from an unverified server is not kept. `netrc`: the text of the file of names and passwords.
    static func admits(_ address: WebAddress, _ options: HTTPOptions, netrc: String?) -> Bool {
        let applied = options.applied(to: address.origin, isTrusted: true)
        guard address.isWeb, !options.isListing, options.document == nil, address.user == nil, address.password == nil,
            applied.cookieFile == nil,
            applied.clientCertificate == nil, !applied.trustsAnybody,
            applied.headers.keys.allSatisfy({ harmless.contains($0.lowercased()) })
        else { return false }
        return !(netrc.map { names(address.origin.host, in: $0) } ?? false)
    }

    /// Whether such a file has words for a host, or for all.
    private static func names(_ host: String, in netrc: String) -> Bool {
        let words = netrc.split { $0.isWhitespace }.map { $0.lowercased() }
        return words.contains("default") || zip(words, words.dropFirst()).contains { $0 == "machine" && $1 == host }
    }

    /// Whether the answer says that it may be kept, and which file it is of.
    static func isStorable(_ head: HTTPHead) -> Bool {
        guard !forbids(head), let validator = head.validator else { return false }
        if validator.hasPrefix("\"") { return true }
        // Times of change have seconds: one that is older by a minute stands for one file (RFC 9110, 8.8.2.2).
        guard let change = time(validator), let now = head.fields["date"].flatMap(time) else { return false }
        return now - change >= 60
    }

    /// Whether the answer says that it may not be kept.
    static func forbids(_ head: HTTPHead) -> Bool {
        let isSecret = head.fields["cache-control"]?.lowercased().contains("no-store") ?? false
        return isSecret || head.fields["vary"]?.contains("*") ?? false
    }

    private static func time(_ text: String) -> Int? {
        let time = curl_getdate(text, nil)
        return time >= 0 ? time : nil
    }
}

/// The file on disk as it was known before the server was asked.
struct CachedFile: Sendable, Equatable {
    let size: Int64
    let validator: String
}

/// Whether the file's bytes may be kept on disk, or taken from there.
enum CacheVerdict: Sendable, Equatable {
    /// No answer yet, or none that says it.
    case unknown
    /// Nothing may be kept.
    case never
    /// The bytes may be kept: the server has said which file it is.
    case fresh
    /// The file on disk is the server's.
    case unchanged
}
