import AetherCore

/// A packet in a segment, with the times that it gets there.
public struct SegmentSample: Sendable {
    /// The payload.
    public let packet: Packet
    /// In ticks of the track's timescale, from the start of what is served. The decode time is never negative.
    public var dts, pts, duration: Int64
    /// Decoding can begin here.
    public var isKey: Bool

    /// A sample.
    public init(_ packet: Packet, dts: Int64, pts: Int64, duration: Int64, isKey: Bool) {
        (self.packet, self.dts, self.pts, self.duration, self.isKey) = (packet, dts, pts, duration, isKey)
    }
}
