import Glibc

/// The distribution of light in a frame: 32 classes an octave over 20 octaves below 10000 cd/m², of the largest of red, green and blue.
struct LightHistogram {
    static let perOctave = 32
    static let octaves = 20
    private(set) var counts = [Int32](repeating: 0, count: perOctave * octaves + 1)
    private(set) var total = 0

    mutating func note(nits: Double) {
        let octave = nits > 0 ? log2(nits / 10000) + Double(LightHistogram.octaves) : 0
        counts[Int(min(max(octave, 0) * Double(LightHistogram.perOctave), Double(counts.count - 1)))] += 1
        total += 1
    }

    /// The light, in cd/m², that only a share of the pixels exceeds; nil when empty.
    func brightest(but share: Double) -> Double? {
        guard total > 0 else { return nil }
        var left = Int(Double(total) * share)
        for index in counts.indices.reversed() where counts[index] > 0 {
            if Int(counts[index]) > left {
                return 10000 * exp2(Double(index) / Double(LightHistogram.perOctave) - Double(LightHistogram.octaves))
            }
            left -= Int(counts[index])
        }
        return nil
    }

    /// The mean on a logarithmic axis, in octaves: what the eye calls the brightness of a scene.
    var meanOctave: Double {
        var sum = 0.0
        for index in counts.indices { sum += Double(counts[index]) * Double(index) }
        return total > 0 ? sum / Double(total * LightHistogram.perOctave) : 0
    }
}

/// The peak of a source that does not state one: measured, and steadied so that a frame does not breathe. Pure.
struct PeakMeter: Equatable {
    /// Of the pixels, these are left to be cut: sparkles. One in a thousand.
    static let ignoredShare = 0.001
    /// A scene is another when its mean brightness leaps by 1.5 octaves or its peak by 2.
    static let cutInMean = 1.5, cutInPeak = 2.0
    /// Shares of the way to a new peak that one frame goes: up in a quarter of a second, down in two, at 24 frames a second.
    static let rise = 0.35, fall = 0.05

    /// In cd/m²; nil before the first frame.
    private(set) var peak: Double?
    private var octave = 0.0
    private var mean = 0.0

    init() {}

    /// Takes the next frame in and gives the peak to map it with, in cd/m², 203...10000.
    mutating func note(_ histogram: LightHistogram) -> Double {
        guard let brightest = histogram.brightest(but: PeakMeter.ignoredShare) else { return peak ?? ToneCurve.white }
        let now = log2(min(max(brightest, ToneCurve.white), 10000))
        let meanNow = histogram.meanOctave
        let isCut = peak == nil || abs(meanNow - mean) > PeakMeter.cutInMean || abs(now - octave) > PeakMeter.cutInPeak
        octave = isCut ? now : octave + (now - octave) * (now > octave ? PeakMeter.rise : PeakMeter.fall)
        mean = isCut ? meanNow : mean + (meanNow - mean) * PeakMeter.rise
        let value = exp2(octave)
        peak = value
        return value
    }
}
