/// Names a track across its whole life: where it comes from, and its number there.
public struct TrackID: Hashable, Sendable, Codable {
    /// The origin of a track. Each origin numbers its own.
    public enum Origin: String, Sendable, Codable { case container, external, rendition, closedCaption }

    /// The origin of the track.
    public let origin: Origin
    /// The number among those of the origin; for container tracks the stream's number in its source.
    public let number: Int
    /// For container tracks the source: 0 is the one that was opened.
    public let source: Int

    /// A track of the given origin.
    public init(_ origin: Origin = .container, _ number: Int, source: Int = 0) {
        self.origin = origin
        self.number = number
        self.source = source
    }

    /// The track that a stream is.
    public init(_ stream: StreamID) { self.init(.container, stream.number, source: stream.source) }

    /// The stream that the track is; nil for one that is no stream of a container.
    public var stream: StreamID? { origin == .container ? StreamID(source: source, number: number) : nil }
}

/// The kind of data that a track carries.
public enum TrackKind: String, Sendable, Codable { case video, audio, subtitle }

/// A track as a person chooses it. Texts are safe to display.
public struct TrackInfo: Identifiable, Sendable, Equatable {
    /// The name of the track for commands.
    public var id: TrackID
    /// Video, audio or subtitles.
    public let kind: TrackKind
    /// The title in the file, or "" when it has none.
    public var name: String
    /// FFmpeg's short codec name, for example "h264".
    public let codec: String
    /// ISO 639 as written in the file, nil when absent or "und".
    public var language: String?
    /// Another language that belongs to the track, as a manifest says: that of the writing, or of who understands it. nil for none.
    public var associatedLanguage: String?
    /// Audio channels; 0 for other kinds.
    public let channels: Int
    /// FFmpeg's name of the channel layout, for example "5.1(side)"; nil for other kinds.
    public let channelLayout: String?
    /// Samples per second; 0 for other kinds.
    public let sampleRate: Int
    /// Bits per second, 0 when the file does not say.
    public let bitrate: Int64
    /// The marks of the container.
    public let isDefault, isForced, isHearingImpaired, isCommentary: Bool
    /// Dolby Atmos objects inside, read from the bitstream headers.
    public var isAtmos: Bool
    /// A cover and not a video.
    public let isAttachedPicture: Bool
    /// Image subtitles (PGS, DVB, DVD) and not text.
    public let isBitmapSubtitle: Bool
    /// The script header of an ASS track.
    public let assHeader: String?

    /// A track; everything but identity, kind and codec has an empty default.
    public init(
        id: TrackID, kind: TrackKind, codec: String, name: String = "", language: String? = nil, channels: Int = 0,
        channelLayout: String? = nil, sampleRate: Int = 0, bitrate: Int64 = 0, isDefault: Bool = false,
        isForced: Bool = false, isHearingImpaired: Bool = false, isCommentary: Bool = false, isAtmos: Bool = false,
        isAttachedPicture: Bool = false, isBitmapSubtitle: Bool = false, assHeader: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.codec = codec
        self.name = name
        self.language = language
        self.channels = channels
        self.channelLayout = channelLayout
        self.sampleRate = sampleRate
        self.bitrate = bitrate
        self.isDefault = isDefault
        self.isForced = isForced
        self.isHearingImpaired = isHearingImpaired
        self.isCommentary = isCommentary
        self.isAtmos = isAtmos
        self.isAttachedPicture = isAttachedPicture
        self.isBitmapSubtitle = isBitmapSubtitle
        self.assHeader = assHeader
    }
}
