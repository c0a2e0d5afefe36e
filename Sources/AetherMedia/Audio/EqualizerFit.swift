import AetherCore
import Glibc

/// The gains that ten overlapping filters need, so that their sum meets a curve at each centre. Pure.
///
/// Neighbours an octave apart add a quarter of their gain to each other: ten filters of −12 dB give −18.5 dB in the middle. So each gain is
/// corrected by 0.8 of what the sum is off at its centre, until that is nothing: within 0.01 dB after 12 rounds for every curve of ±12 dB
/// at 8…192 kHz that was tried; with the whole of it, curves that alternate between the limits swing for 60.
struct EqualizerFit: Sendable, Equatable {
    /// One for each band, in dB. A band that the sample rate cannot carry has 0.
    private(set) var gains: [Double]
    /// The attenuation of everything that keeps each tone as loud as it was at most, in dB, 0 or below: the sum where it is highest.
    private(set) var front = 0.0

    private static let rounds = 40
    private static let share = 0.8
    private static let accuracy = 0.01
    /// No sum of ±12 dB asks for as much; it bounds what rounding could do.
    private static let largest = 36.0

    /// Fits a curve at a sample rate in Hz.
    init(_ curve: EqualizerCurve, sampleRate: Double) {
        gains = [Double](repeating: 0, count: EqualizerCurve.frequencies.count)
        guard !curve.isFlat else { return }
        let centres = EqualizerCurve.frequencies.map { EqualizerBand.carries($0, at: sampleRate) ? $0 : nil }
        for (band, centre) in centres.enumerated() where centre != nil { gains[band] = curve[band] }
        for _ in 0..<Self.rounds {
            let bands = filters(sampleRate)
            let errors = centres.enumerated().map { band, centre in
                centre.map { curve[band] - Self.decibels(bands, at: $0, sampleRate) } ?? 0
            }
            if errors.allSatisfy({ abs($0) < Self.accuracy }) { break }
            for band in gains.indices {
                gains[band] = min(max(gains[band] + Self.share * errors[band], -Self.largest), Self.largest)
            }
        }
        front = -highest(sampleRate)
    }

    /// The sum of the filters at a frequency, in dB, without the gain in front.
    func decibels(at frequency: Double, sampleRate: Double) -> Double {
        Self.decibels(filters(sampleRate), at: frequency, sampleRate)
    }

    private func filters(_ sampleRate: Double) -> [EqualizerBand] {
        zip(EqualizerCurve.frequencies, gains).map { EqualizerBand(frequency: $0, gain: $1, sampleRate: sampleRate) }
    }

    private static func decibels(_ bands: [EqualizerBand], at frequency: Double, _ sampleRate: Double) -> Double {
        let angle = 2 * Double.pi * frequency / sampleRate
        return 10 * log10(bands.reduce(1) { $0 * $1.power(at: angle) })
    }

    /// 24 places an octave: between two of them the curve differs by less than 0.02 dB.
    private func highest(_ sampleRate: Double) -> Double {
        let bands = filters(sampleRate)
        var most = 0.0
        for place in 0..<(24 * 10) {
            let frequency = 20 * exp2(Double(place) / 24)
            guard frequency < sampleRate / 2 else { break }
            most = max(most, Self.decibels(bands, at: frequency, sampleRate))
        }
        return most
    }
}
