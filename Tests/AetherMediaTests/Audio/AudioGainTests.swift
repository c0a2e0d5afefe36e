import AetherCore
import Testing

@testable import AetherMedia

@Suite struct AudioGainTests {
    private func apply(_ gain: inout AudioGain, _ samples: [Float]) -> [Float] {
        var copy = samples
        copy.withUnsafeMutableBufferPointer { gain.apply(to: $0, channelCount: 2, sampleRate: 48000) }
        return copy
    }

    @Test func unityTouchesNothing() {
        var gain = AudioGain()
        let samples: [Float] = [0.1, -3, 0.95, 1]
        #expect(apply(&gain, samples) == samples)
    }

    @Test func muteRampsWithoutAStep() {
        var gain = AudioGain()
        gain.isMuted = true
        let samples = apply(&gain, [Float](repeating: 1, count: 2000))
        #expect(samples[0] > 0.99 && samples[479 * 2] < 0.01 && samples[1999] == 0)
        #expect((1..<1000).allSatisfy { abs(samples[$0 * 2] - samples[$0 * 2 - 2]) <= 0.0022 })
        gain.isMuted = false
        let back = apply(&gain, [Float](repeating: 1, count: 2000))
        #expect(back[0] < 0.01 && back[1999] == 1)
    }

    @Test func boostSaturatesSoftlyAndOnlyWhenBoosting() {
        var loud = AudioGain(volume: 1.5)
        let bent = apply(&loud, [0.5, 0.5, 0.62, -0.62, 1, -1, 8, -8])
        #expect(bent[0] == 0.75)
        #expect(bent[2] > 0.9 && bent[2] < 0.93 && bent[3] == -bent[2])
        #expect(bent[4] > bent[2] && bent[4] <= 1 && bent[6] <= 1)
        var quiet = AudioGain(volume: 0.5)
        #expect(apply(&quiet, [2, 2]) == [1, 1])
    }

    @Test(arguments: [(-1.0, 0.0), (2, 1.5), (Double.nan, 1), (.infinity, 1.5), (0.3, 0.3)])
    func volumesAreClamped(_ asked: Double, _ got: Double) {
        var gain = AudioGain()
        gain.volume = asked
        #expect(gain.volume == got)
        #expect(AudioGain(volume: asked).volume == got)
    }
}
