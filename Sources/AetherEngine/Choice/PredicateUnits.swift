extension VariantKeyPath.Kind {
    /// The number of its own units in one of these, in lower case; nil for a unit of something else.
    func factor(of unit: String) -> Double? {
        switch (self, unit) {
        case (_, ""): 1
        case (.rate, "bps"): 1
        case (.rate, "k"), (.rate, "kbps"): 1e3
        case (.rate, "m"), (.rate, "mbps"): 1e6
        case (.rate, "g"), (.rate, "gbps"): 1e9
        case (.lines, "p"), (.pixels, "px"), (.lines, "px"), (.frames, "fps"), (.frames, "hz"): 1
        default: nil
        }
    }

    /// The units that it takes, as a person is told.
    var units: String {
        switch self {
        case .rate: "bits a second take K, M or G"
        case .lines: "lines take p, as in 720p"
        case .pixels: "pixels take px or none"
        case .frames: "frames a second take fps or none"
        default: "it takes none"
        }
    }
}

/// A name of four letters that is written as a number, as Apple's constants are.
struct FourCharacterCode: Sendable, Equatable {
    /// Without the spaces at its end.
    let text: String

    /// nil for a number whose bytes are no printable ASCII.
    init?(_ number: Double) {
        guard let value = UInt32(exactly: number) else { return nil }
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        let spaces = bytes.reversed().prefix { $0 == 0x20 }.count
        text = String(decoding: bytes.dropLast(spaces), as: UTF8.self)
        if text.isEmpty { return nil }
    }
}
