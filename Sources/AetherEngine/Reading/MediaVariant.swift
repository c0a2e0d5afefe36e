public import AetherCore
import AetherFormats

/// One of the qualities in which a source in segments is offered.
public struct MediaVariant: Identifiable, Sendable, Equatable {
    /// The manifest's name for the variant; the same when the manifest is read again.
    public let id: String
    /// The address of its playlist, or the base of its segments' addresses; nil where a host offers the variant. It may hold secrets.
    public let url: String?
    /// Short words for a list: "1080p", "HDR10", "60 fps", "Atmos", and the name of its camera angle. Safe to display.
    public let badges: [String]
    /// Bits a second at most, and on average, with everything that belongs to it; nil where the manifest does not say.
    public let peakBitRate, averageBitRate: Double?
    /// The usual names of its codecs: "H.264", "AAC". Safe to display.
    public let codecs: [String]
    /// The attributes of its video; nil where the variant has no video, or the manifest has no attributes.
    public let videoAttributes: VideoAttributes?
    /// The attributes of its audio; nil where the variant has no audio, or the manifest has no attributes.
    public let audioAttributes: AudioAttributes?
    /// The maker's own order: more is better; nil where the manifest does not say.
    public let score: Double?
    /// The reason why it cannot be played here; nil for none.
    public let obstacle: VariantObstacle?
    /// The name of its camera angle, safe to display; nil where there is one alone.
    public let angle: String?
    /// It is played where a person chooses its angle.
    let isOtherAngle: Bool
    /// The quality may have video: nothing says that it has audio alone.
    let hasVideo: Bool

    /// The properties of video that a manifest states.
    public struct VideoAttributes: Sendable, Equatable {
        /// The dynamic range; standard by default.
        public let videoRange: VideoRange
        /// As RFC 6381 has them: "avc1.64001f". Safe to display.
        public let codecTypes: [String]
        /// The size in pixels; nil where the manifest has none.
        public let presentationSize: PixelSize?
        /// Frames a second; nil where it is not said.
        public let nominalFrameRate: Double?
    }

    /// The dynamic range of the video. Codable, because a `#Predicate` takes only such values.
    public enum VideoRange: String, Sendable, Codable {
        case sdr, pq, hlg
    }

    /// The properties of audio that a manifest states.
    public struct AudioAttributes: Sendable, Equatable {
        /// As RFC 6381 has them: "mp4a.40.2". Safe to display.
        public let formatIDs: [String]
        /// The audio renditions that can be chosen with the variant.
        public let renditions: [AudioRendition]
    }

    /// One audio rendition.
    public struct AudioRendition: Sendable, Equatable {
        /// Safe to display.
        public let name: String
        /// The language; nil where the manifest has none.
        public let language: String?
        /// 0 where it is not said.
        public let channelCount: Int
        /// Objects around the listener: Dolby Atmos.
        public let isImmersive: Bool
        /// Made for headphones.
        public let isBinaural: Bool
        /// Mixed down from more channels.
        public let isDownmix: Bool
    }

    /// A quality that a host offers (`SourceSupplement`), by its pixels and its bits a second. All words are made safe to display.
    public init(id: String, badges: [String], size: PixelSize?, peakBitRate: Double?, codecs: [String]) {
        (self.id, self.peakBitRate) = (id, peakBitRate)
        self.badges = badges.map { DisplayText.singleLine($0, limit: 40) }
        self.codecs = codecs.map { DisplayText.singleLine($0, limit: 40) }
        videoAttributes = size.map {
            VideoAttributes(videoRange: .sdr, codecTypes: [], presentationSize: $0, nominalFrameRate: nil)
        }
        (averageBitRate, audioAttributes, score, hasVideo, url, obstacle) = (nil, nil, nil, true, nil, nil)
        (angle, isOtherAngle) = (nil, false)
    }

