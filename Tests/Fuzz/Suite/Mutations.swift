import AetherTestSupport

/// Inputs that grow from a seed: the seed itself, its beginnings, and the seed with bytes changed, doubled, taken out and put in. The same ones
/// in every run: what a fuzzer finds in hours, this finds the plain part of in a second.
struct Mutations: Sequence, IteratorProtocol {
    private let seed: [UInt8]
    private var random: SeededRandom
    private var number = 0
    private let count: Int

    /// Pieces over which parsers of numbers, lengths and escape sequences trip.
    private static let pieces: [[UInt8]] =
        [
            "9223372036854775807", "-9223372036854775809", "1e400", "nan", "-0", "\u{1B}[", "\u{9B}", "\r", "\u{0}", "\u{202E}",
            "<", "&#x110000;", "\"",
            "[", "{", "--> ", "\\", "%", "=", ":",
        ].map { Array($0.utf8) } + [[0xFF, 0xFF, 0xFF, 0xFF], [0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x00, 0x00, 0x01]]

    init(of seed: [UInt8], count: Int) {
        self.seed = seed
        self.count = count
        random = SeededRandom(seed: UInt64(seed.count) &+ 1)
    }

    mutating func next() -> [UInt8]? {
        guard number < count else { return nil }
        defer { number += 1 }
        guard number > 0 else { return seed }
        if number % 10 == 1 { return Array(seed.prefix(random.below(seed.count + 1))) }
        var bytes = seed
        for _ in 0...random.below(4) { change(&bytes) }
        return Array(bytes.prefix(4096))
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = random.below(bytes.count + 1), length = random.below(Swift.min(32, bytes.count - place + 1))
        switch random.below(5) {
        case 0: if place < bytes.count { bytes[place] ^= 1 << UInt8(random.below(8)) }
        case 1: if place < bytes.count { bytes[place] = UInt8(random.below(256)) }
        case 2: bytes.removeSubrange(place..<place + Swift.min(length, bytes.count - place))
        case 3:
            bytes.insert(
                contentsOf: bytes[place..<place + Swift.min(length, bytes.count - place)], at: random.below(bytes.count + 1))
        default: bytes.insert(contentsOf: Mutations.pieces[random.below(Mutations.pieces.count)], at: place)
        }
    }
}
