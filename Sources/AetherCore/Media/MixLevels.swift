/// How loud channels without a speaker of their own are mixed into the others.
public struct MixLevels: Sendable, Equatable {
    /// The centre (dialogue) into left and right, in dB. ITU-R BS.775: −3.
    public var centerDecibels: Double
    /// Side and back into the front, in dB. ITU-R BS.775: −3.
    public var surroundDecibels: Double
    /// The bass effects channel into left and right, in dB; nil leaves it out, as BS.775 advises.
    public var lowFrequencyDecibels: Double?

    /// Levels; what is not given is the recommendation.
    public init(centerDecibels: Double = -3, surroundDecibels: Double = -3, lowFrequencyDecibels: Double? = nil) {
        self.centerDecibels = centerDecibels
        self.surroundDecibels = surroundDecibels
        self.lowFrequencyDecibels = lowFrequencyDecibels
    }
}
