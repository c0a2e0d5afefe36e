import Glibc

/// Volume and mute on interleaved float samples, without clicks: every change is spread over 10 ms. Pure: no clock, no device.
public struct AudioGain: Sendable {
    /// The loudest volume, 3.5 dB above the recording.
    public static let maximumVolume = 1.5
    private static let rampSeconds = 0.010
    /// Above this the curve bends when samples are amplified, so that loud passages saturate softly and do not crack.
    private static let knee: Float = 0.9

    /// 0...1.5, linear; 1 leaves samples as they are. What is outside or NaN is clamped (NaN to 1).
    public var volume: Double {
        didSet { volume = volume.isNaN ? 1 : min(max(volume, 0), AudioGain.maximumVolume) }
    }
    /// Silence, with the volume remembered.
    public var isMuted: Bool
    private var current: Float

    /// A gain that starts at its volume without a ramp.
    public init(volume: Double = 1, isMuted: Bool = false) {
        let clamped = volume.isNaN ? 1 : min(max(volume, 0), AudioGain.maximumVolume)
        self.volume = clamped
        self.isMuted = isMuted
        current = isMuted ? 0 : Float(clamped)
    }

    /// Applies the gain in place to whole interleaved frames.
    public mutating func apply(to samples: UnsafeMutableBufferPointer<Float>, channelCount: Int, sampleRate: Int) {
        let target = isMuted ? 0 : Float(volume)
        guard channelCount > 0, current != 1 || target != 1 else { return }
        let frames = samples.count / channelCount
        // A full swing (0 to 1) takes 10 ms; smaller changes are over sooner.
        let step = Float(1 / (AudioGain.rampSeconds * Double(max(sampleRate, 100))))
        var frame = 0
        while frame < frames, current != target {
            current = current < target ? min(target, current + step) : max(target, current - step)
            for index in frame * channelCount..<(frame + 1) * channelCount {
                samples[index] = AudioGain.amplified(samples[index], current)
            }
            frame += 1
        }
        guard frame < frames, target != 1 else { return }
        for index in frame * channelCount..<frames * channelCount { samples[index] = AudioGain.amplified(samples[index], target) }
    }

    @inline(__always) private static func amplified(_ sample: Float, _ gain: Float) -> Float {
        let value = sample * gain
        guard gain > 1, abs(value) > knee else { return value }
        let room = 1 - knee
        let bent = knee + room * tanhf((abs(value) - knee) / room)
        return value < 0 ? -bent : bent
    }
}
