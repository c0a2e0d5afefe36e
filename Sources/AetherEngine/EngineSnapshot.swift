public import AetherCore

/// The player's activity, derived in one place from everything it knows.
public enum PlaybackPhase: Sendable, Equatable {
    case idle, loading, playing, paused, seeking
    /// Playing, but the source or a decoder has run dry; the clock stands.
    case rebuffering
    /// The end was reached; the last frame stays.
    case ended
    case error(MediaError)
}

/// Everything the engine publishes, in one value: read it once per drawn frame. Each of the `settings` is there by its own name, too:
/// `snapshot.rate`.
@dynamicMemberLookup
public struct EngineSnapshot: Sendable {
    /// What the player is doing.
    public var phase = PlaybackPhase.idle
    /// What the user asked for: true after play, also while seeking or buffering.
    public var wantsToPlay = false
    /// Rises with each seek and load: two values of one epoch belong to one run.
    public var epoch = Epoch()
    /// Where the clock stands on the source axis.
    public var position = MediaTime.zero
    /// The source's first time stamp: what is shown as 0:00.
    public var startTime = MediaTime.zero
    /// nil when unknown (live, pipes).
    public var duration: TimeSpan?
    /// Where a pending seek goes.
    public var seekTarget: MediaTime?
    /// Up to where packets are queued.
    public var bufferedPosition: MediaTime?
    /// What is in memory: one can go there without the source, also where it cannot seek. nil when nothing is.
    public var heldRange: ClosedRange<MediaTime>?
    /// The marks of a loop: the first alone, or both.
    public var loopStart, loopEnd: MediaTime?
    /// Speed, volume and all else that a person has set.
    public var settings = PlaybackSettings()
    /// One can go to any point of the source; else within `heldRange` only.
    public var isSeekable = false
    /// What a person would call the source, safe to display.
    public var source = ""
    /// How often the engine has gone on to what `setNext` named since the last `begin`.
    public var advances = 0
    /// libavformat's name of the format.
    public var container = ""
    /// Title, artist and so on, safe to display.
    public var metadata = MediaMetadata()
    /// In the order of their starts, on the source axis.
    public var chapters: [ChapterInfo] = []
    /// Programmes of which one is played at a time; empty where there is no choice. The tracks below, the start and the duration are those of
    /// `activeTitle`.
    public var titles: [TitleInfo] = []
    /// The programme that is played, by its place in `titles`.
    public var activeTitle: Int?
    /// Streams of pictures, in the source's order.
    public var videoTracks: [TrackInfo] = []
    /// Streams of sound, in the source's order.
    public var audioTracks: [TrackInfo] = []
    /// The source's own subtitles, then those of files beside it and added ones.
    public var subtitleTracks: [TrackInfo] = []
    /// What is decoded of pictures; nil for sound alone.
    public var activeVideoTrack: TrackID?
    /// What is heard; nil for none.
    public var activeAudioTrack: TrackID?
    /// What is read; nil for none.
    public var activeSubtitleTrack: TrackID?
    /// Cues of the selected subtitle track that are on screen at `position`, without those that the picture has in it.
    public var visibleCues: [SubtitleCue] = []
    /// Those of the second track.
    public var secondaryCues: [SubtitleCue] = []
    /// What is read at the top; nil for none.
    public var activeSecondarySubtitleTrack: TrackID?
    /// When `visibleCues` or `secondaryCues` change next while playing; nil when no more cues are known.
    public var nextCueChange: MediaTime?
    /// Of the selected picture in the source, in pixels; nil without one.
    public var videoSize: PixelSize?
    /// Frames per second as the container declares it.
    public var videoFrameRate: Double?
    /// How brightness is coded in what the surface is given. Terminals show 24-bit sRGB: always the usual range.
    public var videoFormat = VideoFormat.sdr
    /// And in the source, of the selected picture: HDR10 becomes HDR10+ with the first metadata of a scene.
    public var sourceVideoFormat = VideoFormat.sdr
    /// The profile of Dolby Vision that the container declares, nil without.
    public var sourceDVProfile: Int?
    /// Pictures of the selected film are transparent in part, so that what lies behind them is seen: known from the first one on.
    public var isTransparent = false
    /// A picture of this source was handed to the surface.
    public var hasFirstFrame = false
    /// True when sound is selected but no device opened: the picture runs on the monotonic clock.
    public var isSilent = false
    /// The way of the sound as the device agreed to it; nil before it was opened. It stays while a pause has the device given back.
    public var audioOutputRoute: AudioOutputRoute?
    /// The ALSA device that was asked for, by its name; nil where sound goes to none. `audioOutputRoute` says where it really goes.
    public var audioDevice: String?
    /// What sound could be sent to; nil until `AetherEngine.findAudioDevices` was answered.
    public var audioDevices: [AudioDeviceHint]?
    /// Sentences for the person watching: a device lost, a damaged part skipped. The newest eight, the last one last; they stay when another
    /// source is loaded.
    public var notices: [Notice] = []
    /// The newest of them. Setting it forgets the others.
    public var notice: Notice? {
        get { notices.last }
        set { notices = newValue.map { [$0] } ?? [] }
    }
    /// Measurements, once a second; nil until the first.
    public var telemetry: LiveTelemetry?

    /// A sentence for the person watching, numbered so that each is shown once.
    public struct Notice: Sendable, Equatable {
        public let number: Int
        public let text: String

        /// A notice.
        public init(number: Int, text: String) {
            self.number = number
            self.text = text
        }
    }

    /// Nothing loaded.
    public init() {}

    /// A setting by its name.
    public subscript<Value>(dynamicMember path: WritableKeyPath<PlaybackSettings, Value>) -> Value {
        get { settings[keyPath: path] }
        set { settings[keyPath: path] = newValue }
    }
}
