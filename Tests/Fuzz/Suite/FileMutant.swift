/// Mutants of a whole media file: a few changes at places that a reader looks at, such as heads of boxes and their fields, some anywhere.
/// The same ones for the same generator of random numbers.
struct FileMutant {
    private let seed: [UInt8]
    /// Places that a reader of the seed looked at.
    private let places: [Int]

    /// Numbers over which readers of sizes and counts trip: 1, 2, 4 and 8 bytes of each are written.
    private static let numbers: [UInt64] = [
        0, 1, 2, 7, 8, 9, 15, 16, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFF8, 0xFFFF_FFFF,
        0x1_0000_0000, 0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFF0, .max,
    ]

    /// `places`: of bytes of the seed that decide what is read next; those outside it are left out.
    init(of seed: [UInt8], places: [Int]) {
        self.seed = seed
        self.places = places.filter(seed.indices.contains)
    }

    /// The next mutant: never longer than the seed and a half, and 64 bytes.
    func next(using random: inout some RandomNumberGenerator) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 1...4, using: &random) { change(&bytes, &random) }
        return bytes.count > limit ? Array(bytes.prefix(limit)) : bytes
    }

    /// The most bytes of a mutant.
    var limit: Int { seed.count + seed.count / 2 + 64 }

    private func change(_ bytes: inout [UInt8], _ random: inout some RandomNumberGenerator) {
        guard !bytes.isEmpty else { return bytes = [UInt8.random(in: 0...255, using: &random)] }
        let isAnywhere = places.isEmpty || Int.random(in: 0..<8, using: &random) == 0
        let chosen = isAnywhere ? Int.random(in: 0..<bytes.count, using: &random) : places.randomElement(using: &random) ?? 0
        let place = min(chosen, bytes.count - 1), left = bytes.count - place
        let length = min(left, 1 << Int.random(in: 0...7, using: &random))
        switch Int.random(in: 0..<12, using: &random) {
        case 0...2: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 3, 4: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 5...7:
            // Big-endian, and the other way round for RIFF.
            let number = Self.numbers.randomElement(using: &random) ?? 0, width = 1 << Int.random(in: 0...3, using: &random)
            let isLittle = Bool.random(using: &random)
            for byte in 0..<min(width, left) {
                let shift = isLittle ? byte : width - 1 - byte
                bytes[place + byte] = UInt8(truncatingIfNeeded: number >> UInt64(shift * 8))
            }
        case 8: bytes.removeSubrange(place..<place + length)
        case 9: bytes.insert(contentsOf: Array(bytes[place..<place + length]), at: place)
        case 10:
            // Another part of the file over this one.
            let from = Int.random(in: 0...bytes.count - length, using: &random)
            for byte in 0..<length { bytes[place + byte] = bytes[from + byte] }
        default: bytes.removeSubrange(place...)
        }
    }
}
