/// Where playing a broadcast begins, and how far behind its end it keeps.
public enum LiveJoinProfile: String, Sendable, CaseIterable {
    /// As far from the live edge as the broadcaster asks of players that take whole segments: three segments as a rule.
    case safe
    /// As near to the live edge as the broadcaster offers: parts of segments are played before the segments are complete. The same as
    /// `safe` where no parts are offered.
    case lowLatency = "low-latency"
    /// At the last but one of the complete segments, so that the first frame comes soon and playing does not run dry before the list may be
    /// asked for again.
    case fastZap = "fast-zap"
}