    /// Of a manifest. `audio` are the groups of its audio set, `rendition` the one of its own segments; `protection`: for which there is no key.
    init(_ variant: Variant, audio: [Group], rendition: Rendition? = nil, protection: ContentProtection? = nil) {
        id = variant.id
        url = rendition?.addresses.first?.text
        obstacle = VariantObstacle(variant, protection: protection)
        badges = variant.badges(audio: audio)
        peakBitRate = variant.peakBitRate > 0 ? Double(variant.peakBitRate) : nil
        averageBitRate = variant.averageBitRate.flatMap { $0 > 0 ? Double($0) : nil }
        codecs = variant.codecs.map { DisplayText.singleLine($0.name, limit: 40) }
        score = variant.score.map { Double($0) / 1_000_000 }
        hasVideo = variant.hasVideo
        (angle, isOtherAngle) = (variant.angle, variant.isOtherAngle)
        let size = variant.size.map { PixelSize(width: $0.width, height: $0.height) }
        func names(_ kind: CodecName.Kind) -> [String] {
            variant.codecs.filter { $0.kind == kind }.map { DisplayText.singleLine($0.text, limit: 60) }
        }
        let isSeen = size != nil || variant.frameRate != nil || !names(.video).isEmpty
        videoAttributes =
            isSeen
            ? VideoAttributes(
                videoRange: VideoRange(variant.range), codecTypes: names(.video), presentationSize: size,
                nominalFrameRate: variant.frameRate?.value) : nil
        let renditions = audio.map { AudioRendition($0) }
        audioAttributes =
            names(.audio).isEmpty && renditions.isEmpty ? nil : AudioAttributes(formatIDs: names(.audio), renditions: renditions)
    }

    /// A quality that no manifest states: by its height and bits alone.
    init(
        id: String, size: PixelSize?, peakBitRate: Double?, codecTypes: [String] = [], frameRate: Double? = nil,
        score: Double? = nil, obstacle: VariantObstacle? = nil
    ) {
        (self.id, self.peakBitRate, self.score, self.obstacle) = (id, peakBitRate, score, obstacle)
        (averageBitRate, codecs, audioAttributes, hasVideo, url) = (nil, [], nil, true, nil)
        (angle, isOtherAngle) = (nil, false)
        badges = size.map { ["\(min($0.width, $0.height))p"] } ?? []
        videoAttributes = VideoAttributes(
            videoRange: .sdr, codecTypes: codecTypes, presentationSize: size, nominalFrameRate: frameRate)
    }

    /// The size of the video in pixels; nil where the manifest has none.
    public var size: PixelSize? { videoAttributes?.presentationSize }

    /// Its badges, or its bit rate where it has no badges: "1080p HDR10".
    public var name: String { badges.isEmpty ? rate ?? "Video" : badges.joined(separator: " ") }

    /// The bit rate for people: "5.2 Mbit/s".
    public var rate: String? { peakBitRate.map { Self.rate($0) } }

    /// Bits a second for people.
    static func rate(_ rate: Double) -> String {
        let bits = Int(min(rate, 1e15))
        if bits < 1_000_000 { return "\((bits + 500) / 1000) kbit/s" }
        let tenths = (bits + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) Mbit/s"
    }
}

extension MediaVariant.VideoRange {
    init(_ range: StatedRange?) {
        switch range {
        case .pq: self = .pq
        case .hlg: self = .hlg
        case .sdr, nil: self = .sdr
        }
    }
}

extension MediaVariant.AudioRendition {
    init(_ group: Group) {
        name = DisplayText.singleLine(group.label, limit: 200)
        (language, channelCount) = (group.language, group.channels?.count ?? 0)
        isImmersive = group.channels?.isImmersive ?? false
        (isBinaural, isDownmix) = (group.channels?.isBinaural ?? false, group.channels?.isDownmix ?? false)
    }
}

extension Presentation {
    /// The qualities to choose among, in the manifest's order. `hasKeys`: what is protected can be read.
    func mediaVariants(hasKeys: Bool = false) -> [MediaVariant] {
        let groups = periods.first?.groups ?? []
        var renditions: [Rendition.ID: Rendition] = [:]
        for rendition in groups.flatMap(\.renditions) where renditions[rendition.id] == nil {
            renditions[rendition.id] = rendition
        }
        return variants.map { variant in
            let audio = groups.filter { $0.kind == .audio && $0.set == variant.audioSet }
            let rendition = renditions[variant.rendition], system = rendition?.protection ?? protection
            // A licence of ClearKey is asked for by ourselves.
            let isReadable = hasKeys || system == .clearKey
            return MediaVariant(variant, audio: audio, rendition: rendition, protection: isReadable ? nil : system)
        }
    }
}

/// The qualities of a source in segments, and the one that is read.
struct SourceVariants: Sendable, Equatable {
    var list: [MediaVariant]
    var active: MediaVariant.ID
    /// The active one is chosen by window, machine and link, not by the person.
    var isAdaptive = false
}
