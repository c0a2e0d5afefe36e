/// One programme of a guide. Times are seconds since 1970.
public struct GuideProgramme: Sendable, Equatable {
    /// The times at which the programme begins and ends.
    public let start, stop: Int64
    /// One line, safe to display; never empty.
    public let title: String
    /// A summary of the programme, one line, safe to display; "" where the guide has none.
    public let summary: String

    /// A programme.
    public init(start: Int64, stop: Int64, title: String, summary: String = "") {
        (self.start, self.stop, self.title, self.summary) = (start, stop, title, summary)
    }

    /// The part of the programme that is over, 0 … 1.
    public func progress(at time: Int64) -> Double {
        guard stop > start else { return time >= start ? 1 : 0 }
        return min(1, max(0, Double(time - start) / Double(stop - start)))
    }
}

/// The present programme of a channel, and the next one.
public struct NowNext: Sendable, Equatable {
    /// nil: the guide knows of no programme at that time.
    public var now: GuideProgramme?
    /// nil: the guide knows of no later programme.
    public var next: GuideProgramme?
    /// The part of the present programme that is over, 0 … 1; nil without one.
    public var progress: Double?

    /// The present and the next programme at a time, out of programmes in their order that do not overlap.
    public init(_ programmes: [GuideProgramme] = [], at time: Int64) {
        now = programmes.last { $0.start <= time && time < $0.stop }
        next = programmes.first { $0.start > time }
        progress = now?.progress(at: time)
    }
}
