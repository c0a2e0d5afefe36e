public import AetherCore

/// How audio is treated on its way to the device.
public struct AudioOptions: Sendable, Equatable {
    /// Which of a recording's own levels it is played at.
    public var replayGain = ReplayGainMode.off
    /// Loudness is measured and brought to −18 LUFS while playing. Takes the place of `replayGain`.
    public var isLoudnessLevelled = false

    /// How channels without a speaker are mixed into the others; how loud all are together is a setting of playback.
    public var mix = MixLevels()

    /// Codecs whose bitstream goes untouched to a digital output.
    public var passthrough: BitstreamPassthrough = []

    /// The defaults: audio as it is.
    public init() {}
}
