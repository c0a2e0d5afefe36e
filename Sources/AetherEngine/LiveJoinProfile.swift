/// Where playing a broadcast begins, and how far behind its end it keeps.
public enum LiveJoinProfile: String, Sendable, CaseIterable {
    /// As far as the broadcaster asks of players that take whole segments: three of them as a rule.
    case safe
    /// As near to the live edge as the broadcaster offers: parts of segments are played before the segments are complete. The same as
    /// `safe` where no parts are offered.
    case lowLatency = "low-latency"
    /// At the newest segment that is whole, so that the first frame is there soon.
    case fastZap = "fast-zap"
}
