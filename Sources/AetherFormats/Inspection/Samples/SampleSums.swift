import AetherCore

/// Sums over the samples of a stream.
public struct SampleSums: Sendable, Equatable {
    /// The stream.
    public let stream: SampleStream
    /// Samples, those that are key frames, and bytes.
    public private(set) var count = 0
    /// See `count`.
    public private(set) var keys = 0
    /// See `count`.
    public private(set) var bytes: Int64 = 0
    /// The time from the first sample to the end of the last one, in seconds; nil where times are missing.
    public private(set) var seconds: Double?
    /// Samples from key frame to key frame: the fewest, the mean, the most; nil without two key frames.
    public private(set) var groups: (shortest: Int, mean: Double, longest: Int)?
    /// The largest gap between the end of a sample and the beginning of the next in decoding time, in seconds.
    public private(set) var gap = 0.0
    /// The longest stretch of other streams between two of its samples, in bytes.
    public private(set) var interleaving: Int64 = 0

    /// Sums for each stream, in their order.
    public static func all(_ list: SampleList) -> [SampleSums] { list.streams.map { SampleSums($0, list.rows) } }

    private init(_ stream: SampleStream, _ rows: [SampleRow]) {
        self.stream = stream
        let unit = Double(stream.timeBase.nanoseconds(ticks: 1_000_000)) / 1e15
        var lastEnd: Int64?, lastDTS: Int64?, first = Int64.max, end = Int64.min, group = 0, groups: [Int] = []
        for row in rows where row.stream == stream.index {
            (count, bytes) = (count + 1, bytes + Int64(row.size))
            if row.isKey {
                if keys > 0 { groups.append(group) }
                (keys, group) = (keys + 1, 0)
            }
            group += 1
            if let position = row.position {
                if let lastEnd { interleaving = max(interleaving, position &- lastEnd) }
                lastEnd = position &+ Int64(row.size)
            }
            if let dts = row.dts {
                if let lastDTS, dts > lastDTS { gap = max(gap, Double(dts &- lastDTS) * unit) }
                lastDTS = dts.addingReportingOverflow(row.duration ?? 0).partialValue
            }
            if let time = row.pts ?? row.dts {
                (first, end) = (min(first, time), max(end, time.addingReportingOverflow(row.duration ?? 0).partialValue))
            }
        }
        if first < end { seconds = (Double(end) - Double(first)) * unit }
        if let shortest = groups.min(), let longest = groups.max() {
            self.groups = (shortest, Double(groups.reduce(0, +)) / Double(groups.count), longest)
        }
    }

    /// Bits a second; nil without a duration.
    public var bitRate: Double? { seconds.flatMap { $0 > 0 ? Double(bytes) * 8 / $0 : nil } }

    /// The sums on one line.
    public var line: String {
        var parts = ["stream \(stream.index) (\(stream.kind)): \(count) samples", "\(keys) key", "\(bytes) bytes"]
        if let seconds { parts.append("\(Self.rounded(seconds)) s") }
        if let bitRate { parts.append("\(Int64(bitRate.rounded())) bit/s") }
        if let groups, stream.kind == "video" {
            parts.append("key frames every \(groups.shortest) to \(groups.longest) samples, mean \(Self.rounded(groups.mean))")
        }
        if gap > 0 { parts.append("largest gap \(Self.rounded(gap)) s") }
        if interleaving > 0 { parts.append("interleaving \(interleaving) bytes") }
        return parts.joined(separator: ", ")
    }

    private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

    /// Whether all figures are the same.
    public static func == (a: SampleSums, b: SampleSums) -> Bool { a.line == b.line }
}
