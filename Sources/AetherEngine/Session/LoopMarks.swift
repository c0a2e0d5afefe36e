import AetherCore

/// The points between which playing goes round: the first, then both. Pure.
struct LoopMarks: Sendable, Equatable {
    /// A shorter loop is a key that bounced.
    static let shortest = TimeSpan.milliseconds(200)

    private(set) var start: MediaTime?
    private(set) var end: MediaTime?

    /// Sets the first, then the second, then takes both away. The second may lie before the first; false when it lies too near.
    mutating func mark(_ point: MediaTime) -> Bool {
        switch (start, end) {
        case (nil, _): start = point
        case (let first?, nil):
            guard (point - first).magnitude >= Self.shortest else { return false }
            (start, end) = (min(first, point), max(first, point))
        case (_?, _?): (start, end) = (nil, nil)
        }
        return true
    }

    /// The point at which playing from another turns back to the start: not from behind the end.
    func turn(from point: MediaTime) -> MediaTime? { end.flatMap { point < $0 ? $0 : nil } }
}
