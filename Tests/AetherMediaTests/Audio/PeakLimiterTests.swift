import AetherCore
import Testing

@testable import AetherMedia

@Suite struct PeakLimiterTests {
    private func limited(_ samples: [Float], channels: Int = 1, piece: Int = 1024) -> [Float] {
        var limiter = PeakLimiter(channelCount: channels, sampleRate: 48_000)
        var result: [Float] = []
        for start in stride(from: 0, to: samples.count, by: piece * channels) {
            var part = Array(samples[start..<min(samples.count, start + piece * channels)])
            limiter.apply(to: &part)
            result += part
        }
        limiter.finish(into: &result)
        return result
    }

    @Test(arguments: [0, 1, 100, 239, 240, 241, 5000]) func whatFitsComesOutAsItWent(_ count: Int) {
        let samples = (0..<count).map { Float(($0 * 7919) % 2001) / 1000 - 1 }
        for piece in [1, 100, 1024] { #expect(limited(samples, piece: piece) == samples) }
        let pairs = samples.flatMap { [$0, -$0] }
        #expect(limited(pairs, channels: 2) == pairs)
    }

    /// Peaks alone, close together, as long as they last, in any of the channels.
    @Test func nothingComesOutBeyondFullScale() {
        var samples = [Float](repeating: 0.3, count: 24_000)
        for index in [0, 1, 700, 710, 5000, 5239, 5240, 23_999] { samples[index] = index % 2 == 0 ? 2.4 : -1.7 }
        for index in 10_000..<12_000 { samples[index] = Float(index % 5) - 2 }
        let out = limited(samples)
        #expect(out.count == samples.count && out.allSatisfy { abs($0) <= 1 })
        // Silence would not exceed anything either.
        // 229 ms behind a peak of twice full scale, 98 % of the gain is back.
        #expect(out[5000] > 0.999 && out[23_000] > 0.294)
    }

    /// A click is a step that the sound itself does not make.
    @Test func theGainComesAndGoesWithoutAStep() {
        var samples = [Float](repeating: 0.5, count: 48_000)
        samples[24_000] = 2
        let out = limited(samples)
        var steepest: Float = 0
        for index in 1..<out.count where index != 24_000 && index != 24_001 {
            steepest = max(steepest, abs(out[index] - out[index - 1]))
        }
        // Half of 0.5 within 240 frames is 0.001 a frame.
        #expect(steepest < 0.0012, "\(steepest)")
        #expect(out[23_500] == 0.5 && out[47_000] > 0.499)
    }

    @Test func bothSidesAreLoweredAlike() {
        var samples = [Float](repeating: 0, count: 20_000)
        for frame in 0..<10_000 { (samples[frame * 2], samples[frame * 2 + 1]) = (2, 0.5) }
        let out = limited(samples, channels: 2)
        #expect((0..<10_000).allSatisfy { abs(out[$0 * 2] - out[$0 * 2 + 1] * 4) < 1e-5 })
    }

    @Test func whatIsNoNumberLeavesNothingBehind() {
        var samples = [Float](repeating: 0.5, count: 60_000)
        (samples[10], samples[11], samples[12]) = (.nan, .infinity, -.infinity)
        let out = limited(samples)
        #expect(out.count == 60_000 && out.suffix(1000).allSatisfy { $0 > 0.49 })
    }
}
