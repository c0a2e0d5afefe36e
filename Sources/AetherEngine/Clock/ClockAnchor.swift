public import AetherCore

/// A straight line from host time to media time: `media` was (or will be) heard at `host`, and from there the media moves on at
/// `rate` media seconds per host second. A rate of 0 is a standing clock.
public struct ClockAnchor: Sendable, Equatable {
    /// The media time at `host`, on the source axis.
    public var media: MediaTime
    /// The moment at which `media` was true.
    public var host: HostTime
    /// Media seconds per host second; 0 while the clock stands.
    public var rate: Double

    /// The next speed of the line, where it is known already; nil: it goes on as it does.
    public var bend: Bend?

    /// Another speed from a host time on, which lies behind `host`.
    public struct Bend: Sendable, Equatable {
        /// The moment.
        public var host: HostTime
        /// Media seconds per host second from there on.
        public var rate: Double

        /// A bend at a moment.
        public init(host: HostTime, rate: Double) { (self.host, self.rate) = (host, rate) }
    }

    /// A line through one point, without a bend.
    public init(media: MediaTime, host: HostTime, rate: Double) {
        self.media = media
        self.host = host
        self.rate = rate
    }

    /// media + (host − anchor.host) × rate, and from the bend on by its rate.
    public func time(at host: HostTime) -> MediaTime {
        guard let bend, host > bend.host else { return media + (host - self.host).scaled(by: rate) }
        return media + (bend.host - self.host).scaled(by: rate) + (host - bend.host).scaled(by: bend.rate)
    }

    /// The due time of a point of the media; nil while the clock stands.
    public func host(of media: MediaTime) -> HostTime? {
        guard rate != 0 else { return nil }
        let straight = host + (media - self.media).scaled(by: 1 / rate)
        guard let bend, straight > bend.host, bend.rate != 0 else { return straight }
        return bend.host + (media - time(at: bend.host)).scaled(by: 1 / bend.rate)
    }

    /// The speed at a host time.
    func rate(at host: HostTime) -> Double { bend.map { host > $0.host ? $0.rate : rate } ?? rate }
}
