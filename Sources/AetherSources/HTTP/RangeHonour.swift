import AetherCore
import Synchronization

/// Which servers know parts of files, so that one that does not is found out once and not with every file. Pure: time is an argument.
struct RangeHonour: Sendable {
    private var servers: [WebOrigin: (honours: Bool, until: HostTime)] = [:]
    /// A server may be another one by then, and more are not remembered.
    static let lifetime = TimeSpan.seconds(300), limit = 256

    /// Whether a server is known to send whole files where parts were asked for.
    func isMissing(_ origin: WebOrigin, now: HostTime) -> Bool {
        servers[origin].map { !$0.honours && now < $0.until } ?? false
    }

    /// An answer to a request for a part. Where a server has both kinds of files the word of those that have parts counts: without parts
    /// nothing can be sought.
    mutating func note(_ honours: Bool, of origin: WebOrigin, now: HostTime) {
        if !honours, let known = servers[origin], known.honours, now < known.until { return }
        if servers[origin] == nil, servers.count >= Self.limit {
            servers = servers.filter { now < $0.value.until }
            if servers.count >= Self.limit { servers = [:] }
        }
        servers[origin] = (honours, now + Self.lifetime)
    }
}

/// The same, where all readers find it.
final class RangeRecord: Sendable {
    private let honour = Mutex(RangeHonour())

    func isMissing(_ origin: WebOrigin, now: HostTime) -> Bool { honour.withLock { $0.isMissing(origin, now: now) } }

    func note(_ honours: Bool, of origin: WebOrigin, now: HostTime) { honour.withLock { $0.note(honours, of: origin, now: now) } }
}
