import Glibc

/// Loudness of a programme by ITU-R BS.1770-4 and EBU Tech 3341, from the weighted power of its blocks of 100 ms: of the last 400 ms, of the last
/// 3 s, and of all of it behind both gates. A value of a fixed size, however long the programme is.
public struct LoudnessHistory: Sendable {
    /// Power of the last 30 blocks, the newest last.
    private var recent: [Double] = []
    /// Stretches of 400 ms by their loudness in steps of 0.1 LU: how many, and their power together.
    private var counts = [Int](repeating: 0, count: LoudnessHistory.steps)
    private var powers = [Double](repeating: 0, count: LoudnessHistory.steps)

    /// The absolute gate, and what is louder than any programme, in LUFS.
    private static let gate = -70.0, top = 20.0
    private static let steps = Int((top - gate) * 10)

    /// Nothing was heard yet.
    public init() {}

    /// Of the last 400 ms, in LUFS; nil before.
    public var momentary: Double? { mean(of: 4).map(LoudnessMeter.lufs) }

    /// Of the last 3 s; nil before.
    public var shortTerm: Double? { mean(of: 30).map(LoudnessMeter.lufs) }

    /// Of all of it: stretches under −70 LUFS and those 10 LU under the mean of the others do not count. nil where none does.
    public var integrated: Double? {
        guard let first = mean(from: 0) else { return nil }
        let relative = LoudnessMeter.lufs(first) - 10
        let from = max(0, Int(((relative - Self.gate) * 10).rounded(.down)))
        return mean(from: from).map(LoudnessMeter.lufs)
    }

    /// Takes a block's power in.
    public mutating func take(_ power: Double) {
        recent.append(power.isFinite && power > 0 ? power : 0)
        if recent.count > 30 { recent.removeFirst() }
        guard let stretch = mean(of: 4) else { return }
        let loudness = LoudnessMeter.lufs(stretch)
        guard loudness > Self.gate else { return }
        let step = min(Self.steps - 1, Int((loudness - Self.gate) * 10))
        counts[step] += 1
        powers[step] += stretch
    }

    private func mean(of blocks: Int) -> Double? {
        recent.count >= blocks ? recent.suffix(blocks).reduce(0, +) / Double(blocks) : nil
    }

    private func mean(from step: Int) -> Double? {
        guard step < Self.steps else { return nil }
        let count = counts[step...].reduce(0, +)
        return count > 0 ? powers[step...].reduce(0, +) / Double(count) : nil
    }
}
