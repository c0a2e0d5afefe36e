public import AetherCore
public import AetherFormats
public import AetherMedia
public import AetherSources

/// The destination of audio.
public enum AudioOutput: Sendable, Equatable {
    /// An ALSA PCM by name.
    case alsa(device: String)
    /// Consumed in real time and thrown away: a clock without a sound card.
    case null
    /// Audio is not decoded at all; the monotonic clock drives the video.
    case none
}

/// The options for loading and playing a source. Each of the `settings` has its own name here, too: `options.rate`.
@dynamicMemberLookup
public struct LoadOptions: Sendable {
    /// The start of playback; nil: the start of the source.
    public var start: StartPosition?
    /// The end of playback; nil: the end of the source.
    public var end: StartPosition?
    /// The part of the source that is played as if it were a whole source; `start` and `end` count within the part. nil: all of the source.
    public var part: SourcePart?
    /// Playback begins once the source is open; false: it is paused at its first frame.
    public var autoplay = true
    /// The destination of audio.
    public var audioOutput = AudioOutput.alsa(device: "default")
    /// Devices in the place of the silent one, for simulations.
    var silentDevices: AudioDeviceList?
    /// The title (`EngineSnapshot.titles`) to begin with, by its number; nil for the first with video.
    public var title: Int?
    /// A disc with menus begins as it says, mostly with its menu; false: with its main title, or with `title`.
    public var beginsWithMenu = false
    /// The angle of a disc's title that is played where it has several, from 1.
    public var angle = 1
    /// Images of discs are told by their contents and played title by title; false: as what a demuxer takes them for. Folders are played in any case.
    public var discImageProbeEnabled = true
    /// Who reads a source in segments.
    public var streamDemuxer = StreamDemuxer.own
    /// The person's wishes for the quality of a source in segments: the first that leaves something counts, and where several variants are
    /// left the player chooses among these alone.
    public var variantQualifiers: [MediaVariantQualifier] = []
    /// Where no qualifier leaves a variant, the source is not played; false: all variants are left.
    public var requiresVariant = false
    /// Where playing a broadcast in segments begins, and how far behind its end it keeps.
    public var liveJoinProfile = LiveJoinProfile.lowLatency
    /// How that is chosen and changed where it is left to the player.
    public var adaptation = AdaptationOptions()
    /// The least that the surface is taken to show where a quality is chosen for it: a terminal shows pixels only once it has answered.
    public var leastWindow: PixelSize?
    /// Preferred languages, best first, as in the file ("de", "ger", "deu" are the same).
    public var audioLanguages: [String] = []
    /// Preferred languages of subtitles, best first, as `audioLanguages`; empty: the marks of the source decide.
    public var subtitleLanguages: [String] = []
    /// Subtitles that were requested beside those of the source; the first track is shown.
    public var externalSubtitles: [ExternalSubtitleTrack] = []
    /// Audio of other files, played with the source; the first track is heard.
    public var externalAudio: [ExternalAudioTrack] = []
    /// Subtitle files beside a video are found by their names.
    public var findsSubtitleFiles = true
    /// The folder that the source lies in, for subtitles and covers beside it; nil: the one of its address, where its server lists folders unasked.
    public var folder: (any Folder)?
    /// Only subtitles that are marked as forced are shown.
    public var forcedSubtitlesOnly = false
    /// Cues of ASS scripts keep their events as written (`SubtitleCue.markup`), for a host that draws them itself; without these
    /// scripts every text of the snapshot is safe to display.
    public var preserveASSMarkup = false
    /// A local file is read once more in the background for all its texts, for a host that lists and searches them.
    public var surveysSubtitles = false
    /// Image subtitles are read by the program `tesseract`, where it is installed and the frame has under 240 lines.
    public var recognisesImages = true
    /// The page of teletext to show, 100 … 899; nil for those that are marked as subtitles.
    public var teletextPage: Int?
    /// Speed, volume and all else that can be changed while it plays.
    public var settings = PlaybackSettings()
    /// Audio that is fixed while a source plays: downmix levels, ReplayGain, loudness, passthrough.
    public var audio = AudioOptions()
    /// The most frames a second that are drawn; nil for all.
    public var frameRateCap: Double?
    /// Threads of the video decoder, 1 … 16; nil for as many as the stream needs and the machine has.
    public var decoderThreads: Int?
    /// Whether graphics processors may decode video. Never in a box, which has none.
    public var hardwareDecoding = HardwareDecoding.off
    /// Every frame is handed over at once, none is dropped: for measuring and hashing.
    public var isUntimed = false
    /// Video is not decoded where there is audio: for listening, and for output without a screen.
    public var isAudioPreferred = false
    /// Bytes of compressed packets kept in memory, so that seeks inside them and switches of the audio track need no source; 0 keeps none.
    /// nil: 64 MiB, and 4 of files, which the system keeps anyway. Of a server's file up to a quarter, 9 MiB at most, holds its head and its
    /// tail, where indexes lie. Packets that wait for the decoders are kept in any case, at most 32 MiB.
    public var cacheBytes: Int?
    /// The options for opening the container: analysis, demuxer, http headers.
    public var open = OpenOptions()
    /// The source grows while it plays, whatever its own header says; nil: found out by the engine. A live source is requested again when
    /// it ends.
    public var isLive: Bool?
    /// How much of a live source without a window of its own is kept, so that it can be gone back to.
    public var timeShift = TimeShiftOptions()
    /// The source is recorded from its first packets on; nil: not until a command says so.
    public var recording: RecordingOrder?
    /// Facts that the host knows beside.
    public var supplement = SourceSupplement()
    /// How web servers are spoken to.
    public var http = HTTPOptions()

    /// The part of a disc that its menus have led to; nil: what the other options say.
    var passage: PassagePlan?

    /// The defaults.
    public init() {}

    var disc: DiscChoice { DiscChoice(title: title, angle: angle, isLookedFor: discImageProbeEnabled) }

    var variantChoice: VariantChoice { VariantChoice(variantQualifiers, isRequired: requiresVariant) }

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

    /// The number of frames that come of an interlaced one.
    public var deinterlaceFieldRate: DeinterlaceFieldRate {
        get { settings.deinterlacing.fieldRate }
        set { settings.deinterlacing.fieldRate = newValue }
    }

    /// Keys for encrypted media.
    public var keys: ContentKeys {
        get { open.keys }
        set { open.keys = newValue }
    }

    /// Steps in the reading of manifests that a host adds.
    public var manifestStages: [any ManifestStage] {
        get { open.stages }
        set { open.stages = newValue }
    }

    /// The most bytes that are read to detect the streams; nil: FFmpeg's 5 MB.
    public var probeSize: Int64? {
        get { open.probeSize }
        set { open.probeSize = newValue }
    }

    /// The most media time that is read to detect the streams; nil: FFmpeg's 5 s.
    public var analyzedSpan: TimeSpan? {
        get { open.maxAnalyzeDuration }
        set { open.maxAnalyzeDuration = newValue }
    }
}
