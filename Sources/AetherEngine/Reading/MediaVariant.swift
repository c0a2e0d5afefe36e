public import AetherCore
import AetherFormats

/// One of the qualities in which a source in segments is offered.
public struct MediaVariant: Identifiable, Sendable, Equatable {
    /// The manifest's name for it; the same when the manifest is read again.
    public let id: String
    /// Short words for a list: "1080p", "HDR10", "60 fps", "Atmos". Safe to display.
    public let badges: [String]
    /// Of the video in pixels; nil where the manifest does not say.
    public let size: PixelSize?
    /// Bits a second at most, with everything that belongs to it; nil where the manifest does not say.
    public let peakBitRate: Int64?
    /// The usual names of its codecs: "H.264", "AAC". Safe to display.
    public let codecs: [String]

    /// A quality that a host offers (`SourceSupplement`). All words are made safe to display.
    public init(id: String, badges: [String], size: PixelSize?, peakBitRate: Int64?, codecs: [String]) {
        (self.id, self.size, self.peakBitRate) = (id, size, peakBitRate)
        self.badges = badges.map { DisplayText.singleLine($0, limit: 40) }
        self.codecs = codecs.map { DisplayText.singleLine($0, limit: 40) }
    }

    init(_ variant: Variant, audio: [Group]) {
        id = variant.id
        badges = variant.badges(audio: audio)
        size = variant.size.map { PixelSize(width: $0.width, height: $0.height) }
        peakBitRate = variant.peakBitRate > 0 ? variant.peakBitRate : nil
        codecs = variant.codecs.map { DisplayText.singleLine($0.name, limit: 40) }
    }

    /// Its badges, or its bit rate where there are none: "1080p HDR10".
    public var name: String { badges.isEmpty ? rate ?? "Video" : badges.joined(separator: " ") }

    /// The bit rate for people: "5.2 Mbit/s".
    public var rate: String? {
        guard let peakBitRate else { return nil }
        if peakBitRate < 1_000_000 { return "\((peakBitRate + 500) / 1000) kbit/s" }
        let tenths = (peakBitRate + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) Mbit/s"
    }
}

/// The qualities of a source in segments, and the one that is read.
struct SourceVariants: Sendable, Equatable {
    var list: [MediaVariant]
    var active: MediaVariant.ID
}
