import AetherCore

/// The clockwork of a dynamic manifest. Moments are nanoseconds since 1970 by the server's clock; times lie on the presentation's axis, which
/// begins at `availabilityStart`.
public struct LiveTiming: Sendable, Equatable {
    /// The zero of the axis.
    public let availabilityStart: Int64
    /// How far back from now segments are there; nil: to the start.
    public let depth: Ticks?
    /// The time after which the manifest is to be read again, of which 0 means before each new segment; nil: never.
    public let updatePeriod: Ticks?
    /// The distance from the live edge that the broadcaster wishes for.
    public let delay: Ticks?
    /// The longest segment; nil where it does not say.
    public let maxSegmentDuration: Ticks?
    /// For low latency: the wished distance to the live edge, its bounds, and the rates to keep it; nil where the manifest has none.
    public let latency: LatencyTarget?
    /// The ways to learn the server's clock, the first that is understood to be used.
    public let clocks: [UTCTiming]
    /// Where the manifest is to be read from the next time; empty: where it came from.
    public let locations: [StreamAddress]
    /// Where changes alone can be read; nil for nowhere.
    public let patch: PatchLocation?
    /// The version.
    public let publishTime: Int64?

    /// The latency by ServiceDescription.
    public struct LatencyTarget: Sendable, Equatable {
        /// nil for values that are not given.
        public let target, least, most: Ticks?
        /// Rates of playing in thousandths; 1000 where they are not said.
        public let slowest, fastest: Int

        /// The rates as factors that are not audible: within 0.95 … 1.05, and 1 among them; nil where the manifest has none.
        public var rates: ClosedRange<Double>? {
            guard (slowest, fastest) != (1000, 1000) else { return nil }
            return max(0.95, min(1, Double(slowest) / 1000))...min(1.05, max(1, Double(fastest) / 1000))
        }
    }

    /// Changes alone (MPD Patch).
    public struct PatchLocation: Sendable, Equatable {
        /// Its address.
        public let address: StreamAddress
        /// The time until which the address is good; nil: for ever.
        public let until: Int64?
    }

    /// A moment on the axis.
    public func time(of moment: Int64) -> Ticks {
        Ticks(moment.saturatingAdd(availabilityStart == .min ? .max : -availabilityStart), timescale: Ticks.nanoseconds)
    }
}
