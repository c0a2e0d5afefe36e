/// Figures of a source's transfers over the network since it was opened.
public struct NetworkFigures: Sendable, Equatable {
    /// Bytes of bodies that have come.
    public var bytes: Int64 = 0
    /// Requests that were made.
    public var requests = 0
    /// Connections that were made for them.
    public var connections = 0
    /// Requests that were made again after a failure.
    public var retries = 0
    /// Reads that were answered from memory, without the server.
    public var cacheHits = 0
    /// Between the latest request and the head of its answer; nil before the first.
    public var firstByte: TimeSpan?

    /// Nothing was transferred yet.
    public init() {}
}

/// Bytes that came over a link in a row, and the time that they took: what the link can do, with no reader waiting for them.
public struct LinkSample: Sendable, Equatable {
    /// Of all transfers together.
    public let bytes: Int64
    /// From the first of them to the last.
    public let span: TimeSpan

    /// A sample.
    public init(bytes: Int64, span: TimeSpan) { (self.bytes, self.span) = (bytes, span) }
}

/// An attempt to reach a server again.
public struct ReconnectAttempt: Sendable, Equatable {
    /// Its number, from 1.
    public let number: Int
    /// The number of the last one that is made, as far as the present kind of failure goes on.
    public let limit: Int

    /// An attempt.
    public init(number: Int, limit: Int) {
        (self.number, self.limit) = (number, max(number, limit))
    }
}

/// The steps from a request to its answer, in order.
public enum ConnectionStep: Int, Sendable, Comparable {
    /// The host's name is looked up.
    case resolving
    /// The connection is made, its handshake included.
    case connecting
    /// The request is on its way; the answer is awaited.
    case waiting

    /// The order in time.
    public static func < (left: ConnectionStep, right: ConnectionStep) -> Bool { left.rawValue < right.rawValue }
}
