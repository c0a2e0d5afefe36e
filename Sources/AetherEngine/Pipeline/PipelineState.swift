import AetherCore
import AetherMedia

/// A decoded, scaled frame waiting for its time.
struct QueuedFrame: Sendable {
    var pts: MediaTime
    var end: MediaTime
    let epoch: Epoch
    let image: RasterImage

    var stamp: FrameStamp { FrameStamp(pts: pts, end: end, epoch: epoch) }
}

/// The times of a frame on screen. To be looked at without holding the frame, which has one owner until it is on screen.
struct FrameStamp: Sendable {
    let pts, end: MediaTime
    let epoch: Epoch
}

/// Everything the stages share, as one value under one lock: what is wanted (written by the control task) and what is queued
/// (written by the stages). No stage knows another; each waits for a condition of this value.
struct PipelineState {
    /// Three, because a frame's end is the next one's beginning, and one is in the hands of the surface.
    static let frameLimit = 3

    // Intent
    var epoch = Epoch()
    var plan = SeekPlan(target: .zero, landing: .exact)
    var isStopped = false
    /// The clock shall run: playing, and every selected stream has something to give.
    var clockRuns = false
    /// As the person has them. Colours and subtitles of a standing frame follow at once.
    var settings = PlaybackSettings() {
        didSet {
            subtitles.style = SubtitleStyle(settings)
            if settings.pictureLook.adjustment != oldValue.pictureLook.adjustment { subtitleRevision += 1 }
        }
    }
    /// The device that was asked for while playing; nil for the one at the start.
    var audioDevice: String?
    /// Another source follows at the end of this one.
    var isFollowed = false
    /// The frames of the source before are on screen: those of this one wait until it has ended.
    var awaitsScreen = false
    /// Rises when audio shall begin anew within the epoch.
    var soundRevision = 0
    /// The person has wanted to play: from then on the device may be opened.
    var mayOpenDevice = false
    /// A stream that is given up keeps no packets: no stage would take them, and they count as memory.
    var activeAudio: StreamID? { didSet { selectLanes() } }
    var activeVideo: StreamID? { didSet { selectLanes() } }
    /// Audio tracks that are kept while memory allows, so that a switch needs no source.
    var audioTracks: Set<StreamID> = [] { didSet { selectLanes() } }
    /// Streams whose subtitle packets are decoded.
    var subtitleStreams: Set<StreamID> = []
    /// Streams of bitmaps among them that are on screen, or would be.
    var watchedSubtitles: Set<StreamID> = []
    /// The subtitles that go into the frames. A standing frame is shown again when that changes, or when the cues do.
    var subtitles = SubtitleChoice() { didSet { if subtitles != oldValue { subtitleRevision += 1 } } }
    var subtitleRevision = 0
    /// The points at which the source's times begin anew, as far as that was seen.
    var seams = TimelineSeams()
    /// Sources to be opened and read beside the one that is played.
    var addedSources: [AddedSource] = []
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

    /// Rises whenever due times may have changed: clock, epoch, steps, stop. What a sleeping `pace` thread watches.
    var revision = 0

    // Content
    private(set) var cache = PacketCache()
    /// The epoch in which the demuxer was last sent somewhere: its packets belong to the cache as long as no other run began.
    private(set) var run = Epoch()
    private(set) var frames: [QueuedFrame] = []
    /// From where on the epoch is heard and shown; nil until known.
    var landing: MediaTime?
    /// The video decoder has delivered its last frame of this epoch.
    var videoDrained = false
    /// The demuxer waits although a selected stream has nothing: only the others can go on.
    var isBlockedFull = false

    var lanes: [StreamID: PacketLane] { cache.lanes }
    /// Bytes that wait for the decoders.
    var byteCount: Int { cache.queuedBytes }

    /// The streams that are decoded.
    var activeStreams: [StreamID] { [activeVideo, activeAudio].compactMap { $0 } }
    /// The streams that the demuxer shall deliver.
    var wantedStreams: Set<StreamID> { Set(cache.lanes.keys).union(subtitleStreams) }

    /// Begins a new epoch: nothing of the old one is left in any queue. Returns whether the source has to be asked: what the cache holds
    /// is decoded from there.
    @discardableResult
    mutating func begin(_ epoch: Epoch, plan: SeekPlan) -> Bool {
        self.epoch = epoch
        revision &+= 1
        selectLanes()
        let plan = cache.snapped(plan, video: activeVideo)
        self.plan = plan
        let needsSource = !cache.move(to: plan.demuxTarget, video: activeVideo, reach: plan.reach)
        if needsSource {
            cache.removeAll()
            run = epoch
        }
        frames.removeAll(keepingCapacity: true)
        landing = nil
        if case .exact = plan.landing { landing = plan.target }
        videoDrained = false
        isBlockedFull = false
        stepsWanted = 0
        clockRuns = false
        return needsSource
    }

