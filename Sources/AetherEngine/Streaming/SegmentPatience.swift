import AetherSources

/// The patience with the server of a run's segments.
struct SegmentPatience: Sendable {
    /// For the first segment and what comes before it.
    var first = NamedFile.Patience.opening
    /// For those behind it: something plays by then.
    var later = NamedFile.Patience.opening
}
