import Glibc
import Testing

@testable import AetherMedia

@Suite struct SoftClipTests {
    @Test(arguments: [1.001, 1.1, 1.25, 1.5, 2, 8] as [Float])
    func isLinearBelowTheKneeMonotonicAndBounded(_ gain: Float) {
        let clip = SoftClip(gain: gain)
        let knee = max(0.75, 2 - gain)
        var last: Float = -1, isFine = true
        for step in -4000...4000 {
            let sample = Float(step) / 2000
            let out = clip(sample)
            isFine = isFine && out == -clip(-sample) && abs(out) <= 1 && out >= last
            if abs(sample * gain) <= knee { isFine = isFine && out == sample * gain }
            last = out
        }
        #expect(isFine)
    }

    @Test(arguments: [0, 0.3, 1] as [Float]) func leavesWhatIsNotAmplified(_ gain: Float) {
        for sample: Float in [-3, -1, -0.2, 0, 0.99, 1.4] { #expect(SoftClip(gain: gain)(sample) == sample * gain) }
    }

    /// The curve comes in with the gain: no step for a sample at full scale when the volume passes 100 %.
    @Test func theCurveBeginsWithoutAStep() {
        var last = SoftClip(gain: 1)(1), largest: Float = 0
        for step in 1...1000 {
            let out = SoftClip(gain: 1 + Float(step) / 2000)(1)
            largest = max(largest, abs(out - last))
            last = out
        }
        #expect(largest < 0.002)
    }

    /// A full-scale sine at 150 %: nothing reaches full scale, slope and curvature stay near those of a sine, while cutting it off at
    /// full scale breaks its slope by three quarters within one sample.
    @Test func aSineAt150PercentHasNoCorner() {
        let clip = SoftClip(gain: 1.5)
        let angle = 2 * Float.pi * 440 / 48000
        let sine = (0..<4800).map { sinf(Float($0) * angle) }
        func corner(_ samples: [Float]) -> Float {
            (2..<samples.count).map { abs(samples[$0] - 2 * samples[$0 - 1] + samples[$0 - 2]) }.max() ?? 0
        }
        let soft = sine.map { clip($0) }
        let hard = sine.map { max(-1, min(1, $0 * 1.5)) }
        #expect((soft.max() ?? 2) < 1 && (soft.max() ?? 0) > 0.95)
        #expect(corner(soft) < 0.6 * corner(hard))
    }
}
