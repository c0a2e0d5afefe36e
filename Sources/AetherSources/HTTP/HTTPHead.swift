import AetherCore

/// Status and fields of an answer, as far as anybody needs them.
struct HTTPHead: Sendable, Equatable {
    var status: Int
    /// Names in small letters. Of a name that comes twice the last counts, but for lists.
    var fields: [String: String] = [:]

    /// The bytes that follow; nil where it is not said, or said in a way that cannot be.
    var contentLength: Int64? { fields["content-length"].flatMap(HTTPHead.count) }

    /// The part of the file that follows.
    var contentRange: ContentRange? { fields["content-range"].flatMap(ContentRange.init) }

    /// Whether the server takes requests for parts.
    var acceptsRanges: Bool { status == 206 || fields["accept-ranges"]?.lowercased() == "bytes" }

    /// The validator for `If-Range`: a strong ETag, else the time of the last change.
    var validator: String? {
        if let tag = fields["etag"], tag.hasPrefix("\""), tag.utf8.count <= 256 { return tag }
        return fields["last-modified"].flatMap { $0.utf8.count <= 64 ? $0 : nil }
    }

    /// A weak ETag without its mark: it tells one version from another, but promises no equal bytes.
    var weakTag: String? {
        guard let tag = fields["etag"], tag.hasPrefix("W/\""), tag.utf8.count <= 256 else { return nil }
        return String(tag.dropFirst(2))
    }

    /// Compressed by the server: the lengths that it states are not the file's.
    var isPacked: Bool { !["", "identity"].contains(fields["content-encoding"]?.lowercased() ?? "") }

    /// Whether a name and its password have to be proved by a digest. Servers name several ways, in fields of their own or in one list.
    var wantsDigest: Bool {
        guard let ways = fields["www-authenticate"]?.lowercased() else { return false }
        return ways.hasPrefix("digest") || ways.contains(", digest ")
    }

    /// How long to leave the server alone, where it says so: in seconds, or by a date of its own clock, a day at most.
    var retryAfter: TimeSpan? {
        guard let text = fields["retry-after"] else { return nil }
        if let count = HTTPHead.count(text) { return .seconds(Double(min(count, 86_400))) }
        guard let until = HTTPDate.seconds(text), let now = fields["date"].flatMap(HTTPDate.seconds) else { return nil }
        return .seconds(Double(min(max(0, until - now), 86_400)))
    }

    /// Only digits: " +5" or "5, 5" are no length.
    static func count(_ text: String) -> Int64? {
        !text.isEmpty && text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int64(text) : nil
    }
}

/// `Content-Range`.
struct ContentRange: Sendable, Equatable {
    /// First and last byte; nil where the server says that there are none (416).
    var bounds: ClosedRange<Int64>?
    /// Bytes of the whole file; nil where the server does not know.
    var total: Int64?

    /// Reads the field's value; nil where it makes no sense.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] != "*" {
            guard let total = HTTPHead.count(String(parts[1])) else { return nil }
            self.total = total
        }
        if parts[0] == "*" { return }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { HTTPHead.count(String($0)) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, total.map({ last < $0 }) ?? true else {
            return nil
        }
        bounds = first...last
    }
}

/// Collects the lines of an answer's head, within bounds.
struct HTTPHeadLines {
    private var head: HTTPHead?
    private var byteCount = 0

    /// 64 KB: servers send 2 at most, a cookie each 4.
    private static let limit = 64 << 10

    /// The result of a line.
    enum Step: Equatable {
        case more
        /// The head is complete.
        case done(HTTPHead)
        case tooMuch
    }

    /// Takes one line with its end.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Step {
        byteCount += bytes.count
        guard byteCount <= Self.limit else { return .tooMuch }
        let end = bytes.lastIndex { $0 != 0x0D && $0 != 0x0A }.map { $0 + 1 } ?? 0
        let line = bytes[..<end]
        if line.isEmpty {
            // 1xx are no answers yet.
            guard let head, head.status >= 200 else { return .more }
            return .done(head)
        }
        // Shoutcast's first version answers "ICY 200 OK".
        if line.starts(with: Array("HTTP/".utf8)) || (head == nil && line.starts(with: Array("ICY ".utf8))) {
            let words = line.split(separator: 0x20, maxSplits: 2)
            head = HTTPHead(status: words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0)
            return .more
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return .more }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
        let last = value.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? value.startIndex
        let text = String(decoding: value[..<last], as: UTF8.self)
        if ["cache-control", "vary", "www-authenticate"].contains(name), let before = head?.fields[name] {
            head?.fields[name] = before + ", " + text
        } else {
            head?.fields[name] = text
        }
        return .more
    }
}
