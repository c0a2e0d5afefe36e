import AetherCore
import AetherMedia

/// The wishes that the stages carry out, written by the control task. What a stage does to it is to take a wish that it has fulfilled: a
/// step, an added source.
struct PlaybackIntent {
    var epoch = Epoch()
    var plan = SeekPlan(target: .zero, landing: .exact)
    /// The end that was asked for of the source or of a part of it; nil: its own.
    var stop: MediaTime?
    var isStopped = false
    /// The clock shall run: playing, and every selected stream has something to give.
    var clockRuns = false
    /// As the person has them. Colours and subtitles of a standing frame follow at once.
    var settings = PlaybackSettings() {
        didSet {
            subtitles.style = SubtitleStyle(settings)
            if settings.videoLook.adjustment != oldValue.videoLook.adjustment { subtitleRevision += 1 }
        }
    }
    /// Keeps the distance from the end of a broadcast.
    var distanceRate = 1.0
    /// The rate at which media time passes.
    var rate: Double { settings.rate * distanceRate }
    /// The device that was asked for while playing; nil for the one at the start.
    var audioDevice: String?
    /// Another source follows at the end of this one.
    var isFollowed = false
    /// The frames of the source before are on screen: those of this one wait until it has ended.
    var awaitsScreen = false
    /// Nothing is decoded: packets are held from a key frame on that lies so far behind the newest one; nil: the source is played.
    var standby: TimeSpan?
    /// Rises when audio shall begin anew within the epoch.
    var audioRevision = 0
    /// The person has wanted to play: from then on the device may be opened.
    var mayOpenDevice = false
    /// A stream that is given up keeps no packets: no stage would take them, and they count as memory.
    var activeAudio: StreamID?
    var activeVideo: StreamID?
    /// Audio tracks that are kept while memory allows, so that a switch needs no source.
    var audioTracks: Set<StreamID> = []
    /// Streams whose subtitle packets are decoded.
    var subtitleStreams: Set<StreamID> = []
    /// Streams of bitmaps among them that are on screen, or would be.
    var watchedSubtitles: Set<StreamID> = []
    /// The page of teletext that is read as subtitles; nil for those that are marked as such.
    var teletextPage: Int?
    /// The subtitles that go into the frames. A standing frame is shown again when that changes, or when the cues do.
    var subtitles = SubtitleChoice() { didSet { if subtitles != oldValue { subtitleRevision += 1 } } }
    var subtitleRevision = 0
    /// Sources to be opened and read beside the one that is played.
    var addedSources: [AddedSource] = []
    /// The quality that was chosen; nil: the one that the source was opened in.
    var variant: VariantPin?
    /// Where a track that is chosen while it plays begins, if its source has to be asked for it.
    var joinPoint: MediaTime?
    /// The recording that goes on; nil: none.
    var recorder: Recorder?
    /// The number of times that a song's cover was asked for.
    var coversWanted = 1
    /// Frames to show although the clock stands.
    var stepsWanted = 0
    /// How far is read ahead of the decoders.
    var buffer = BufferPolicy.local
    /// Bytes that may wait for the decoders.
    var byteLimit: Int {
        get { buffer.bytes }
        set { buffer.bytes = newValue }
    }
    /// The time that is read ahead of each decoder.
    var readAhead: TimeSpan {
        get { clockRuns ? buffer.ahead : buffer.aheadStanding }
        set { (buffer.ahead, buffer.aheadStanding) = (newValue, newValue) }
    }

    /// The streams that are decoded.
    var activeStreams: [StreamID] { [activeVideo, activeAudio].compactMap { $0 } }

    /// Tracks of bitmaps are decoded while they are on screen.
    mutating func watchSubtitles() {
        watchedSubtitles = Set([subtitles.track, subtitles.secondary].compactMap { $0?.stream })
    }
}
