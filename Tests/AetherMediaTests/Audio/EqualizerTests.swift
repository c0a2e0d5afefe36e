import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherMedia

@Suite struct EqualizerTests {
    private static let rate = 48_000

    /// How much louder a tone of a frequency comes out, in dB, measured over its second half second.
    private func gain(_ curve: EqualizerCurve, at frequency: Double, rate: Int = EqualizerTests.rate) -> Double {
        var equalizer = Equalizer(curve, channelCount: 2, sampleRate: rate)
        let tone = TestTone.sine(frequency, amplitude: 0.25, rate: rate, frames: rate, channels: 2)
        var heard = tone
        heard.withUnsafeMutableBufferPointer { equalizer.apply(to: $0) }
        return 10 * log10(TestTone.power(heard.suffix(rate)) / TestTone.power(tone.suffix(rate)))
    }

    @Test(arguments: EqualizerCurve.frequencies.indices) func aBandIsAsLoudAsItSaysAndTheOthersAreNot(_ band: Int) {
        for wanted in [-12.0, -6, 6, 12] {
            var curve = EqualizerCurve()
            curve[band] = wanted
            // A raised band is lowered beforehand as a whole: the difference of the bands is what one hears.
            let front = EqualizerFit(curve, sampleRate: Double(Self.rate)).front
            #expect(front <= -max(0, wanted) + 0.1 && front > -max(0, wanted) - 1)
            for (other, frequency) in EqualizerCurve.frequencies.enumerated() {
                let heard = gain(curve, at: frequency) - front
                if other == band { #expect(abs(heard - wanted) < 0.2, "\(frequency) Hz: \(heard)") }
                // Also an octave beside it.
                if other != band { #expect(abs(heard) < 0.5, "\(frequency) Hz: \(heard)") }
            }
        }
    }

    @Test(
        arguments: EqualizerCurve.presets.map(\.name) + ["12,12,12,12,12,12,12,12,12,12", "12,-12,12,-12,12,-12,12,-12,12,-12"])
    func noToneComesOutLouderThanItWentIn(_ text: String) throws {
        let curve = try #require(EqualizerCurve(text))
        for place in 0..<60 { #expect(gain(curve, at: 25 * exp2(Double(place) / 6.3)) < 0.05) }
    }

    /// Bands overlap: ten filters of −12 dB each would give −18.5 dB in the middle, and −13.7 dB at 16 kHz.
    @Test(arguments: [8000.0, 22_050, 44_100, 48_000, 96_000, 192_000])
    func theSumMeetsTheCurveAtEachCentre(_ rate: Double) {
        var random = SeededRandom(seed: 13)
        let limits = [-12.0, 12]
        var curves = EqualizerCurve.presets.map(\.curve)
        curves += limits.map { EqualizerCurve([Double](repeating: $0, count: 10)) }
        curves += limits.map { first in EqualizerCurve((0..<10).map { $0 % 2 == 0 ? first : -first }) }
        curves += (0..<40).map { _ in EqualizerCurve((0..<10).map { _ in Double(random.below(241)) / 10 - 12 }) }
        for curve in curves {
            let fit = EqualizerFit(curve, sampleRate: rate)
            for (band, frequency) in EqualizerCurve.frequencies.enumerated() where EqualizerBand.carries(frequency, at: rate) {
                let got = fit.decibels(at: frequency, sampleRate: rate)
                #expect(abs(got - curve[band]) < 0.05, "\(frequency) Hz: \(got), not \(curve[band]) of \(curve)")
            }
            #expect(fit.front <= 0)
        }
    }

    @Test func allBandsTogetherAreWhatIsHeard() {
        let curve = EqualizerCurve([Double](repeating: -12, count: 10))
        for frequency in EqualizerCurve.frequencies {
            let heard = gain(curve, at: frequency)
            #expect(abs(heard + 12) < 0.5, "\(frequency) Hz: \(heard)")
        }
    }

    @Test func flatChangesNoSample() {
        var equalizer = Equalizer(EqualizerCurve(), channelCount: 1, sampleRate: Self.rate)
        let noise = (0..<10_000).map { Float(($0 * 7919) % 1999) / 1000 - 1 }
        var heard = noise
        heard.withUnsafeMutableBufferPointer { equalizer.apply(to: $0) }
        #expect(zip(heard, noise).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    /// A click is a step between two samples that the tone itself never makes.
    @Test func aChangeIsHeardWithoutAClickAndWithoutAGap() {
        var equalizer = Equalizer(EqualizerCurve(), channelCount: 1, sampleRate: Self.rate)
        var tone = (0..<Self.rate).map { Float(0.5 * sin(2 * Double.pi * 100 * Double($0) / Double(Self.rate))) }
        let steepest = 0.5 * 2 * Double.pi * 100 / Double(Self.rate)
        var last: Float = 0, worst = 0.0
        for (number, curve) in ["flat", "bass", "night", "12,12,12", "flat"].compactMap({ EqualizerCurve($0) }).enumerated() {
            equalizer.set(curve)
            let range = number * 9600..<(number + 1) * 9600
            tone.withUnsafeMutableBufferPointer { equalizer.apply(to: UnsafeMutableBufferPointer(rebasing: $0[range])) }
            for index in range {
                worst = max(worst, abs(Double(tone[index] - last)))
                last = tone[index]
            }
        }
        #expect(worst < steepest * 1.5, "\(worst / steepest) times as steep as the tone")
    }

    @Test func aSeekAndWhatIsNoNumberLeaveNothingBehind() {
        var equalizer = Equalizer(EqualizerCurve([12, 12]), channelCount: 1, sampleRate: Self.rate)
        var bad: [Float] = [.nan, .infinity, 1, -1]
        bad.withUnsafeMutableBufferPointer { equalizer.apply(to: $0) }
        #expect(bad.allSatisfy { $0.isFinite })
        equalizer.reset()
        var silence = [Float](repeating: 0, count: 4800)
        silence.withUnsafeMutableBufferPointer { equalizer.apply(to: $0) }
        #expect(silence.allSatisfy { $0 == 0 })
    }

    @Test func lowSampleRatesLoseTheBandsThatTheyCannotCarry() {
        #expect(abs(gain(EqualizerCurve([0, 0, 0, 0, 0, 0, 0, 0, 12, 12]), at: 500, rate: 8000)) < 0.1)
    }

    @Test(arguments: [
        ("flat", EqualizerCurve()), ("6,3", EqualizerCurve([6, 3])), ("-12,0,1.5", EqualizerCurve([-12, 0, 1.5])),
        ("13", nil), ("loud", nil), ("", nil), ("1,,2", nil), ("1,2,3,4,5,6,7,8,9,10,11", nil), ("nan", nil),
    ]) func aCurveIsReadFromWords(_ text: String, _ curve: EqualizerCurve?) {
        #expect(EqualizerCurve(text) == curve)
        if let curve { #expect(EqualizerCurve(curve.description) == curve) }
    }
}
