/// SplitMix64: the same numbers for the same seed on every machine.
public struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// A generator that starts at `seed`.
    public init(seed: UInt64) { state = seed }

    /// The next 64 bits (SplitMix64).
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number in 0..<limit.
    public mutating func below(_ limit: Int) -> Int { Int(truncatingIfNeeded: next() >> 33) % max(1, limit) }
}
