/// The loudness of a downmix.
public enum Downmix: String, Sendable, CaseIterable {
    /// Everything is lowered alike until no sum of full-scale channels can clip: 5.1 into stereo by 7.7 dB.
    case safe
    /// Left and right stay as loud as in a stereo recording, and a limiter holds the peaks that add up beyond full scale.
    case loud
}

/// The levels of channels without a speaker of their own in the others.
public struct MixLevels: Sendable, Equatable {
    /// The centre (dialogue) into left and right, in dB. ITU-R BS.775: −3.
    public var centerDecibels: Double
    /// Side and back into the front, in dB. ITU-R BS.775: −3.
    public var surroundDecibels: Double
    /// The bass effects channel into left and right, in dB; nil leaves it out, as BS.775 advises.
    public var lowFrequencyDecibels: Double?

    /// Whether the sum is lowered or limited.
    public var downmix: Downmix

    /// Levels; what is not given is the recommendation.
    public init(
        centerDecibels: Double = -3, surroundDecibels: Double = -3, lowFrequencyDecibels: Double? = nil, downmix: Downmix = .loud
    ) {
        self.centerDecibels = centerDecibels
        self.surroundDecibels = surroundDecibels
        self.lowFrequencyDecibels = lowFrequencyDecibels
        self.downmix = downmix
    }
}
