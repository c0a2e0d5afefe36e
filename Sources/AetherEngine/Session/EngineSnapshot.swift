public import AetherCore
public import AetherFormats

/// The player's activity, derived in one place from everything it knows.
public enum PlaybackPhase: Sendable, Equatable {
    case idle, loading, playing, paused, seeking
    /// Playing, but the source or a decoder has run dry; the clock stands.
    case rebuffering
    /// As `rebuffering`, because the connection to the source's server was lost: the request is made again.
    case stalled(reconnecting: ReconnectAttempt)
    /// The end was reached; the last frame stays.
    case ended
    case error(MediaError)
}

/// Everything the engine publishes, in one value: read it once per drawn frame. Each of the `settings` is there by its own name, too:
/// `snapshot.rate`.
@dynamicMemberLookup
public struct EngineSnapshot: Sendable {
    /// The phase of the player.
    public var phase = PlaybackPhase.idle
    /// How far the source has come on its way to the screen; nil before the first.
    public var startupProgress: StartupProgress?
    /// The server is asked again after a failure; nil while bytes come. The buffered media plays on meanwhile.
    public var reconnecting: ReconnectAttempt?
    /// How far the buffer has been filled, where playing waits for it.
    public var bufferFill: BufferFill?
    /// The user's intent: true after play, also while seeking or buffering.
    public var wantsToPlay = false
    /// Rises with each seek and load: two values of one epoch belong to one run.
    public var epoch = Epoch()
    /// The clock's time on the source axis.
    public var position = MediaTime.zero
    /// The source's first time stamp, which is shown as 0:00.
    public var startTime = MediaTime.zero
    /// The length; nil when unknown (live, pipes). Grows with a source that is still being made.
    public var duration: TimeSpan?
    /// The present end of a source that is still being made; nil for one that is complete.
    public var liveEdge: MediaTime?
    /// Whether more comes while it plays.
    public var isLive: Bool { liveEdge != nil }
    /// The present end in seconds on the source axis; 0 of a source that is complete.
    public var liveEdgeTime: Double { liveEdge?.seconds ?? 0 }
    /// The live edge moves on by so much at a time: a segment.
    public var edgeStep = TimeSpan.zero
    /// The moment of the axis' zero by the broadcaster's clock, in nanoseconds since 1970; nil where it does not say.
    public var wallZero: Int64?
    /// The moment at which the present position was made, by the broadcaster's clock, in nanoseconds since 1970; nil where it does not say.
    public var programTime: Int64? { wallZero.map { $0.addingReportingOverflow(position.nanoseconds).partialValue } }
    /// Media time passes so much faster than the person wishes, to keep the distance from the live edge: 0.95 … 1.05.
    public var distanceRate = 1.0
    /// A broadcast in segments, and no file that is still being written.
    public var isBroadcast: Bool { isLive && edgeStep > .zero }
    /// The part of a broadcast that seeks can reach; nil of a source that is complete, or cannot seek.
    public var seekableLiveRange: ClosedRange<MediaTime>? {
        guard let liveEdge, isSeekable else { return nil }
        return min(startTime, liveEdge)...liveEdge
    }
    /// The distance to the live edge of a broadcast, in seconds; 0 of a source that is complete.
    public var behindLiveSeconds: Double { liveEdge.map { max(0, ($0 - (seekTarget ?? position)).seconds) } ?? 0 }
    /// Playback is as close to the live edge as the broadcast allows: no more than a segment behind, and the 3 s that a start takes.
    public var isAtLiveEdge: Bool { isLive && behindLiveSeconds <= edgeStep.seconds + 3 }
    /// The target of a pending seek.
    public var seekTarget: MediaTime?
    /// Up to where packets are queued.
    public var bufferedPosition: MediaTime?
    /// The part in memory: a seek there needs no source, also where it cannot seek. nil when nothing is.
    public var heldRange: ClosedRange<MediaTime>?
    /// The part of a live source that is kept on disk; nil where nothing is.
    public var shiftedRange: ClosedRange<MediaTime>?
    /// The ranges that seeks reach without the source: in memory or on disk, in order, without overlaps.
    public var residentRanges: [ClosedRange<MediaTime>] {
        guard let held = heldRange, let shifted = shiftedRange else { return [heldRange ?? shiftedRange].compactMap { $0 } }
        guard held.overlaps(shifted) else { return [held, shifted].sorted { $0.lowerBound < $1.lowerBound } }
        return [min(held.lowerBound, shifted.lowerBound)...max(held.upperBound, shifted.upperBound)]
    }
    /// The marks of a loop: the first alone, or both.
    public var loopStart, loopEnd: MediaTime?
    /// Speed, volume and all else that a person has set.
    public var settings = PlaybackSettings()
    /// Whether seeks reach any point of the source; else only points within `heldRange`.
    public var isSeekable = false
    /// The source's name to show, cleaned for display.
    public var source = ""
    /// The number of times since the last `begin` that the engine has gone on to a source of `setNext`.
    public var advances = 0
    /// Where the source was that had begun before this one was loaded. Unlike a snapshot from before the load it takes in every command
    /// that was sent until then. nil before the second source.
    public var left: LeftPosition?
    /// The number of times that the engine has begun a source: by a load, by going on to another one, by a repeat. It only rises.
    public var starts = 0
    /// libavformat's name of the format.
    public var container = ""
    /// Title, artist and so on, safe to display.
    public var metadata = MediaMetadata()
    /// The titles of the songs that a radio station has told since it was opened, the latest last; the title in `metadata` is that.
    public var songs: [String] = []
    /// The present programme of a transport stream and the next one, as the broadcaster announces them; empty where it does not.
    public var onAir = NowNext(at: 0)
    /// The chapters in the order of their starts, on the source axis.
    public var chapters: [ChapterInfo] = []
    /// Advertisements, missing parts and other events that the source tells of, on the source axis, in the order of their starts.
    public var marks: [SourceMark] = []
    /// Programs (MPEG) or titles of which one is played at a time; empty where there is no choice. The tracks below, the start and the
    /// duration are those of `activeTitle`.
    public var titles: [TitleInfo] = []
    /// The program that is played, by its place in `titles`.
    public var activeTitle: Int?
    /// The source is a disc with menus: `DiscMenuCommand.open` leads to them.
    public var hasMenus = false
    /// The menu of a disc that is shown, or buttons over a title; nil for none.
    public var menu: DiscMenu?
    /// Video tracks, in the source's order.
    public var videoTracks: [TrackInfo] = []
    /// The qualities of a source in segments, in the manifest's order; empty where there is no choice.
    public var variants: [MediaVariant] = []
    /// The variant that is read; nil where there is no choice.
    public var activeVariant: MediaVariant.ID?
    /// The player can choose among them; false where a host has to load another address for each.
    public var offersAdaptation = false
    /// The variant is chosen by window, machine and link, and may change at the next segment.
    public var adaptsVariant = false
    /// Audio tracks, in the source's order.
    public var audioTracks: [TrackInfo] = []
    /// The source's own subtitles, then those of files beside it and added ones.
    public var subtitleTracks: [TrackInfo] = []
    /// The video track that is decoded; nil for audio alone.
    public var activeVideoTrack: TrackID?
    /// The audio track that is heard; nil for none.
    public var activeAudioTrack: TrackID?
    /// The subtitle track that is shown; nil for none.
    public var activeSubtitleTrack: TrackID?
    /// Whether subtitles are shown.
    public var isSubtitleActive: Bool { activeSubtitleTrack != nil }
    /// The pages of teletext that were met so far, by their numbers.
    public var teletextPages: [TeletextPage] = []
    /// The one that is read as subtitles; nil for those that are marked as such.
    public var teletextPage: Int?
    /// Files of subtitles are looked for, or read.
    public var isLoadingSubtitles = false
    /// Cues of the selected subtitle track that are on screen at `position`, without those that the frame has in it.
    public var visibleCues: [SubtitleCue] = []
    /// The cues of the second track.
    public var secondaryCues: [SubtitleCue] = []
    /// The subtitle track at the top; nil for none.
    public var activeSecondarySubtitleTrack: TrackID?
    /// The next change of `visibleCues` or `secondaryCues` while playing; nil when no more cues are known.
    public var nextCueChange: MediaTime?
    /// The size of the selected video in the source, in pixels; nil without video.
    public var videoSize: PixelSize?
    /// Frames per second as the container declares it.
    public var videoFrameRate: Double?
    /// The dynamic range of the frames that the surface gets. Terminals show 24-bit sRGB: always the usual range.
    public var videoFormat = VideoFormat.sdr
    /// And in the source, of the selected frame: HDR10 becomes HDR10+ with the first metadata of a scene.
    public var sourceVideoFormat = VideoFormat.sdr
    /// The profile of Dolby Vision that the container declares, nil without.
    public var sourceDVProfile: Int?
    /// Frames of the selected video are transparent in part, so that the background is seen through them: known from the first frame on.
    public var isTransparent = false
    /// A frame of this source was handed to the surface.
    public var hasFirstFrame = false
    /// True when audio is selected but no device opened: video runs on the monotonic clock.
    public var isSilent = false
    /// The route of the audio as the device agreed to it; nil before the device was opened. The route stays while the device is given back
    /// during a pause.
    public var audioOutputRoute: AudioOutputRoute?
    /// The ALSA device that was asked for, by its name; nil where audio goes to none. `audioOutputRoute` says where it really goes.
    public var audioDevice: String?
    /// The audio devices; nil until `AetherEngine.findAudioDevices` was answered.
    public var audioDevices: [AudioDeviceHint]?
    /// Sentences for the person watching: a device lost, a damaged part skipped. The eight newest, in their order; they stay when another
    /// source is loaded.
    public var notices: [Notice] = []
    /// The newest notice. Setting it forgets the others.
    public var notice: Notice? {
        get { notices.last }
        set { notices = newValue.map { [$0] } ?? [] }
    }
    /// The recording that was begun last of this source; nil for none.
    public var recording: RecordingProgress?
    /// Measurements, once a second; nil until the first.
    public var telemetry: LiveTelemetry?

    /// A sentence for the person watching, numbered so that each is shown once.
    public struct Notice: Sendable, Equatable {
        /// Rises with each notice.
        public let number: Int
        /// One sentence, safe to display.
        public let text: String

        /// A notice.
        public init(number: Int, text: String) {
            self.number = number
            self.text = text
        }
    }

    /// The snapshot of an engine without a source.
    public init() {}

    /// A setting by its name.
    public subscript<Value>(dynamicMember path: WritableKeyPath<PlaybackSettings, Value>) -> Value {
        get { settings[keyPath: path] }
        set { settings[keyPath: path] = newValue }
    }
}
