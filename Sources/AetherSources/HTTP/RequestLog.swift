public import AetherCore

/// A request to a server: when it was made, when its answer began, and what has come of it.
public struct NetworkRequest: Sendable, Equatable {
    /// Rises with each request of the process.
    public let number: Int
    /// The last part of the address, without what stands behind a question mark: that may be a secret.
    public let name: String
    /// The byte that was asked for first; nil where the whole file was.
    public let offset: Int64?
    /// The request was made.
    public let begin: HostTime
    /// The head of the answer had come.
    public internal(set) var firstByte: HostTime?
    /// No more comes.
    public internal(set) var end: HostTime?
    /// Bytes of the body so far.
    public internal(set) var bytes: Int64 = 0
    /// The status of the answer.
    public internal(set) var status: Int?
    /// Why it ended early; empty where it did not.
    public internal(set) var trouble = ""
    /// Nobody waits for the rest.
    public internal(set) var isDropped = false
}

/// The last requests of a source, the oldest first. A value.
struct RequestLog: Sendable {
    private(set) var requests: [NetworkRequest] = []

    /// A minute of a stream in segments of one second.
    static let limit = 64

    mutating func begin(_ number: Int, _ name: String, offset: Int64?, now: HostTime) {
        requests.append(NetworkRequest(number: number, name: name, offset: offset, begin: now))
        // Those that are under way are kept longest.
        if requests.count > Self.limit { requests.remove(at: requests.firstIndex { $0.end != nil } ?? 0) }
    }

    mutating func answer(_ number: Int, status: Int, now: HostTime) {
        change(number) { ($0.firstByte, $0.status) = ($0.firstByte ?? now, status) }
    }

    mutating func receive(_ number: Int, _ count: Int) { change(number) { $0.bytes += Int64(count) } }

    /// Only the first end counts.
    mutating func end(_ number: Int, trouble: String = "", isDropped: Bool = false, now: HostTime) {
        change(number) { request in
            guard request.end == nil else { return }
            (request.end, request.trouble, request.isDropped) = (now, trouble, isDropped)
        }
    }

    private mutating func change(_ number: Int, _ body: (inout NetworkRequest) -> Void) {
        guard let place = requests.lastIndex(where: { $0.number == number }) else { return }
        body(&requests[place])
    }
}
