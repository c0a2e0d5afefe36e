import AetherCore

/// The bytes that `--max-rate` leaves for the next frame: a bucket that fills at the allowed rate and is emptied by what is sent.
///
/// The bucket holds 0.15 s of the rate, so that over any 2 s no more than 1.08 times the rate is sent, and a cut may still be
/// larger than its neighbours. Pure: time is an argument.
struct RateCeiling: Equatable {
    /// Bytes a second.
    let rate: Double
    private let capacity: Double
    private var level: Double
    private var filledAt: HostTime?

    /// Frames smaller than this are not worth their cursor moves: the bucket is waited for instead.
    static let leastFrame = 2048.0

    /// A full bucket; `rate` in bytes a second, at least 1024.
    init(rate: Double) {
        self.rate = max(1024, rate)
        capacity = max(0.15 * self.rate, 2 * Self.leastFrame)
        level = capacity
    }

    /// Bytes for a frame sent now, when frames come every `interval`: what comes in meanwhile, and half of what is over half a
    /// bucket, so that the level settles there. 0 where the bucket must fill first.
    mutating func budget(interval: TimeSpan, at now: HostTime) -> Int {
        fill(until: now)
        guard level >= Self.leastFrame else { return 0 }
        let wanted = rate * interval.seconds + 0.5 * (level - 0.5 * capacity)
        return Int(min(level, max(Self.leastFrame, wanted)))
    }

    /// The time at which there are bytes enough for a frame.
    mutating func nextFrame(after now: HostTime) -> HostTime {
        fill(until: now)
        return now + .seconds(max(0, (Self.leastFrame - level) / rate) + 0.001)
    }

    /// Takes out what was sent.
    mutating func spend(_ bytes: Int, at now: HostTime) {
        fill(until: now)
        level -= Double(bytes)
    }

    private mutating func fill(until now: HostTime) {
        if let filledAt { level = min(capacity, level + max(0, (now - filledAt).seconds) * rate) }
        filledAt = now
    }
}
