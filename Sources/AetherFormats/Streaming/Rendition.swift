/// The range of light that a manifest states.
public enum StatedRange: String, Sendable {
    case sdr = "SDR"
    case pq = "PQ"
    case hlg = "HLG"
}

/// The size of video in pixels.
public struct StatedSize: Sendable, Hashable {
    /// Both positive.
    public let width, height: Int

    /// A size; nil where a side is not positive or above 65 535.
    public init?(width: Int, height: Int) {
        guard (1...65_535).contains(width), (1...65_535).contains(height) else { return nil }
        self.width = width
        self.height = height
    }
}

/// A fraction of frames a second, in thousandths: 23.976 is 23 976.
public struct StatedRate: Sendable, Hashable {
    /// Frames in 1000 s; positive.
    public let millihertz: Int

    /// A rate; nil where it is not positive or above 1000 a second.
    public init?(millihertz: Int) {
        guard (1...1_000_000).contains(millihertz) else { return nil }
        self.millihertz = millihertz
    }

    /// Frames a second.
    public var value: Double { Double(millihertz) / 1000 }
}

/// One stream of segments.
public struct Rendition: Sendable, Identifiable {
    /// Stays the same when the manifest is read again.
    public var id: String
    /// Bits a second at most, and on average; nil where they are not known.
    public var peakBitRate: Int64?, averageBitRate: Int64?
    /// Empty where they are not known.
    public var codecs: [CodecName] = []
    /// Codecs that a player may use instead, such as Dolby Vision above an HDR10 base.
    public var supplementalCodecs: [CodecName] = []
    /// The size of the video; nil where it is unknown.
    public var size: StatedSize?
    /// The frame rate; nil where it is unknown.
    public var frameRate: StatedRate?
    /// The dynamic range; nil where it is unknown.
    public var range: StatedRange?
    /// Stills in one image: columns, rows and the length of each; nil for a rendition without images.
    public var tiles: TileLayout?
    /// The media type of its files, such as "video/mp4" or "text/vtt"; nil where the manifest has none.
    public var mediaType: String?
    /// Hertz; nil where it is not known.
    public var sampleRate: Int?
    /// The digital rights that its media needs; nil for none.
    public var protection: ContentProtection?
    /// The addresses of its playlist, the first one to be tried first; the others have the same content on other servers. Where the
    /// manifest itself has the index (DASH): the base addresses of its segments on each server, as `SegmentIndex.segment(_:address:)`
    /// counts them.
    public var addresses: [StreamAddress] = []
    /// The names of the servers in `addresses`, in their order, by which steering chooses; of HLS empty where there is no steering.
    public var services: [String?] = []
    /// The name by which steering refers to the rendition on further servers; nil for none.
    public var stableID: String?
    /// Its segments may be read while they are made (low latency of DASH).
    public var isChunked = false
    /// A later version of the manifest has brought it: its name may go again.
    var isNewcomer = false
    /// The segments; nil before the playlist is read. DASH's are there at once, except those in `Presentation.pendingIndexes`.
    public var index: (any SegmentIndex)?

    /// A rendition of which nothing is known.
    public init(id: String) { self.id = id }
}

/// The number of stills in an image.
public struct TileLayout: Sendable, Equatable {
    /// Both positive.
    public let columns, rows: Int
    /// The time for which each still is good; positive.
    public let duration: Ticks
    /// The size of one; nil where it is not said.
    public let size: StatedSize?

    /// A layout; nil where there would be none or more than 65 535 stills.
    public init?(columns: Int, rows: Int, duration: Ticks, size: StatedSize?) {
        guard (1...1000).contains(columns), (1...1000).contains(rows), columns * rows <= 65_535, duration > .zero else {
            return nil
        }
        self.columns = columns
        self.rows = rows
        self.duration = duration
        self.size = size
    }
}

/// A choice as a whole: a rendition of video with the sets of audio and text that go with it.
public struct Variant: Sendable, Identifiable {
    /// A name that is unique, and the same when the manifest is read again.
    public var id: String
    /// The rendition of its own segments.
    public var rendition: Rendition.ID
    /// Bits a second with everything that goes with it: at most, and on average.
    public var peakBitRate: Int64, averageBitRate: Int64?
    /// The codecs of all its renditions; empty where they are unknown.
    public var codecs: [CodecName] = []
    /// Codecs that may be used instead.
    public var supplementalCodecs: [CodecName] = []
    /// The size of the video; nil where it is unknown, or where there is no video.
    public var size: StatedSize?
    /// The frame rate; nil where it is unknown.
    public var frameRate: StatedRate?
    /// The dynamic range; nil where it is unknown.
    public var range: StatedRange?
    /// The manifest's score for it, in millionths; more is better.
    public var score: Int64?
    /// The sets (`Group.set`) of audio, video, text and captions; nil: those of its own segments.
    public var audioSet: String?, videoSet: String?, textSet: String?, captionSet: String?
    /// The manifest says expressly that the rendition has no captions.
    public var hasNoCaptions = false
    /// The name of the server that it comes from; nil for none.
    public var pathway: String?
    /// The name of the camera angle, safe to display; nil where there is one alone.
    public var angle: String?
    /// The angle is not the one that its maker begins with: it is played where a person chooses it.
    public var isOtherAngle = false
    /// Channels and projection that a display must have (REQ-VIDEO-LAYOUT), such as "CH-STEREO"; empty for none.
    public var requiredLayouts: [String] = []

    /// A variant.
    public init(id: String, rendition: Rendition.ID, peakBitRate: Int64) {
        self.id = id
        self.rendition = rendition
        self.peakBitRate = peakBitRate
    }

    /// Its segments were found to hold audio alone.
    public internal(set) var isAudioAlone = false

    /// Whether its size, its rate or a codec says that the variant has video.
    public var statesVideo: Bool { size != nil || frameRate != nil || codecs.contains { $0.kind == .video } }

    /// Whether the variant has video, by its size, rate or codecs; true where none of them is known.
    public var hasVideo: Bool {
        if isAudioAlone { return false }
        if size != nil || frameRate != nil { return true }
        return codecs.isEmpty || codecs.contains { $0.kind == .video || $0.kind == nil }
    }
}

extension Variant {
    /// Short words for a list: "2160p", "HDR10", "Dolby Vision", "60 fps", "Atmos", and the name of the camera
    /// angle. `audio` are the groups of its audio set.
    public func badges(audio: [Group] = []) -> [String] {
        var badges: [String] = []
        if let size { badges.append("\(min(size.width, size.height))p") }
        if codecs.contains(where: \.isDolbyVision) || supplementalCodecs.contains(where: \.isDolbyVision) {
            badges.append("Dolby Vision")
        } else if range == .pq {
            badges.append("HDR10")
        } else if range == .hlg {
            badges.append("HLG")
        }
        if let frameRate, frameRate.millihertz > 30_500 { badges.append("\((frameRate.millihertz + 500) / 1000) fps") }
        if audio.contains(where: { $0.channels?.isImmersive == true }) { badges.append("Atmos") }
        if let angle, !angle.isEmpty { badges.append(angle) }
        return badges
    }
}
