import AetherCore
import Glibc

/// Brings recordings of different loudness to −18 LUFS while they play. Pure, no delay: what goes in comes out at the same sample.
///
/// Chosen over libavfilter's `loudnorm` (looks ahead 3 s and works at 192 kHz) and `dynaudnorm` (looks ahead 7.5 s at its defaults,
/// and lifts silence): with those a volume key, a seek and a switch of tracks would be heard seconds late, or video held back
/// for as long. Here the gain follows the loudness of the last 30 seconds that could be heard, gated as in R128 (stretches of 400 ms
/// below −70 LUFS, and those 10 LU below the rest, do not count), slowly enough not to be heard: 6 dB/s in the first five seconds, then 1 dB/s up and
/// 3 dB/s down. What that lets through above full scale the soft clip of `AudioGain` bends.
struct LoudnessLeveller: Sendable {
    /// The target of ReplayGain 2.0: both options agree, and 18 dB are left for peaks.
    static let targetLUFS = -18.0
    /// Quieter than 12 dB below the target is meant so, or noise.
    private static let range = -24.0...12.0
    private static let windowBlocks = 300
    private static let settlingBlocks = 50
    /// −70 LUFS as power.
    private static let absoluteGate: Double = pow(10, (-70 + 0.691) / 10)

    private var meter: LoudnessMeter
    private let channelCount: Int
    private let framesPerBlock: Int
    private var window: [Double] = []
    private var blocksHeard = 0
    private(set) var decibels = 0.0
    /// Linear gain now, and what is added with each frame until the block's end.
    private var gain: Float = 1
    private var slope: Float = 0

    init(_ format: AudioFormat) {
        meter = LoudnessMeter(format)
        channelCount = max(1, format.channelCount)
        framesPerBlock = max(1, format.sampleRate / 10)
    }

    /// Applies the gain in place to whole interleaved frames.
    mutating func apply(to samples: UnsafeMutableBufferPointer<Float>) {
        guard let base = samples.baseAddress else { return }
        for frame in 0..<samples.count / channelCount {
            let place = base + frame * channelCount
            if let power = meter.take(place) { follow(power) }
            gain += slope
            for channel in 0..<channelCount { place[channel] *= gain }
        }
    }

    /// A seek: what was heard before says little of what comes, but the gain stays where it is.
    mutating func reset() { window.removeAll(keepingCapacity: true) }

    private mutating func follow(_ power: Double) {
        // Silence is no part of a recording, however long it lasts.
        if power > Self.absoluteGate { window.append(power) }
        if window.count > Self.windowBlocks { window.removeFirst() }
        let target: Double
        if power > Self.absoluteGate, let loudness = Self.gated(window) {
            blocksHeard += 1
            target = min(max(Self.targetLUFS - loudness, Self.range.lowerBound), Self.range.upperBound)
        } else {
            target = decibels
        }
        let isSettling = blocksHeard <= Self.settlingBlocks
        let step = min(max(target - decibels, isSettling ? -0.6 : -0.3), isSettling ? 0.6 : 0.1)
        decibels += step
        // The gain glides over the next block: no step, no zipper.
        slope = (Float(pow(10, decibels / 20)) - gain) / Float(framesPerBlock)
    }

    /// The loudness of blocks of 100 ms by R128's two gates over each four of them, nil for silence and for less than four.
    static func gated(_ blocks: [Double]) -> Double? {
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }
        guard blocks.count >= 4 else { return nil }
        let stretches: [Double] = (3..<blocks.count).map { end in mean(Array(blocks[(end - 3)...end])) }
        let audible = stretches.filter { $0 > absoluteGate }
        guard !audible.isEmpty else { return nil }
        let gate = mean(audible) / 10
        return LoudnessMeter.lufs(mean(audible.filter { $0 >= gate }))
    }
}
