import Glibc

/// The curve of amplified samples near full scale: linear below a knee, above it a curve that never reaches 1. Monotonic, odd, with
/// slope 1 at the knee. Pure.
///
///     |y| = |x g|                                        below the knee
///     |y| = knee + (1 − knee) tanh((|x g| − knee) / (1 − knee))   above
///
/// The knee comes down from 1 as the gain rises from 1, to 0.75 from a gain of 1.25 on: so the curve changes with the gain
/// without a step, and at a gain of 1 or less samples pass untouched, also those beyond full scale that lossy decoders give.
struct SoftClip: Sendable, Equatable {
    /// 2.5 dB below full scale: lower bends more of the audio, higher bends it harder.
    private static let lowestKnee: Float = 0.75

    let gain: Float
    private let knee: Float

    init(gain: Float) {
        self.gain = gain
        knee = gain > 1 ? max(SoftClip.lowestKnee, 2 - gain) : .infinity
    }

    /// The sample, amplified.
    @inline(__always) func callAsFunction(_ sample: Float) -> Float {
        let value = sample * gain
        let size = abs(value)
        guard size > knee else { return value }
        let room = 1 - knee
        let bent = knee + room * tanhf((size - knee) / room)
        return value < 0 ? -bent : bent
    }
}
