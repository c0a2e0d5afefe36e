import AetherCore

/// When and where a dynamic manifest is read again, and which version is taken. Pure; moments are nanoseconds of any clock that only goes
/// forward.
public struct MPDRefresh: Sendable, Equatable {
    /// Never sooner than this, whatever the manifest says: 1 s.
    public static let least: Int64 = 1_000_000_000
    /// After a version that is older than the one there is, or no answer: 2 s, doubled to 30 s.
    static let retry: Int64 = 2_000_000_000, longestRetry: Int64 = 30_000_000_000

    /// When to ask; nil: never again.
    public private(set) var next: Int64?
    /// The address to ask.
    public private(set) var address: StreamAddress
    private let origin: StreamAddress
    private var publishTime: Int64?
    /// Between two requests; nil: no further one.
    private var wait: Int64?
    private var failures: Int64 = 0

    /// `address`: where the first version came from.
    public init(_ address: StreamAddress) {
        self.address = address
        origin = address
    }

    /// Whether a version that was requested at `asked` is to be taken. A version older than the present one, as caches give, is not; the
    /// manifest is requested again sooner.
    public mutating func arrived(_ document: MPDDocument, asked: Int64) -> Bool {
        if let publishTime, let new = document.publishTime, new < publishTime {
            failed(now: asked)
            return false
        }
        failures = 0
        publishTime = document.publishTime ?? publishTime
        let locations = document.root.children("Location", limit: 16).compactMap { document.address.resolved($0.text) }
        if !locations.isEmpty, !locations.contains(address) { address = locations[0] }
        wait = document.minimumUpdatePeriod.flatMap { period in
            let nanoseconds = period.span.nanoseconds
            guard document.isDynamic else { return nil }
            // 0: when the next segment is due. Half of the longest one is soon enough.
            return max(
                Self.least,
                nanoseconds > 0 ? nanoseconds : (document.maxSegmentDuration?.span.nanoseconds ?? 2 * Self.least) / 2)
        }
        next = wait.map { asked.saturatingAdd($0) }
        return true
    }

    /// The version that there is is still the newest, by a request at `asked`.
    public mutating func isUnchanged(asked: Int64) {
        failures = 0
        next = wait.map { asked.saturatingAdd($0) }
    }

    /// There was no answer, or nothing that can be understood. After three times the address that it all began with is asked.
    public mutating func failed(now: Int64) {
        failures = min(failures + 1, 10)
        if failures >= 3 { address = origin }
        next = now.saturatingAdd(min(Self.longestRetry, Self.retry << (failures - 1)))
    }
}
