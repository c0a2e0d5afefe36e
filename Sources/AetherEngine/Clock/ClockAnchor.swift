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

    /// A line through one point.
    public init(media: MediaTime, host: HostTime, rate: Double) {
        self.media = media
        self.host = host
        self.rate = rate
    }

    /// media + (host − anchor.host) × rate.
    public func time(at host: HostTime) -> MediaTime { media + (host - self.host).scaled(by: rate) }

    /// The due time of a point of the media; nil while the clock stands.
    public func host(of media: MediaTime) -> HostTime? {
        rate == 0 ? nil : host + (media - self.media).scaled(by: 1 / rate)
    }
}
