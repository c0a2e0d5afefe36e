import Synchronization

/// The cookies that servers have set since a session began, as libcurl writes them: each line says to which servers it goes. Shared by all
/// requests that are made with the same options. Never written to disk.
final class CookieJar: Sendable, Equatable, CustomStringConvertible {
    private let state = Mutex<[String]>([])
    /// As many as browsers keep of three servers, of the length that libcurl takes.
    static let limit = 150, lineLimit = 8192

    /// Lines of Netscape's format, the oldest first.
    var lines: [String] { state.withLock { $0 } }

    /// Takes the cookies that a request's handle knows by now.
    func take(_ lines: [String]) {
        guard !lines.isEmpty else { return }
        let known = lines.filter { $0.utf8.count <= Self.lineLimit }.suffix(Self.limit)
        state.withLock { $0 = Array(known) }
    }

    /// Options that differ in what servers have set are the same.
    static func == (a: CookieJar, b: CookieJar) -> Bool { true }

    /// Nothing: what a server sets is a secret.
    var description: String { "" }
}
