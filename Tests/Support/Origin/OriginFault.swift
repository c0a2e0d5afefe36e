import Foundation

/// How an answer goes wrong, as the address says it: `/~drop=5000,etag=a/film.mkv`. Counted in bytes and requests, not in time, but for
/// what measurements want to slow down.
struct OriginFault: Sendable {
    private let values: [String: String]
    /// The path without the faults.
    let path: String

    /// Takes the faults out of a request's path.
    init(_ target: String) {
        let plain = String(target.prefix { $0 != "?" })
        guard plain.hasPrefix("/~"), let end = plain.dropFirst(2).firstIndex(of: "/") else {
            (values, path) = ([:], plain)
            return
        }
        var values: [String: String] = [:]
        for word in plain[plain.index(plain.startIndex, offsetBy: 2)..<end].split(separator: ",") {
            let parts = word.split(separator: "=", maxSplits: 1)
            values[String(parts[0])] = parts.count > 1 ? String(parts[1]) : ""
        }
        path = String(plain[end...])
        let meant = values["only"]?.split(separator: "+").map(String.init), kind = OriginFault.kind(path)
        let isMeant = meant == nil || meant?.contains(kind) == true
        self.values = isMeant ? values : [:]
    }

    /// The kind of a file of a stream, by its name: `only=segment` spares all others, `only=key+init` all but two.
    private static func kind(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        if name == "master.m3u8" || name == "m.mpd" { return "manifest" }
        if name.hasSuffix(".m3u8") { return "playlist" }
        if name.hasSuffix(".bin") { return "key" }
        return name.hasPrefix("i") ? "init" : "segment"
    }

    private func number(_ name: String) -> Int? { values[name].flatMap { Int($0) } }
    private func has(_ name: String) -> Bool { values[name] != nil }

    /// The connection is cut after so many bytes of each body.
    var drop: Int? { number("drop") ?? lease }
    /// The same, but only for the first so many requests.
    var dropCount: Int { number("drops") ?? .max }
    /// Nothing more comes after so many bytes, until the origin is released.
    var stall: Int? { number("stall") }
    /// Only the first so many requests stall.
    var stallCount: Int { number("stalls") ?? .max }
    /// Nothing at all comes until the origin is released.
    var isLate: Bool { has("late") }
    /// Status and how many requests get it: `fail=503:2`.
    var failure: (status: Int, count: Int)? {
        guard let parts = values["fail"]?.split(separator: ":"), let status = parts.first.flatMap({ Int($0) }) else { return nil }
        return (status, parts.count > 1 ? Int(parts[1]) ?? 1 : .max)
    }
    /// Seconds, or a date as `date` has it.
    var retryAfter: String? { values["retry"].map(OriginFault.words) }
    /// The number of bytes by which the stated length is too long.
    var lengthLie: Int { number("length") ?? 0 }
    /// The number of bytes by which the stated length of the whole file is too long, in answers with a part.
    var totalLie: Int { number("total") ?? 0 }
    /// By how much parts begin elsewhere than they say.
    var rangeLie: Int { number("badrange") ?? 0 }
    var knowsRanges: Bool { !has("norange") }
    /// Says 200 to a request from the start on, and that it knows parts.
    var isWholeFirst: Bool { has("whole") }
    /// So many more redirections.
    var redirects: Int { number("redir") ?? 0 }
    /// Where to, with ! for /, ^ for ?, and * for the number of the request.
    var redirectTarget: String? {
        values["to"]?.replacingOccurrences(of: "!", with: "/").replacingOccurrences(of: "^", with: "?")
    }
    /// Who does not bring this cookie is given it, and sent to the same address once more.
    var cookie: String? { values["cookie"] }
    var isChunked: Bool { has("chunked") }
    /// Neither length nor pieces: the end of the connection is that of the body.
    var isUnbounded: Bool { has("unbounded") }
    var closes: Bool { has("close") || isUnbounded }
    var saysGzip: Bool { has("gzip") }
    var hasEndlessHead: Bool { has("endless") }
    /// Nothing more of each head comes after so many bytes, until the origin is released.
    var headStall: Int? { number("headstall") }
    /// So many bytes that nobody asked for come behind each body.
    var garbage: Int { number("garbage") ?? 0 }
    var tag: String? { values["etag"] }
    /// Tags are weak ones.
    var isTagWeak: Bool { has("weak") }
    /// The address is good for one request, whose connection is cut after so many bytes of its body: from the second on it is refused.
    var lease: Int? { number("lease") }
    /// From the request after so many on, parts are not known any more.
    var partCount: Int { number("parts") ?? .max }
    /// A part of a stated version is answered with the whole file.
    var ignoresVersions: Bool { has("versions") }
    /// The file that comes with another tag is so long.
    var changedSize: Int? { number("cut") }
    /// The time of the last change, some minutes past ten.
    var change: String? { number("modified").map { "Mon, 23 Nov 2026 10:\($0 + 10):00 GMT" } }
    /// The server's time: as it is said, with + for spaces and ; for commas; else hours after the change, or half a minute where the file is young.
    var date: String? {
        values["date"].map(OriginFault.words)
            ?? number("modified").map {
                has("young") ? "Mon, 23 Nov 2026 10:\($0 + 10):30 GMT" : "Mon, 23 Nov 2026 12:00:00 GMT"
            }
    }
    private static func words(_ text: String) -> String {
        text.replacingOccurrences(of: "+", with: " ").replacingOccurrences(of: ";", with: ",")
    }

    /// Forbids to keep the answer, in the first of two lines.
    var forbidsKeeping: Bool { has("nostore") }
    /// The file that comes with another tag has other bytes.
    var flips: Bool { has("flip") }
    /// From this request on the file is another one.
    var changesAt: Int? { number("change") }
    /// From there on it is another one at each request.
    var keepsChanging: Bool { has("turns") }
    /// PROPFIND is answered.
    var isDAV: Bool { has("dav") }
    var isPage: Bool { has("page") }
    /// So many requests get a page at first.
    var pageCount: Int { number("pages") ?? 0 }
    /// So many answers are empty.
    var emptyCount: Int { number("empties") ?? 0 }
    /// Only the first so many answers lie.
    var lieCount: Int { number("lies") ?? .max }
    var wantsAuthorization: Bool { has("auth") }
    /// Asks for a digest, and takes any that looks like one.
    var wantsDigest: Bool { has("digest") }
    /// Milliseconds before the head of each answer: a round trip, for measurements.
    var delay: Int? { number("delay") }
    /// Bytes a second, for measurements.
    var rate: Int? { number("rate") }

    /// The same faults with one redirection less.
    var afterRedirect: String {
        let words = values.filter { $0.key != "redir" }.map { $0.value.isEmpty ? $0.key : "\($0.key)=\($0.value)" }.sorted()
        return "/~" + (words + ["redir=\(redirects - 1)"]).joined(separator: ",") + path
    }
}
