/// The playable content of a source in segments, whatever its manifest's language is. A value; texts in it are safe to display.
public struct Presentation: Sendable {
    /// How it lasts.
    public enum Kind: String, Sendable {
        /// The presentation is complete.
        case vod
        /// The presentation grows at its end, and keeps its start.
        case event
        /// A window that moves.
        case live
    }

    /// Where the person should begin (EXT-X-START).
    public struct StartPoint: Sendable, Equatable {
        /// The offset from the start; a negative one counts from the end.
        public let offset: Ticks
        /// Frames before it are not shown.
        public let isPrecise: Bool

        /// A point.
        public init(offset: Ticks, isPrecise: Bool) {
            self.offset = offset
            self.isPrecise = isPrecise
        }
    }

    /// Where a steering manifest says which of several servers is to be used.
    public struct Steering: Sendable, Equatable {
        /// Its address.
        public let address: StreamAddress
        /// The pathway to begin with; "." where none is named.
        public let pathway: String
    }

    /// A statement about the whole presentation: title, author …
    public struct Datum: Sendable, Equatable {
        /// Its name, such as "com.example.title".
        public let id: String
        /// The value; nil where an address holds it.
        public let value: String?
        /// Where it lies.
        public let address: StreamAddress?
        /// The language; nil for none.
        public let language: String?
    }

    /// The kind of the presentation: complete, growing or live; nil for a list of variants before one of their playlists is read.
    public var kind: Kind?
    /// The length; nil where it is unknown, or there is no end.
    public var duration: Ticks?
    /// The stretches, one behind the other. HLS has one: its discontinuities lie in the segment indexes. DASH has one, too: its tracks go
    /// through all of the manifest's periods, which are `sections`.
    public var periods: [Period] = []
    /// The periods of a DASH manifest; empty of HLS.
    public var sections: [Section] = []
    /// The variants to choose among, in the order of the manifest.
    public var variants: [Variant] = []
    /// The point to start at; nil where the manifest has none.
    public var startPoint: StartPoint?
    /// Every segment begins with a key frame.
    public var isIndependent = false
    /// The steering of servers; nil: none.
    public var steering: Steering?
    /// The data about the whole.
    public var data: [Datum] = []
    /// The events that a manifest of DASH lists, period by period.
    public var events: [MediaEvent] = []
    /// The timing of a DASH broadcast; nil of a presentation that is complete, and of HLS.
    public internal(set) var live: LiveTiming?
    /// The digital rights that the manifest announces; nil for none, or where the manifest has a key as well.
    public var protection: ContentProtection?

    /// The keys that encrypted renditions name, as far as the manifest says them.
    public var keys: [KeyID] = []
    /// Where licences of ClearKey are, the first one to be tried first.
    public var licences: [StreamAddress] = []

    /// Nothing.
    public init() {}

    /// The renditions of all periods.
    public var renditions: [Rendition] { periods.flatMap { $0.groups.flatMap(\.renditions) } }

    /// A rendition by its name.
    public func rendition(_ id: Rendition.ID) -> Rendition? {
        for period in periods {
            for group in period.groups {
                if let found = group.renditions.first(where: { $0.id == id }) { return found }
            }
        }
        return nil
    }

    /// The segments of a rendition were found to hold audio alone, of which the manifest says nothing.
    public mutating func setAudioAlone(_ id: Rendition.ID) {
        for place in variants.indices where variants[place].rendition == id { variants[place].isAudioAlone = true }
    }

    /// The title that is stated as a datum, by a name that ends so; nil for none.
    public var title: String? {
        data.first { $0.value != nil && ($0.id.lowercased() == "title" || $0.id.lowercased().hasSuffix(".title")) }?.value
    }
}

/// A period of a DASH manifest, by the place that it has on the axis. Its media are part of the tracks that go through.
public struct Section: Sendable, Equatable {
    /// Its name, safe to display.
    public let id: String
    /// The start on the presentation's axis.
    public let start: Ticks
    /// The length; nil where it is unknown.
    public let duration: Ticks?
}

/// A stretch of a presentation with renditions of its own.
public struct Period: Sendable {
    /// Its name; "" for a single period.
    public var id: String
    /// The start on the presentation's axis.
    public var start: Ticks
    /// The length; nil where it is unknown.
    public var duration: Ticks?
    /// Its tracks.
    public var groups: [Group]

    /// A period.
    public init(id: String = "", start: Ticks = .zero, duration: Ticks? = nil, groups: [Group] = []) {
        self.id = id
        self.start = start
        self.duration = duration
        self.groups = groups
    }
}

/// A track to choose: one content in one language, at one or several qualities.
public struct Group: Sendable, Identifiable {
    /// The kinds.
    public enum Kind: String, Sendable {
        case video, audio, text
        /// Video and audio in the same segments.
        case muxed
        /// Captions inside of the video.
        case captions
        /// Stills for the transport bar.
        case image
        /// Key frames alone.
        case keyFrames = "iframes"
    }

    /// A name, unique in its period.
    public var id: String
    /// The kind.
    public var kind: Kind
    /// The name by which variants ask for it (HLS's GROUP-ID); nil for none.
    public var set: String?
    /// The language as it is written; nil where it is unknown.
    public var language: String?
    /// Another language that belongs to the track, such as that of the writing.
    public var associatedLanguage: String?
    /// The name for people.
    public var label = ""
    /// Uniform type identifiers or roles: "public.accessibility.describes-video".
    public var characteristics: [String] = []
    /// The channels; nil where they are unknown.
    public var channels: StatedChannels?
    /// Chosen by default.
    public var isDefault = false
    /// May be chosen by the language of the person.
    public var isAutoselected = false
    /// Is shown even where no subtitles are wanted.
    public var isForced = false
    /// Which captions of the video are meant: "CC1", "SERVICE3".
    public var captionChannel: String?
    /// The renditions, at different qualities; empty where the variants' own segments hold the track.
    public var renditions: [Rendition] = []

    /// A group.
    public init(id: String, kind: Kind) {
        self.id = id
        self.kind = kind
    }
}

/// The channels of audio as a manifest says them.
public struct StatedChannels: Sendable, Hashable {
    /// The number of channels.
    public let count: Int
    /// Objects in space (Dolby Atmos: "16/JOC").
    public let isImmersive: Bool
    /// Made for headphones.
    public let isBinaural: Bool
    /// Mixed down from more channels.
    public let isDownmix: Bool

    /// Reads HLS's CHANNELS: "2", "6", "16/JOC", "2/-/BINAURAL"; nil for a text without a good number.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, let count = Int(first), (1...255).contains(count) else { return nil }
        self.count = count
        isImmersive = parts.count > 1 && parts[1].split(separator: ",").contains("JOC")
        isBinaural = parts.count > 2 && parts[2].split(separator: ",").contains("BINAURAL")
        isDownmix = parts.count > 2 && parts[2].split(separator: ",").contains("DOWNMIX")
    }
}
