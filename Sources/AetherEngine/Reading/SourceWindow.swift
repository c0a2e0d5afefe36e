import AetherCore

/// The part of a source that can be gone to. It may move while the source plays.
struct SourceWindow: Sendable, Equatable {
    /// From the first to the last point that can be gone to; nil where the source can only be read on.
    var seekable: ClosedRange<MediaTime>?
    /// The end of what there is by now, of a source that is still being made; nil for one that is complete.
    var liveEdge: MediaTime?
    /// The edge moves on by so much at a time.
    var step = TimeSpan.zero
    /// The rates at which the broadcaster lets players keep their distance; nil where it does not say.
    var rates: ClosedRange<Double>?
    /// The part that is kept on this machine, whatever becomes of the source; nil where nothing is beside the packets in memory.
    var held: ClosedRange<MediaTime>?
    /// The moment of the axis' zero in nanoseconds since 1970, as it holds near the edge; nil where unknown.
    var wallZero: Int64?

    /// The first point that can be gone to; zero where there is none.
    var start: MediaTime { seekable?.lowerBound ?? .zero }

    /// Whether more comes while it plays.
    var isLive: Bool { liveEdge != nil }
}
