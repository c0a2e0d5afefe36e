import Glibc

/// Loudness of a programme by ITU-R BS.1770-4, EBU Tech 3341 and 3342, from the weighted power of its blocks of 100 ms: of the last 400 ms, of the
/// last 3 s, of all of it behind both gates, and how far loud and soft parts are apart. A value of a fixed size, however long the programme is.
public struct LoudnessHistory: Sendable {
    /// Power of the last 30 blocks, the newest last.
    private var recent: [Double] = []
    /// Stretches of 400 ms, and those of 3 s.
    private var short = Steps(), long = Steps()

    /// Stretches by their loudness in steps of 0.1 LU: how many, and their power together. Those under the absolute gate are none.
    private struct Steps: Sendable {
        private(set) var counts = [Int](repeating: 0, count: LoudnessHistory.steps)
        private var powers = [Double](repeating: 0, count: LoudnessHistory.steps)

        mutating func take(_ power: Double) {
            let loudness = LoudnessMeter.lufs(power)
            guard loudness > LoudnessHistory.gate else { return }
            let step = min(LoudnessHistory.steps - 1, Int((loudness - LoudnessHistory.gate) * 10))
            counts[step] += 1
            powers[step] += power
        }

        /// The mean power from a step on; nil where there is none.
        func mean(from step: Int) -> Double? {
            guard step < LoudnessHistory.steps else { return nil }
            let count = counts[step...].reduce(0, +)
            return count > 0 ? powers[step...].reduce(0, +) / Double(count) : nil
        }

        /// The step that lies so many LU under the mean of all.
        func step(under mean: Double, by distance: Double) -> Int {
            max(0, Int(((LoudnessMeter.lufs(mean) - distance - LoudnessHistory.gate) * 10).rounded(.down)))
        }
    }

    /// The absolute gate, and what is louder than any programme, in LUFS.
    fileprivate static let gate = -70.0, top = 20.0
    fileprivate static let steps = Int((top - gate) * 10)

    /// Nothing was heard yet.
    public init() {}

    /// Of the last 400 ms, in LUFS; nil before.
    public var momentary: Double? { mean(of: 4).map(LoudnessMeter.lufs) }

    /// Of the last 3 s; nil before.
    public var shortTerm: Double? { mean(of: 30).map(LoudnessMeter.lufs) }

    /// Of all of it: stretches under −70 LUFS and those 10 LU under the mean of the others do not count. nil where none does.
    public var integrated: Double? {
        guard let mean = short.mean(from: 0) else { return nil }
        return short.mean(from: short.step(under: mean, by: 10)).map(LoudnessMeter.lufs)
    }

    /// How far the loud parts are above the soft ones, in LU: from the tenth to the 95th of a hundred stretches of 3 s, without those under
    /// −70 LUFS and those 20 LU under the mean of the others. nil where none is left.
    public var range: Double? {
        guard let mean = long.mean(from: 0) else { return nil }
        let first = min(Self.steps - 1, long.step(under: mean, by: 20)), counts = long.counts[first...]
        let last = counts.reduce(0, +) - 1
        guard last >= 0 else { return nil }
        func step(_ share: Double) -> Int {
            var left = Int((share * Double(last)).rounded())
            for (step, count) in zip(counts.indices, counts) {
                if left < count { return step }
                left -= count
            }
            return counts.endIndex - 1
        }
        return Double(step(0.95) - step(0.1)) / 10
    }

    /// Takes a block's power in.
    public mutating func take(_ power: Double) {
        recent.append(power.isFinite && power > 0 ? power : 0)
        if recent.count > 30 { recent.removeFirst() }
        if let stretch = mean(of: 4) { short.take(stretch) }
        if let stretch = mean(of: 30) { long.take(stretch) }
    }

    private func mean(of blocks: Int) -> Double? {
        recent.count >= blocks ? recent.suffix(blocks).reduce(0, +) / Double(blocks) : nil
    }
}
