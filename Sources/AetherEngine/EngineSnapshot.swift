public import AetherCore

/// What the player is doing, derived in one place from everything it knows.
public enum PlaybackPhase: Sendable, Equatable {
    case idle, loading, playing, paused, seeking
    /// Playing, but the source or a decoder has run dry; the clock stands.
    case rebuffering
    /// The end was reached; the last frame stays.
    case ended
    case error(MediaError)
}

/// Everything the engine publishes, in one value: read it once per drawn frame.
public struct EngineSnapshot: Sendable {
    public var phase = PlaybackPhase.idle
    /// What the user asked for: true after play, also while seeking or buffering.
    public var wantsToPlay = false
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
    public var rate = 1.0
    public var volume = 1.0
    public var isMuted = false
    public var equalizer = EqualizerCurve()
    /// How much later than the file says sound is heard.
    public var audioDelay = TimeSpan.zero
    public var isSeekable = false
    public var source = ""
    /// How often the engine has gone on to what `setNext` named since the last `begin`.
    public var advances = 0
    public var container = ""
    public var metadata = MediaMetadata()
    public var chapters: [ChapterInfo] = []
    /// Programmes of which one is played at a time; empty where there is no choice. The tracks below, the start and the duration are those of
    /// `activeTitle`.
    public var titles: [TitleInfo] = []
    public var activeTitle: Int?
    public var videoTracks: [TrackInfo] = []
    public var audioTracks: [TrackInfo] = []
    public var subtitleTracks: [TrackInfo] = []
    public var activeVideoTrack: TrackID?
    public var activeAudioTrack: TrackID?
    public var activeSubtitleTrack: TrackID?
    /// Cues of the selected subtitle track that are on screen at `position`, without those that the picture has in it.
    public var visibleCues: [SubtitleCue] = []
    /// Those of the second track.
    public var secondaryCues: [SubtitleCue] = []
    public var activeSecondarySubtitleTrack: TrackID?
    /// How much later than the file says subtitles are shown.
    public var subtitleDelay = TimeSpan.zero
    /// Of letters drawn in pixels; 1 is the file's own.
    public var subtitleScale = 1.0
    /// How much higher than usual lines at the bottom stand, in percent of the picture.
    public var subtitlePosition = 0.0
    /// When `visibleCues` or `secondaryCues` change next while playing; nil when no more cues are known.
    public var nextCueChange: MediaTime?
    public var videoSize: PixelSize?
    /// Frames per second as the container declares it.
    public var videoFrameRate: Double?
    /// How brightness is coded in what the surface is given. Terminals show 24-bit sRGB: always the usual range.
    public var videoFormat = VideoFormat.sdr
    /// And in the source, of the selected picture: HDR10 becomes HDR10+ with the first metadata of a scene.
    public var sourceVideoFormat = VideoFormat.sdr
    /// The profile of Dolby Vision that the container declares, nil without.
    public var sourceDVProfile: Int?
    public var pictureLook = PictureLook()
    public var hasFirstFrame = false
    /// True when sound is selected but no device opened: the picture runs on the monotonic clock.
    public var isSilent = false
    /// The way of the sound as the device agreed to it; nil before it was opened. It stays while a pause has the device given back.
    public var audioOutputRoute: AudioOutputRoute?
    /// The ALSA device that was asked for, by its name; nil where sound goes to none. `audioOutputRoute` says where it really goes.
    public var audioDevice: String?
    /// What sound could be sent to; nil until `AetherEngine.findAudioDevices` was answered.
    public var audioDevices: [AudioDeviceHint]?
    /// One sentence for the person watching: a device lost, a damaged part skipped. Rises in number with each.
    public var notice: Notice?
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
}
