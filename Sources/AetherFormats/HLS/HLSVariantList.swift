/// A list of variants: the choices, before any list of segments is read. Texts are safe to display.
public struct HLSVariantList: Sendable {
    /// A member of a group (EXT-X-MEDIA).
    public struct Media: Sendable, Equatable {
        /// The kinds.
        public enum Kind: String, Sendable {
            case audio = "AUDIO"
            case video = "VIDEO"
            case subtitles = "SUBTITLES"
            case closedCaptions = "CLOSED-CAPTIONS"
        }

        /// The kind.
        public internal(set) var kind: Kind
        /// The group's name, and its own in the group.
        public internal(set) var group: String, name: String
        /// The address of its list of segments; nil where the variants' own segments hold the rendition.
        public internal(set) var address: StreamAddress?
        /// Languages as they are written.
        public internal(set) var language: String?, associatedLanguage: String?
        /// How it may be chosen.
        public internal(set) var isDefault = false, isAutoselected = false, isForced = false
        /// The channels; nil where the list has none.
        public internal(set) var channels: StatedChannels?
        /// Bits of a sample and samples a second; nil where they are not said.
        public internal(set) var bitDepth: Int64?, sampleRate: Int64?
        /// Uniform type identifiers.
        public internal(set) var characteristics: [String] = []
        /// Which captions of the video are meant.
        public internal(set) var captionChannel: String?
        /// A name that is the same on every server and in every update.
        public internal(set) var stableID: String?
        /// The address as it is written.
        var written = ""
    }

    /// A variant (EXT-X-STREAM-INF), or one of key frames or stills alone.
    public struct Entry: Sendable, Hashable {
        /// Its list of segments.
        public internal(set) var address: StreamAddress
        /// Bits a second.
        public internal(set) var peakBitRate: Int64, averageBitRate: Int64?
        /// The playlist's score for it, in millionths.
        public internal(set) var score: Int64?
        /// Empty where they are not said.
        public internal(set) var codecs: [CodecName] = [], supplementalCodecs: [CodecName] = []
        /// Size, frame rate and dynamic range; nil where the list has none.
        public internal(set) var size: StatedSize?, frameRate: StatedRate?, range: StatedRange?
        /// Names of groups.
        public internal(set) var audio: String?, video: String?, subtitles: String?, captions: String?
        /// CLOSED-CAPTIONS=NONE.
        public internal(set) var hasNoCaptions = false
        /// The name of its server.
        public internal(set) var pathway: String?
        /// A name that is the same on every server and in every update.
        public internal(set) var stableID: String?
        /// REQ-VIDEO-LAYOUT.
        public internal(set) var requiredLayouts: [String] = []
        /// A name for people.
        public internal(set) var name: String?
        /// The address as it is written.
        var written = ""
    }

    /// Where it came from.
    public let address: StreamAddress
    /// EXT-X-VERSION; 1 where it is not said.
    public internal(set) var version: Int64 = 1
    /// The variants, in their order.
    public internal(set) var variants: [Entry] = []
    /// Variants of key frames alone, and of stills alone.
    public internal(set) var keyFrames: [Entry] = [], images: [Entry] = []
    /// The members of all groups, in their order.
    public internal(set) var media: [Media] = []
    /// Each segment begins with a key frame.
    public internal(set) var isIndependent = false
    /// Where to begin.
    public internal(set) var startPoint: Presentation.StartPoint?
    /// The data about the whole.
    public internal(set) var data: [Presentation.Datum] = []
    /// The keys that will be needed.
    public internal(set) var keys: [SegmentEncryption] = []
    /// Who says which server is to be used.
    public internal(set) var steering: Presentation.Steering?
    /// The variables that lists of segments may import.
    public internal(set) var variables: [String: String] = [:]

    init(address: StreamAddress) { self.address = address }
}