    /// Tracks of bitmaps are decoded while they are on screen.
    mutating func watchSubtitles() {
        watchedSubtitles = Set([subtitles.track, subtitles.secondary].compactMap { $0?.stream })
    }

    private mutating func selectLanes() { cache.keep(active: Set(activeStreams), alternates: audioTracks) }

    /// Limits the bytes of packets that are kept in all.
    mutating func limitCache(to budget: CacheBudget) {
        (cache.limit, cache.countsWaiting) = (budget.bytes, budget.countsWaiting)
        selectLanes()
    }

    /// Ends the session: nothing is kept.
    mutating func stop() {
        isStopped = true
        revision &+= 1
        cache.removeAll()
    }

    /// Lets another track be heard from a point on, in this epoch. The caller has asked `holdsSound`.
    mutating func switchAudio(to stream: StreamID, at point: MediaTime) {
        activeAudio = stream
        soundRevision &+= 1
        cache.joinSound(stream, at: point)
    }

    /// Whether `switchAudio` is possible.
    func holdsSound(_ stream: StreamID, at point: MediaTime) -> Bool { cache.holdsSound(stream, at: point) }

    /// The range that can be gone to without the source.
    var heldRange: ClosedRange<MediaTime>? { cache.range(video: activeVideo) }

    /// Whether the demuxer shall read on: some selected stream has less than the target, and memory is left.
    var wantsPackets: Bool {
        guard byteCount < byteLimit else { return false }
        return activeStreams.contains { stream in
            guard let lane = lanes[stream], !lane.hasEnded else { return false }
            // Streams without time stamps are bounded by count.
            return lane.span < readAhead && (lane.count < 4096 || lane.span > .zero)
        }
    }

    mutating func append(_ packet: Packet) {
        guard packet.epoch == run, !isStopped else { return }
        cache.append(packet)
    }

    /// The reader has nothing more to give in the run that began in this epoch: of one source, or of all.
    mutating func endLanes(_ epoch: Epoch, source: Int? = nil) {
        guard epoch == run else { return }
        cache.end(source: source)
    }

    /// Takes the next source that is to be read beside the others.
    mutating func takeAddedSource() -> AddedSource? { addedSources.isEmpty ? nil : addedSources.removeFirst() }

    mutating func popPacket(stream: StreamID) -> Packet? { cache.pop(stream) }

    /// Nothing is queued for a stream and nothing will come.
    func isExhausted(stream: StreamID) -> Bool {
        guard let lane = lanes[stream] else { return true }
        return lane.isEmpty && lane.hasEnded
    }

    /// Enough is queued to begin again after running dry.
    func hasReserve(stream: StreamID) -> Bool {
        guard let lane = lanes[stream] else { return true }
        return lane.hasEnded || !wantsPackets || lane.span >= buffer.reserve
    }

    /// The video alone drives the clock and has run out, although the source has more of it: the source is slow. (A slow decoder leaves
    /// packets waiting; audio that runs out says so itself.)
    var isPictureDry: Bool {
        guard let activeVideo, activeAudio == nil, frames.isEmpty, !videoDrained else { return false }
        return isEmpty(stream: activeVideo) && !isExhausted(stream: activeVideo)
    }

    /// After that: there is enough to go on.
    var hasPictureReserve: Bool {
        videoDrained || !frames.isEmpty && (activeVideo.map { hasReserve(stream: $0) } ?? true)
    }

    func isEmpty(stream: StreamID) -> Bool { lanes[stream]?.isEmpty ?? true }

    /// Frames come in order. One that lies far before those that wait shows that their stamps were damaged: waiting for the time of
    /// the stamps would hold up the video for as long, so they are shown right before it.
    mutating func append(_ frame: QueuedFrame) {
        guard frame.epoch == epoch else { return }
        for index in frames.indices where frames[index].pts - frame.pts > FrameTiming.longestStep {
            frames[index].pts = frame.pts
            frames[index].end = frame.pts
            revision &+= 1
        }
        frames.append(frame)
    }

    mutating func popFrame() -> QueuedFrame? { frames.isEmpty ? nil : frames.removeFirst() }

    /// Seconds queued of the poorest selected stream that has not ended.
    var forwardBuffer: TimeSpan? {
        activeStreams.compactMap { lanes[$0] }.filter { !$0.hasEnded || !$0.isEmpty }.map(\.span).min()
    }

    /// Up to where every selected stream is queued.
    var bufferedPosition: MediaTime? {
        activeStreams.compactMap { lanes[$0]?.newest }.min()
    }
}
