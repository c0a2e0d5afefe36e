/// Volume, mute and the level of a recording on interleaved float samples, without clicks: every change is spread over 10 ms. What
/// is amplified beyond full scale saturates softly (`SoftClip`). Pure: no clock, no device.
public struct AudioGain: Sendable {
    /// The loudest volume, 3.5 dB above the recording.
    public static let maximumVolume = 1.5
    /// +18 dB: no recording is further below the reference than that.
    public static let maximumLevel = 8.0
    private static let rampSeconds = 0.010

    /// 0...1.5, linear; 1 leaves samples as they are. What is outside or NaN is clamped (NaN to 1).
    public var volume: Double {
        didSet { volume = AudioGain.clamped(volume, AudioGain.maximumVolume) }
    }
    /// The recording's own factor, such as its `ReplayGain`: 0...8, linear, clamped like the volume.
    public var level: Double {
        didSet { level = AudioGain.clamped(level, AudioGain.maximumLevel) }
    }
    /// Silence, with the volume remembered.
    public var isMuted: Bool
    private var current: Float

    /// A gain that starts at its volume without a ramp.
    public init(volume: Double = 1, level: Double = 1, isMuted: Bool = false) {
        self.volume = AudioGain.clamped(volume, AudioGain.maximumVolume)
        self.level = AudioGain.clamped(level, AudioGain.maximumLevel)
        self.isMuted = isMuted
        current = isMuted ? 0 : Float(self.volume * self.level)
    }

    private static func clamped(_ value: Double, _ limit: Double) -> Double { value.isNaN ? 1 : min(max(value, 0), limit) }

    /// Applies the gain in place to whole interleaved frames.
    public mutating func apply(to samples: UnsafeMutableBufferPointer<Float>, channelCount: Int, sampleRate: Int) {
        let target = isMuted ? 0 : Float(volume * level)
        guard channelCount > 0, current != 1 || target != 1 else { return }
        let frames = samples.count / channelCount
        // A full swing (0 to 1) takes 10 ms; smaller changes are over sooner.
        let step = Float(1 / (AudioGain.rampSeconds * Double(max(sampleRate, 100))))
        var frame = 0
        while frame < frames, current != target {
            current = current < target ? min(target, current + step) : max(target, current - step)
            let clip = SoftClip(gain: current)
            for index in frame * channelCount..<(frame + 1) * channelCount { samples[index] = clip(samples[index]) }
            frame += 1
        }
        guard frame < frames, target != 1 else { return }
        let clip = SoftClip(gain: target)
        for index in frame * channelCount..<frames * channelCount { samples[index] = clip(samples[index]) }
    }
}
