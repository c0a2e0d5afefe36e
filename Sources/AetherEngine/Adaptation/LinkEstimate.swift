import AetherCore
import Glibc

/// The rate that a link has, by what came over it: two averages that forget at different speeds, of which the lower counts. Pure.
struct LinkEstimate: Sendable, Equatable {
    private struct Average: Sendable, Equatable {
        /// Seconds of transfer after which a sample counts half.
        let halfLife: Double
        private var sum = 0.0, weight = 0.0

        init(halfLife: Double) { self.halfLife = halfLife }

        mutating func add(_ value: Double, over seconds: Double) {
            let kept = exp2(-seconds / halfLife)
            sum = sum * kept + value * (1 - kept)
            weight = weight * kept + (1 - kept)
        }

        /// nil before the first sample.
        var value: Double? { weight > 0 ? sum / weight : nil }
    }
    private var fast = Average(halfLife: 2), slow = Average(halfLife: 5)

    /// Fewer bytes say more about the server's answer than about the link.
    private static let leastBytes: Int64 = 16 << 10
    /// The shortest time that is reckoned: bytes that came in less time are taken as if they had come in this time. 16 KB are 26 Mbit/s
    /// then.
    private static let leastSpan = TimeSpan.milliseconds(5)

    /// Nothing is known.
    init() {}

    /// Takes a sample into account; one that is too small says nothing.
    mutating func add(_ sample: LinkSample) {
        guard sample.bytes >= Self.leastBytes else { return }
        let seconds = max(sample.span, Self.leastSpan).seconds, rate = Double(sample.bytes) * 8 / seconds
        fast.add(rate, over: seconds)
        slow.add(rate, over: seconds)
    }

    /// Bits a second; nil while unknown.
    var rate: Double? {
        guard let fast = fast.value, let slow = slow.value else { return nil }
        return min(fast, slow)
    }
}
