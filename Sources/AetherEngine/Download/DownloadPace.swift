import AetherCore

/// The rate of a download, and how long one may not go on because of a limit. Pure: time is an argument.
struct DownloadPace: Sendable {
    /// Bytes a second at most; nil: no limit.
    private let limit: Int?
    /// Bytes that came, with the moments, of the last few seconds.
    private var steps: [(moment: HostTime, bytes: Int64)] = []
    private var waiting: Int64 = 0
    private var freeAt: HostTime?
    private static let window = TimeSpan.seconds(5), step = TimeSpan.milliseconds(200)

    init(limit: Int?) { self.limit = limit.map { max(1, $0) } }

    /// Bytes have come. Returns the moment until which no more are to be asked for; nil: at once.
    mutating func take(_ bytes: Int, now: HostTime) -> HostTime? {
        waiting += Int64(bytes)
        if steps.last.map({ now - $0.moment >= Self.step }) ?? true {
            steps.append((now, waiting))
            waiting = 0
        }
        steps.removeAll { now - $0.moment > Self.window }
        guard let limit else { return nil }
        let begun = max(freeAt ?? now, now)
        freeAt = begun + .seconds(Double(bytes) / Double(limit))
        return freeAt
    }

    /// Bytes a second over the last seconds; nil before there is anything to go by.
    func rate(now: HostTime) -> Double? {
        let recent = steps.filter { now - $0.moment <= Self.window }
        guard let first = recent.first, now - first.moment >= .milliseconds(500) else { return nil }
        // The first one's bytes came before its moment.
        return Double(recent.dropFirst().reduce(waiting) { $0 + $1.bytes }) / (now - first.moment).seconds
    }
}

/// How far a download is (AVAssetDownloadTask's progress).
public struct AssetDownloadProgress: Sendable, Equatable {
    /// Finished segments, and all segments; of a broadcast, those that are known by now. For a single file both are 0.
    public var finishedSegments = 0, segmentCount = 0
    /// Segments that no server has.
    public var missingSegments = 0
    /// Finished media, and all media; each rendition counts by itself.
    public var finishedDuration = TimeSpan.zero, duration = TimeSpan.zero
    /// Bytes on disk, with those of former runs, and the estimated number in the end; nil where it is unknown.
    public var finishedBytes: Int64 = 0, expectedBytes: Int64?
    /// Bytes a second; nil before the first bytes.
    public var rate: Double?
    /// The download goes on until a person ends it.
    public var isLive = false

    /// Nothing is there.
    public init() {}

    /// The finished part, 0 to 1; nil of a broadcast, and where it is unknown.
    public var fraction: Double? {
        if isLive { return nil }
        if duration > .zero { return min(1, finishedDuration.seconds / duration.seconds) }
        guard let expectedBytes, expectedBytes > 0 else { return nil }
        return min(1, Double(finishedBytes) / Double(expectedBytes))
    }

    /// The time that is left at the present rate; nil where it is unknown.
    public var timeLeft: TimeSpan? {
        guard !isLive, let rate, rate > 0, let expectedBytes else { return nil }
        return .seconds(min(Double(max(0, expectedBytes - finishedBytes)) / rate, 1e8))
    }
}
