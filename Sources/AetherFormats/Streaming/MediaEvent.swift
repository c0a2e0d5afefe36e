import AetherCore

/// An event at a place of the presentation: an advertisement's border (SCTE 35), a tag (ID3), data for a host. From the manifest
/// (EventStream) or from a segment (`emsg`).
public struct MediaEvent: Sendable, Equatable {
    /// Events of a manifest, and of a segment, at most.
    static let limit = 10_000
    /// Bytes of a message that are kept.
    static let messageLimit = 64 << 10

    /// The scheme that defines the message, such as "urn:scte:scte35:2013:bin", safe to display.
    public let scheme: String
    /// The value within the scheme; "" for none.
    public let value: String
    /// Two with the same scheme, value and id are the same event; nil where it has none.
    public let id: String?
    /// The start on the presentation's axis.
    public let start: Ticks
    /// The duration; nil where it is unknown.
    public let duration: Ticks?
    /// The message as it is.
    public let message: [UInt8]
}
