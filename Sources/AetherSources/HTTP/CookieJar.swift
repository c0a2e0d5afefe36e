import Synchronization

/// The cookies that servers have set since a session began, as libcurl writes them: each line says to which servers it goes. Shared by all
/// requests that are made with the same options. Never written to disk.
final class CookieJar: Sendable, Equatable, CustomStringConvertible {
    private let state = Mutex<[String]>([])
    /// As many as browsers keep of three servers, of the length that libcurl takes.
    static let limit = 150, lineLimit = 8192

    /// Lines of Netscape's format, the oldest first.
    var lines: [String] { state.withLock { $0 } }

    /// Takes the cookies that a request's handle knows by now and did not know when it was given those in `given`: what another request has been
    /// told meanwhile stays.
    func take(_ lines: [String], given: [String]) {
        let before = Set(given), after = Set(lines)
        let fresh = lines.filter { !before.contains($0) && $0.utf8.count <= Self.lineLimit }
        let renewed = Set(fresh.map(Self.key))
        // One that the handle has lost was deleted by the server, or is too old.
        let gone = before.subtracting(after)
        guard !fresh.isEmpty || !gone.isEmpty else { return }
        state.withLock { known in
            known.removeAll { gone.contains($0) || renewed.contains(Self.key($0)) }
            known = Array((known + fresh).suffix(Self.limit))
        }
    }

    /// A cookie's servers, its path and its name: another of the same takes its place. The format has seven fields with tabs between them.
    private static func key(_ line: String) -> [Substring] {
        let fields = line.split(separator: "\t", maxSplits: 6, omittingEmptySubsequences: false)
        return fields.count > 5 ? [fields[0], fields[2], fields[5]] : fields
    }

    /// Options that differ in what servers have set are the same.
    static func == (a: CookieJar, b: CookieJar) -> Bool { true }

    /// Nothing: what a server sets is a secret.
    var description: String { "" }
}
