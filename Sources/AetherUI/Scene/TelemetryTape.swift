import AetherEngine

/// The last minute of measurements, one a second, for the curves of the telemetry pane.
struct TelemetryTape: Sendable {
    /// 60: one second in each.
    static let length = 60
    private var samples: [LiveTelemetry] = []
    /// Stalls and drops since the source was opened, with their reasons.
    var stalls = StallLog()
    /// Up to `length`, the newest last.
    var latest: ArraySlice<LiveTelemetry> { samples.suffix(Self.length) }

    /// Takes a measurement in, unless it is the last one again. Returns whether it was new.
    mutating func record(_ sample: LiveTelemetry?) -> Bool {
        guard let sample, sample.sequence != samples.last?.sequence else { return false }
        // Another source counts from 0 again, and is another file.
        if let last = samples.last, sample.sequence < last.sequence { samples.removeAll(keepingCapacity: true) }
        samples.append(sample)
        if samples.count > 2 * Self.length { samples.removeFirst(Self.length) }
        return true
    }

    /// One figure over the minute; nil where it was not known.
    func series(_ figure: (LiveTelemetry) -> Double?) -> [Double?] { latest.map(figure) }

    /// The least and the most that a figure was in the minute: the water marks of a buffer. nil where it was never known.
    func marks(_ figure: (LiveTelemetry) -> Double?) -> ClosedRange<Double>? {
        let known = latest.compactMap(figure)
        guard let least = known.min(), let most = known.max() else { return nil }
        return least...most
    }

    /// The rise of a count from second to second.
    func rises(_ count: (LiveTelemetry) -> Int64?) -> [Double?] {
        let counts = latest.map(count)
        return zip(counts, counts.dropFirst()).map { before, after in
            guard let before, let after else { return nil }
            return max(0, Double(after) - Double(before))
        }
    }
}
