import AetherCore

/// The bytes that may be taken from a server by now, where a person has set a rate: a bucket that fills evenly and holds a quarter of a second.
/// Pure: time is an argument.
struct RateBrake: Sendable {
    /// Bytes that may be taken at once; below 0 none.
    private var room = 0.0
    private var filledAt: HostTime?
    /// The shortest bucket: a piece of libcurl's.
    private static let least = 16_384.0

    /// How many of the bytes may be taken now. Where none may, the time from which on some are.
    mutating func take(_ wanted: Int, rate: Int, now: HostTime) -> (count: Int, next: HostTime?) {
        let rate = Double(max(1, rate)), depth = max(Self.least, rate / 4)
        let elapsed = filledAt.map { max(0, (now - $0).seconds) } ?? .infinity
        room = min(depth, elapsed.isFinite ? room + elapsed * rate : depth)
        filledAt = now
        // Not byte by byte: a sixteenth of the bucket is worth a wake-up.
        let piece = min(Double(wanted), depth / 16)
        guard room >= piece else { return (0, now + .seconds((piece - room) / rate)) }
        let count = min(wanted, Int(room))
        room -= Double(count)
        return (count, nil)
    }
}
