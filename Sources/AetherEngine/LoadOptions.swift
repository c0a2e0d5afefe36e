public import AetherCore
public import AetherMedia
public import AetherSources

/// A source to play.
public enum MediaSource: Sendable {
    /// A path, a URL, or standard input.
    case location(MediaLocation)
    /// Bytes that the host brings; the name is shown and helps the probe.
    case custom(any IOReader, name: String)
}

/// Where playing begins.
public enum StartPosition: Sendable, Equatable {
    /// After this much of the source.
    case time(TimeSpan)
    /// 0 … 1 of its duration.
    case fraction(Double)
    /// This much before its end.
    case beforeEnd(TimeSpan)
}

/// Where sound goes.
public enum AudioOutput: Sendable, Equatable {
    /// An ALSA PCM by name.
    case alsa(device: String)
    /// Consumed in real time and thrown away: a clock without a sound card.
    case null
    /// Sound is not decoded at all; the monotonic clock drives the picture.
    case none
}

/// How a source is loaded and played. Each of the `settings` is there by its own name, too: `options.rate`.
@dynamicMemberLookup
public struct LoadOptions: Sendable {
    public var start: StartPosition?
    public var end: StartPosition?
    public var autoplay = true
    public var audioOutput = AudioOutput.alsa(device: "default")
    /// Which of several titles (`EngineSnapshot.titles`) to begin with, by its number; nil for the first with a picture.
    public var title: Int?
    /// Preferred languages, best first, as in the file ("de", "ger", "deu" are the same).
    public var audioLanguages: [String] = []
    public var subtitleLanguages: [String] = []
    /// Subtitles that were asked for beside those of the source; the first of them is shown.
    public var externalSubtitles: [ExternalSubtitleTrack] = []
    /// Subtitle files beside a local film are found by their names.
    public var findsSubtitleFiles = true
    /// Nothing but subtitles that are marked as forced.
    public var forcedSubtitlesOnly = false
    /// Cues of ASS scripts keep their events as written (`SubtitleCue.markup`), for a host that draws them itself; with them out of the
    /// snapshot nothing in it is unsafe to display.
    public var preserveASSMarkup = false
    /// Subtitles that are pictures are read by the program `tesseract`, where it is installed and the picture has under 240 lines.
    public var recognisesPictures = true
    /// The page of teletext to show, 100 … 899; nil for those that are marked as subtitles.
    public var teletextPage: Int?
    /// Speed, volume and all else that can be changed while it plays.
    public var settings = PlaybackSettings()
    public var sound = SoundOptions()
    /// At most so many frames a second are drawn; nil for all.
    public var frameRateCap: Double?
    /// Threads of the video decoder.
    public var decoderThreads = 2
    /// Every frame is handed over at once, none is dropped: for measuring and hashing.
    public var isUntimed = false
    /// The picture is not decoded where there is sound: for listening, and for output without a screen.
    public var isAudioPreferred = false
    /// Bytes of compressed packets kept in memory, so that seeks inside them and switches of the sound track need no source; 0 keeps
    /// none. nil: 64 MiB, and 4 of files, which the system keeps anyway. What waits for the decoders is kept in any case, at most 32 MiB.
    public var cacheBytes: Int?
    public var open = OpenOptions()
    /// How web servers are spoken to.
    public var http = HTTPOptions()

    /// The defaults.
    public init() {}

    /// A setting by its name.
    public subscript<Value>(dynamicMember path: WritableKeyPath<PlaybackSettings, Value>) -> Value {
        get { settings[keyPath: path] }
        set { settings[keyPath: path] = newValue }
    }

    /// Whether interlaced frames are deinterlaced.
    public var deinterlaceMode: DeinterlaceMode {
        get { settings.deinterlacing.mode }
        set { settings.deinterlacing.mode = newValue }
    }

    /// How many frames come of an interlaced one.
    public var deinterlaceFieldRate: DeinterlaceFieldRate {
        get { settings.deinterlacing.fieldRate }
        set { settings.deinterlacing.fieldRate = newValue }
    }
}
