import AetherCore
import AetherEngine
import AetherTestSupport
import Foundation
import Testing

@testable import AetherUI

private func sine(_ frequency: Double, amplitude: Double = 1, count: Int = 1024, phase: Double = 0) -> [Float] {
    (0..<count).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / 48_000 + phase)) }
}

@Suite struct FourierTransformTests {
    /// Against the definition, summed directly.
    @Test(arguments: [4, 6, 10]) func itIsTheDiscreteFourierTransform(_ bits: Int) {
        let transform = FourierTransform(bits: bits), count = transform.count
        var random = SeededRandom(seed: UInt64(bits))
        let samples = (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
        let amplitudes = transform.amplitudes(samples)
        #expect(amplitudes.count == count / 2)
        for index in [0, 1, 2, count / 4, count / 2 - 1] {
            var real = 0.0, imaginary = 0.0
            for (place, sample) in samples.enumerated() {
                let window = 0.5 - 0.5 * cos(2 * .pi * Double(place) / Double(count))
                let angle = -2 * .pi * Double(index * place) / Double(count)
                real += Double(sample) * window * cos(angle)
                imaginary += Double(sample) * window * sin(angle)
            }
            let expected = (real * real + imaginary * imaginary).squareRoot() * 4 / Double(count)
            #expect(abs(Double(amplitudes[index]) - expected) < 1e-4, "\(index)")
        }
    }

    @Test func aSineOfFullScaleIsOneInItsPlace() {
        let amplitudes = FourierTransform(bits: 10).amplitudes(sine(48_000 / 1024 * 64))
        #expect(abs(amplitudes[64] - 1) < 0.001)
        #expect(amplitudes.enumerated().allSatisfy { abs($0.offset - 64) <= 1 || $0.element < 0.001 })
    }

    @Test func oddInputIsSilence() {
        let transform = FourierTransform(bits: 10)
        #expect(transform.amplitudes([]).allSatisfy { $0 == 0 })
        #expect(transform.amplitudes([.nan, .infinity, -.infinity]).allSatisfy { $0 == 0 })
        #expect(transform.amplitudes(sine(1000, count: 5000)).allSatisfy { $0.isFinite })
        #expect(FourierTransform(bits: 99).count == 1024 && FourierTransform(bits: -3).count == 16)
    }
}

@Suite struct SpectrumTests {
    @Test(arguments: [100.0, 440, 1000, 5000, 12_000]) func aToneIsTheHighestBand(_ frequency: Double) throws {
        var spectrum = Spectrum(bandCount: 32)
        spectrum.advance(sine(frequency, amplitude: 0.1), now: at(0))
        let highest = try #require(spectrum.bands.indices.max { spectrum.bands[$0] < spectrum.bands[$1] })
        let range = Spectrum.places(highest, of: 32, in: 512)
        let step = 24_000.0 / 512
        #expect(Double(range.lowerBound) * step - step <= frequency && frequency <= Double(range.upperBound) * step + step)
    }

    @Test(arguments: [1, 8, 32, 64, 256]) func everyBandHasAFrequency(_ count: Int) {
        for band in 0..<count {
            let range = Spectrum.places(band, of: count, in: 512)
            #expect(!range.isEmpty && range.lowerBound >= 1 && range.upperBound <= 512)
        }
    }

    @Test func levelsAreInDecibelsOfFullScale() {
        var spectrum = Spectrum(bandCount: 8)
        spectrum.advance(sine(1000, amplitude: 0.1, count: 4800), now: at(0))
        #expect(abs(spectrum.level + 20) < 0.1 && abs(spectrum.peak + 20) < 0.1)
        spectrum.advance(sine(1000, amplitude: 50), now: at(0))
        #expect(spectrum.level == 0 && spectrum.peak == 0)
    }

    @Test func heightsJumpUpAndFallInTheirTime() {
        var spectrum = Spectrum(bandCount: 16)
        spectrum.advance(sine(1000, amplitude: 0.5), now: at(0))
        let top = spectrum.bands.max() ?? 0
        #expect(top > 0.9)
        spectrum.advance(nil, now: at(0.4))
        #expect(abs((spectrum.bands.max() ?? 0) - (top - 0.5)) < 0.001)
        spectrum.advance([], now: at(1.4))
        #expect(spectrum.bands.allSatisfy { $0 == 0 } && !spectrum.isSilent)
        for step in 0..<5 { spectrum.advance(nil, now: at(2.4 + Double(step))) }
        #expect(spectrum.isSilent)
    }

    @Test func hostileSamplesStayInBounds() {
        var spectrum = Spectrum(bandCount: 9)
        spectrum.advance([.nan, .infinity, 1e30, -1e30] + [Float](repeating: .greatestFiniteMagnitude, count: 2000), now: at(0))
        #expect(spectrum.bands.allSatisfy { (0...1).contains($0) })
        #expect((Spectrum.floor...0).contains(spectrum.level) && (Spectrum.floor...0).contains(spectrum.peak))
        spectrum.resize(bandCount: 0)
        #expect(spectrum.bands.count == 1)
    }
}

@Suite struct TapRecorderTests {
    private func ramp(_ count: Int, from start: Int) -> [Float] { (0..<count).map { Float(start + $0) } }

    @Test func findsWhatIsHeardAcrossBuffers() {
        let recorder = TapRecorder()
        recorder.take(AudioTapBuffer(samples: ramp(480, from: 0), sourceTime: 10, discontinuity: true))
        recorder.take(AudioTapBuffer(samples: ramp(480, from: 480), sourceTime: 10.01, discontinuity: false))
        #expect(recorder.samples(480, endingAt: 10.015) == ramp(480, from: 240))
        // Samples that are not known are silence; a stretch that lies nowhere has none.
        #expect(recorder.samples(960, endingAt: 10.01)?.prefix(480).allSatisfy { $0 == 0 } == true)
        #expect(recorder.samples(480, endingAt: 9) == nil && recorder.samples(480, endingAt: 12) == nil)
        recorder.forget()
        #expect(recorder.samples(480, endingAt: 10.01) == nil)
    }

    @Test func aSeekForgetsTheOtherPlaceAndMemoryIsBounded() {
        let recorder = TapRecorder()
        recorder.take(AudioTapBuffer(samples: ramp(480, from: 0), sourceTime: 100, discontinuity: true))
        recorder.take(AudioTapBuffer(samples: ramp(480, from: 0), sourceTime: 10, discontinuity: true))
        #expect(recorder.samples(480, endingAt: 100.01) == nil)
        for index in 0..<5000 {
            recorder.take(AudioTapBuffer(samples: [1], sourceTime: 10 + Double(index) * 0.0001, discontinuity: false))
        }
        #expect(recorder.samples(480, endingAt: 10.0005) == nil)
    }
}
