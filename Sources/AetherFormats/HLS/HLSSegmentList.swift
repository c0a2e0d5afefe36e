/// The list of segments of one rendition.
public struct HLSSegmentList: Sendable, Equatable {
    /// The server's offers for updates (EXT-X-SERVER-CONTROL). Times in nanoseconds; nil where they are not said.
    public struct ServerControl: Sendable, Equatable {
        /// Segments so far behind the end may be left out of an update.
        public internal(set) var skipUntil: Int64?
        /// Date ranges may be left out, too.
        public internal(set) var skipsDateRanges = false
        /// How far behind the end one should play.
        public internal(set) var holdBack: Int64?
        /// The distance behind the end at which to play parts.
        public internal(set) var partHoldBack: Int64?
        /// A request for an update may wait for it.
        public internal(set) var canBlockReload = false
    }

    /// The part that will be needed next (EXT-X-PRELOAD-HINT).
    public struct PreloadHint: Sendable, Equatable {
        /// An init section, else a part of a segment.
        public let isMap: Bool
        /// Where it will lie.
        public let address: StreamAddress
        /// Where in it; length nil: to its end.
        public let offset: Int64, length: Int64?
    }

    /// How far another rendition is (EXT-X-RENDITION-REPORT).
    public struct RenditionReport: Sendable, Equatable {
        /// Its playlist.
        public let address: StreamAddress
        /// The number of its last segment, and of the last part in that segment.
        public let lastNumber: Int64?, lastPart: Int64?
    }

    /// The segments that an update has left out (EXT-X-SKIP).
    public struct Skip: Sendable, Equatable {
        /// Segments at the front.
        public let count: Int64
        /// Date ranges that are no more.
        public let removedDateRanges: [String]
    }

    /// Where it came from.
    public let address: StreamAddress
    /// EXT-X-VERSION; 1 where it is not said.
    public internal(set) var version: Int64 = 1
    /// How it lasts.
    public internal(set) var kind = Presentation.Kind.live
    /// There will be no further segment.
    public internal(set) var isEnded = false
    /// The list claims to be complete, but its end is missing: it should be requested once more.
    public internal(set) var isCutOff = false
    /// The longest a segment may be, rounded to whole seconds, in nanoseconds.
    public internal(set) var targetDuration: Int64 = 0
    /// The number of the first discontinuity stretch.
    public internal(set) var discontinuitySequence: Int64 = 0
    /// The segments.
    public internal(set) var segments: SegmentList
    /// Parts behind the last segment, of one that is not whole yet.
    public internal(set) var trailingParts: [PartialSegment] = []
    /// The moment at which those begin; nil where it is not said anew.
    var trailingClock: Int64?
    /// The clock, the init section and the key of those.
    var trailingStretch = SegmentList.Stretch()
    /// Each segment begins with a key frame.
    public internal(set) var isIndependent = false
    /// Key frames alone.
    public internal(set) var isKeyFramesOnly = false
    /// Stills alone.
    public internal(set) var isImagesOnly = false
    /// How stills lie in an image.
    public internal(set) var tiles: TileLayout?
    /// How often the server has begun to count anew before this list.
    public internal(set) var era: Int64 = 0
    /// Where to begin.
    public internal(set) var startPoint: Presentation.StartPoint?
    /// The server's offers for updates.
    public internal(set) var serverControl = ServerControl()
    /// The longest length of a part, in nanoseconds; nil without parts.
    public internal(set) var partTarget: Int64?
    /// The part that will be needed next.
    public internal(set) var preloadHints: [PreloadHint] = []
    /// How far other renditions are.
    public internal(set) var renditionReports: [RenditionReport] = []
    /// Advertisements, chapters and other marks.
    public internal(set) var dateRanges: [HLSDateRange] = []
    /// The segments that this update has left out; nil for a whole playlist.
    public internal(set) var skip: Skip?
    /// Digital rights that the first segment is under which has no key; nil where every segment can be played.
    public internal(set) var protection: ContentProtection?

    init(address: StreamAddress) {
        self.address = address
        segments = SegmentList(base: address, timescale: Ticks.nanoseconds)
    }

    /// The length of all segments.
    public var duration: Ticks { segments.end - segments.start }

    /// Throws where no segment can be played: the list has ended without a segment, or its first segment is under digital rights, for which
    /// there may be keys of other origin.
    public func checkPlayable(hasKeys: Bool = false) throws(StreamFault) {
        if isEnded, segments.count == 0 { throw StreamFault(.nothingToPlay) }
        if !hasKeys, let first = segments.segment(segments.numbers.lowerBound), case .protected(let system) = first.encryption {
            throw StreamFault(.protected(system))
        }
    }

    /// The place of a moment on the axis of the segments, by EXT-X-PROGRAM-DATE-TIME; nil where the playlist does not say.
    public func time(ofWallClock nanoseconds: Int64) -> Ticks? {
        segments.times(ofWallClocks: [nanoseconds])[0]
    }
}

/// A mark over a stretch of time (EXT-X-DATERANGE). Texts are safe to display.
public struct HLSDateRange: Sendable, Equatable, Identifiable {
    /// The name, unique in the playlist.
    public let id: String
    /// Whose attributes it has; nil for none.
    public internal(set) var className: String?
    /// Nanoseconds since 1970.
    public internal(set) var start: Int64
    /// Nanoseconds; nil where it is not said, or not known yet.
    public internal(set) var duration: Int64?
    /// Nanoseconds; how long it will be.
    public internal(set) var plannedDuration: Int64?
    /// The range ends where the next one of its class begins.
    public internal(set) var endsOnNext = false
    /// When it is to be obeyed: PRE, POST, ONCE.
    public internal(set) var cue: Set<String> = []
    /// The attributes with X- and SCTE35-.
    public internal(set) var attributes: [String: String] = [:]

    /// An interruption by other media: an advertisement as a rule.
    public var isInterruption: Bool {
        className == "com.apple.hls.interstitial"
            || attributes.keys.contains { $0.hasPrefix("SCTE35-OUT") || $0 == "X-ASSET-URI" }
    }
}
