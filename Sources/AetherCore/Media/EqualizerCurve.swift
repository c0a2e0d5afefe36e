/// The gains of ten bands of audio, an octave each.
public struct EqualizerCurve: Sendable, Hashable, CustomStringConvertible {
    /// The middles of the bands in Hz.
    public static let frequencies = [31.25, 62.5, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000]
    /// A band is at most so many dB louder or softer.
    public static let limit = 12.0

    /// Ten of them, in dB, −12…12.
    public private(set) var gains: [Double]

    /// A curve; what is missing is 0, what is outside is clamped, NaN is 0.
    public init(_ gains: [Double] = []) {
        self.gains = Self.frequencies.indices.map { gains.indices.contains($0) ? Self.clamped(gains[$0]) : 0 }
    }

    /// The gain of a band from 0, in dB. Traps for a band that there is not.
    public subscript(band: Int) -> Double {
        get { gains[band] }
        set { gains[band] = Self.clamped(newValue) }
    }

    private static func clamped(_ gain: Double) -> Double { gain.isNaN ? 0 : min(max(gain, -limit), limit) }

    /// True where it changes nothing.
    public var isFlat: Bool { gains.allSatisfy { $0 == 0 } }

    // MARK: - Names

    /// The curves that have names, in the order of a menu.
    public static let presets: [(name: String, curve: EqualizerCurve)] = [
        ("flat", EqualizerCurve()),
        // Voices lie between 300 Hz and 4 kHz; rumble and hiss around them are what hides them.
        ("speech", EqualizerCurve([-8, -6, -3, 0, 2, 4, 4, 3, 0, -3])),
        ("bass", EqualizerCurve([6, 6, 5, 3, 1])),
        // Sounds that go through walls are lowered, sounds that carry words are not.
        ("night", EqualizerCurve([-12, -9, -6, -3, 0, 1, 2, 1, -1, -3])),
    ]

    /// The name of the preset with this curve; nil for none.
    public var name: String? { Self.presets.first { $0.curve == self }?.name }

    /// The preset behind this curve, from the last to the first; flat where it is none.
    public var next: EqualizerCurve {
        let place = Self.presets.firstIndex { $0.curve == self }.map { $0 + 1 } ?? 0
        return Self.presets[place % Self.presets.count].curve
    }

    /// Reads the name of a preset, or one to ten numbers of dB with commas between; nil for anything else.
    public init?(_ text: String) {
        if let preset = Self.presets.first(where: { $0.name == text }) {
            self = preset.curve
            return
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0) }
        guard (1...Self.frequencies.count).contains(parts.count), numbers.count == parts.count,
            numbers.allSatisfy({ (-Self.limit...Self.limit).contains($0) })
        else { return nil }
        self.init(numbers)
    }

    /// The form that `init(_:)` reads.
    public var description: String {
        if let name { return name }
        return gains.map { $0 == $0.rounded() ? "\(Int($0))" : "\($0)" }.joined(separator: ",")
    }
}
