/// One of several ways to play a source, of which one is played at a time: a program of a broadcast's multiplex, an edition of a
/// Matroska file, or a title of a disc. Texts are safe to display.
public struct TitleInfo: Identifiable, Sendable, Equatable {
    /// The kinds of title.
    public enum Kind: Sendable, Equatable {
        /// Streams of its own.
        case program
        /// The same streams, with chapters of its own and perhaps parts left out or in another order.
        case edition
        /// Bytes, streams and times of its own, on a disc: the source is opened anew for it.
        case disc
    }

    /// The container's number, for MPEG-TS that of the program, of discs that of the title; of editions their place, from 1.
    public let id: Int
    /// A program of a broadcast, an edition of a file or a title of a disc.
    public let kind: Kind
    /// The station's or the edition's name, "" when it has none.
    public let name: String
    /// The start on the source axis: programs of one multiplex may each have a clock of their own.
    public let startTime: MediaTime
    /// nil when unknown.
    public let duration: TimeSpan?
    /// The tracks that belong to it.
    public let tracks: Set<TrackID>
    /// The title's own chapters; nil: those of the source.
    public let chapters: [ChapterInfo]?
    /// The stretches of the source that are played one after another; empty: all of it.
    public let stretches: [Range<MediaTime>]
    /// Parts of it that lie in other files and are left out.
    public let linkedCount: Int
    /// The file asks to begin with this one.
    public let isDefault: Bool
    /// The file asks not to list it.
    public let isHidden: Bool

    /// A title.
    public init(
        id: Int, kind: Kind = .program, name: String, startTime: MediaTime, duration: TimeSpan?, tracks: Set<TrackID>,
        chapters: [ChapterInfo]? = nil, stretches: [Range<MediaTime>] = [], linkedCount: Int = 0, isDefault: Bool = false,
        isHidden: Bool = false
    ) {
        self.id = id
        self.kind = kind
        self.name = name
        self.startTime = startTime
        self.duration = duration
        self.tracks = tracks
        self.chapters = chapters
        self.stretches = stretches
        self.linkedCount = linkedCount
        self.isDefault = isDefault
        self.isHidden = isHidden
    }

    /// The time that it takes to watch; nil when unknown.
    public var playingTime: TimeSpan? {
        stretches.isEmpty ? duration : stretches.reduce(.zero) { $0 + ($1.upperBound - $1.lowerBound) }
    }
}
