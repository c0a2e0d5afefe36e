import Glibc

/// Looks for the λ at which a frame meets its byte budget: a few encodings, a secant on the logarithms. A pure value.
struct BudgetSearch {
    /// λ is never above this: a whole cell off by 255 in every channel is then worth six bytes.
    static let ceiling = 65_536.0
    /// Encodings of one frame at most.
    private static let attempts = 4
    /// The state that is carried from frame to frame.
    struct Memory: Sendable {
        /// λ with which the next frame is expected to meet its budget.
        var lambda = 0.0
        /// By how much log bytes falls for log λ: about this for video with 24 bit, twice as much with 256 colours.
        var slope = 0.6
    }

    /// Bytes that are aimed at, as a share of the budget: a little below, for the next frame is not the same.
    private static let aim = 0.98
    /// Fewer bytes than this share are worth another encoding.
    private static let least = 0.9

    private let budget: Double
    private let lowest: Double
    private var lambda: Double
    private var attempt = 1
    /// λ known to give too many bytes, and λ known to fit.
    private var tooLow: Point?, fits: Point?
    private(set) var forNextFrame: Memory

    /// An encoding that was tried.
    private struct Point {
        let lambda: Double, bytes: Double
    }

    /// A search from `start`, which fitted the last frame, above the λ that is wanted anyway.
    init(budget: Int, lowest: Double, start: Memory) {
        self.budget = Double(budget)
        self.lowest = lowest
        lambda = max(lowest, start.lambda)
        forNextFrame = start
    }

    /// The bytes at which an encoding stops.
    var limit: Int { Int(budget * 1.06) }

    /// The quality to encode with. The bound on a channel's error yields as λ grows: 4·√λ is 16 at 16 and everything at 4096.
    func quality(_ wanted: EncodeQuality) -> EncodeQuality {
        var quality = wanted
        quality.lambda = lambda
        if lambda > wanted.lambda {
            quality.maximumChannelError = max(wanted.maximumChannelError, min(255, Int(4 * lambda.squareRoot())))
        }
        return quality
    }

    /// Takes in an encoding of a share of the rows. Whether it is good enough; otherwise the next one has another λ.
    mutating func accepts(bytes: Int, share: Double) -> Bool {
        let expected = max(1, share > 0 ? Double(bytes) / share : budget * 16)
        let isWhole = share >= 1
        learn(bytes: expected)
        forNextFrame.lambda = predicted(expected)
        if attempt == Self.attempts { return true }
        attempt += 1
        if isWhole {
            let isFull = Double(bytes) >= budget * Self.least || lambda <= lowest
            if isFull { return true }
            fits = Point(lambda: lambda, bytes: expected)
            let next = attempt == Self.attempts ? fallback : between(forNextFrame.lambda)
            // Too near to be worth it.
            if next > lambda * 0.95 { return true }
            lambda = next
            return false
        }
        tooLow = Point(lambda: lambda, bytes: expected)
        // The last encoding must fit: what is known to, or far up.
        let isLast = attempt == Self.attempts
        lambda = isLast ? fallback : between(forNextFrame.lambda)
        return false
    }

    /// λ of the last encoding: what is known to fit, or far up. Where hardly anything is left to send with that, and too much with
    /// less, some rows get what they need and the others wait.
    private var fallback: Double {
        guard let fits else { return min(Self.ceiling, max(1, forNextFrame.lambda) * 2) }
        if let tooLow, fits.bytes < budget * 0.4 { return tooLow.lambda }
        return fits.lambda
    }

    /// Two encodings of one frame tell how steep its curve is; half of that is believed.
    private mutating func learn(bytes: Double) {
        guard let other = tooLow ?? fits, lambda > 0.1, other.lambda > 0.1 else { return }
        let run = log(lambda / other.lambda)
        guard abs(run) > 0.1 else { return }
        let slope = log(other.bytes / max(1, bytes)) / run
        forNextFrame.slope = (forNextFrame.slope + min(3, max(0.3, slope))) / 2
    }

    /// λ at which as many bytes would have met the aim, no further than a factor of 32 away.
    private func predicted(_ bytes: Double) -> Double {
        let ratio = pow(max(1, bytes) / (budget * Self.aim), 1 / forNextFrame.slope)
        let next = max(lambda, 0.25) * min(32, max(1.0 / 32, ratio))
        return next < 0.1 ? lowest : min(Self.ceiling, max(lowest, next))
    }

    /// A λ within what is known: between two encodings by their bytes, a little on the safe side.
    private func between(_ next: Double) -> Double {
        guard let tooLow else { return next }
        guard let fits else { return min(Self.ceiling, max(next, tooLow.lambda * 1.2, 0.5)) }
        let low = log(max(tooLow.lambda, 0.1)), high = log(max(fits.lambda, 0.11))
        let place = log(budget * Self.aim / fits.bytes) / max(0.01, log(tooLow.bytes / fits.bytes))
        return exp(high + (low - high) * min(0.9, max(0.1, place)))
    }
}
