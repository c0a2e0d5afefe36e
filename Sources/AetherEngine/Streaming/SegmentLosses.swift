import AetherCore

/// The segments in a row that could not be had.
struct SegmentLosses {
    private var count = 0
    /// The reason for the last of them; also kept after a segment that was read.
    private(set) var reason: MediaError?
    /// So many are passed by; a server that is gone fails each of them.
    private static let limit = 3

    /// More are lost than are passed by.
    var areTooMany: Bool { count > Self.limit }

    mutating func add(_ error: MediaError) { (count, reason) = (count + 1, error) }

    /// A packet was read, or reading goes on elsewhere.
    mutating func end() { count = 0 }
}
