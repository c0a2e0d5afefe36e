import AetherCore
import Glibc

/// The spectrum and level display: heights that jump up and fall slowly. A value; time is an argument.
public struct Spectrum: Sendable, Equatable {
    /// 0 … 1 for each band, from low to high: −66 dB and less … −6 dB and more.
    public private(set) var bands: [Double]
    /// Mean level and peak of what is heard, in dB of full scale; at least `floor`.
    public private(set) var level = Spectrum.floor, peak = Spectrum.floor
    private var last: HostTime?

    /// 48 kHz, which the engine's tap gives.
    static let sampleRate = 48_000.0
    /// 1024 points are 21 ms: a band of 47 Hz.
    static let transform = FourierTransform(bits: 10)
    /// Low enough for a double bass, high enough for cymbals.
    static let frequencies = 45.0...16_000.0
    /// Silence.
    public static let floor = -66.0
    /// The full height is gone in 0.8 s.
    private static let fallPerSecond = 1.25
    private static let levelFallPerSecond = 30.0

    /// A silent spectrum of so many bands.
    public init(bandCount: Int) { bands = [Double](repeating: 0, count: min(max(1, bandCount), 256)) }

    /// Whether everything has fallen.
    public var isSilent: Bool { bands.allSatisfy { $0 <= 0 } && peak <= Spectrum.floor }

    /// Another width of the display: heights begin anew.
    mutating func resize(bandCount: Int) {
        let count = min(max(1, bandCount), 256)
        if count != bands.count { bands = [Double](repeating: 0, count: count) }
    }

    /// Takes in what is heard now; `samples` nil or empty: nothing is, and all falls.
    mutating func advance(_ samples: [Float]?, now: HostTime) {
        let elapsed = last.map { min(max(0, (now - $0).seconds), 1) } ?? 0
        last = now
        let heard = Spectrum.heights(samples ?? [], count: bands.count)
        for index in bands.indices {
            bands[index] = max(heard[index], max(0, bands[index] - elapsed * Spectrum.fallPerSecond))
        }
        let now = Spectrum.levels(samples ?? [])
        level = max(now.mean, max(Spectrum.floor, level - elapsed * Spectrum.levelFallPerSecond))
        peak = max(now.peak, max(Spectrum.floor, peak - elapsed * Spectrum.levelFallPerSecond))
    }

    /// The height of each band: the strongest frequency in it. High bands have more frequencies and music less power there: 3 dB an
    /// octave above 1 kHz make up for it.
    private static func heights(_ samples: [Float], count: Int) -> [Double] {
        guard !samples.isEmpty else { return [Double](repeating: 0, count: count) }
        let amplitudes = transform.amplitudes(samples)
        return (0..<count).map { band in
            let range = places(band, of: count, in: amplitudes.count)
            let strongest = Double(amplitudes[range].max() ?? 0)
            let tilt = max(0, 3 * log2(frequency(Double(band) + 0.5, of: count) / 1000))
            let decibels = 20 * log10(max(1e-9, strongest)) + tilt
            return min(max((decibels - floor) / 60, 0), 1)
        }
    }

    private static func frequency(_ position: Double, of count: Int) -> Double {
        frequencies.lowerBound * pow(frequencies.upperBound / frequencies.lowerBound, position / Double(count))
    }

    /// The frequencies of a band, at least one: bands go up by equal ratios.
    static func places(_ band: Int, of count: Int, in total: Int) -> Range<Int> {
        let step = sampleRate / 2 / Double(total)
        let low = Int((frequency(Double(band), of: count) / step).rounded()),
            high = Int((frequency(Double(band + 1), of: count) / step).rounded())
        let first = min(max(1, low), total - 1)
        return first..<min(total, max(first + 1, high))
    }

    /// The height of an amplitude, 0...255, by the same scale without the tilt.
    static func height(_ amplitude: Float) -> UInt8 {
        let decibels = 20 * log10(max(1e-9, Double(amplitude)))
        return UInt8(min(max((decibels - floor) / 60, 0), 1) * 255)
    }

    private static func levels(_ samples: [Float]) -> (mean: Double, peak: Double) {
        guard !samples.isEmpty else { return (floor, floor) }
        var sum = 0.0, peak = 0.0
        for sample in samples where sample.isFinite {
            sum += Double(sample) * Double(sample)
            peak = max(peak, Double(abs(sample)))
        }
        // A sine of full scale is 0 dB (AES17).
        let mean = 10 * log10(max(1e-12, 2 * sum / Double(samples.count)))
        return (min(0, max(floor, mean)), min(0, max(floor, 20 * log10(max(1e-9, peak)))))
    }
}
