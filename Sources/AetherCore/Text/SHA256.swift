/// The digest of FIPS 180-4. Pure; for texts as short as addresses, at some 100 MB/s.
public enum SHA256 {
    /// The 32 bytes of the digest.
    public static func digest(of message: [UInt8]) -> [UInt8] {
        var state = first
        var padded = message + [0x80]
        padded += [UInt8](repeating: 0, count: (56 - padded.count % 64 + 64) % 64)
        let bits = UInt64(message.count) * 8
        padded += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> UInt64($0)) }
        for start in stride(from: 0, to: padded.count, by: 64) { add(padded[start..<(start + 64)], to: &state) }
        return state.flatMap { word in stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var schedule = [UInt32](repeating: 0, count: 64)
        for (index, byte) in block.enumerated() { schedule[index / 4] = schedule[index / 4] << 8 | UInt32(byte) }
        for t in 16..<64 {
            let a = schedule[t - 15], b = schedule[t - 2]
            let small = turned(a, 7) ^ turned(a, 18) ^ a >> 3, large = turned(b, 17) ^ turned(b, 19) ^ b >> 10
            schedule[t] = schedule[t - 16] &+ small &+ schedule[t - 7] &+ large
        }
        var s = state
        for t in 0..<64 {
            let mixed = turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)
            let choice = s[4] & s[5] ^ ~s[4] & s[6]
            let one = s[7] &+ mixed &+ choice &+ constants[t] &+ schedule[t]
            let other = turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)
            let majority = s[0] & s[1] ^ s[0] & s[2] ^ s[1] & s[2]
            s = [one &+ other &+ majority, s[0], s[1], s[2], s[3] &+ one, s[4], s[5], s[6]]
        }
        for index in 0..<8 { state[index] = state[index] &+ s[index] }
    }

    private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    /// The first 64 primes: their square roots' and cube roots' first 32 bits behind the point are the numbers of the standard.
    private static let primes: [UInt64] = {
        var primes: [UInt64] = []
        var candidate: UInt64 = 2
        while primes.count < 64 {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes
    }()
    private static let first = primes.prefix(8).map { fraction($0, power: 2) }
    private static let constants = primes.map { fraction($0, power: 3) }

    /// The largest `root` with root^power ≤ prime × 2^(32 × power), less its whole part: bit by bit, in whole numbers.
    private static func fraction(_ prime: UInt64, power: Int) -> UInt32 {
        var root: UInt64 = 0
        for bit in stride(from: UInt64(36), through: 0, by: -1) where isAtMost(root | 1 << bit, power, prime) { root |= 1 << bit }
        return UInt32(truncatingIfNeeded: root)
    }

    /// Whether root^power ≤ prime × 2^(32 × power); root below 2^37, so the cube needs 111 bits.
    private static func isAtMost(_ root: UInt64, _ power: Int, _ prime: UInt64) -> Bool {
        let square = root.multipliedFullWidth(by: root)
        // 2^64 × prime for the square root.
        if power == 2 { return square.high < prime || square.high == prime && square.low == 0 }
        let low = square.low.multipliedFullWidth(by: root)
        let (sum, overflow) = low.high.addingReportingOverflow(square.high &* root)
        // 2^96 × prime: the upper word is prime × 2^32.
        return !overflow && (sum < prime << 32 || sum == prime << 32 && low.low == 0)
    }
}
