import AetherCore
import AetherMedia
import AetherSources
import Glibc
import Synchronization

/// One source being played: its pipeline, its clock and its threads. Made by the control task at each load; carries out the
/// machine's effects without ever blocking.
final class PlaybackSession: Sendable {
    let token: Int
    /// Where the source lies; nil for the host's own bytes.
    private let location: MediaLocation?
    /// The source's name, safe to display.
    let name: String
    let pipeline = Pipeline()
    let synchronizer: RenderSynchronizer
    let counters = SessionCounters()
    let cues = CueStore()
    private let subtitleRequests = Monitor(SubtitleRequests())
    private let subtitleInterrupt = Interrupt()
    /// What was found beside the source.
    private let externalTracks = Mutex<[TrackInfo]>([])
    let options: LoadOptions
    private let sink: any VideoSink
    private let taps: TapAudience
    private let time: any TimeSource
    private let report: @Sendable (StageEvent) -> Void
    private let source = Mutex<SourceInfo?>(nil)
    private let threads = Mutex<[WorkerThread]>([])
    private let audio = Mutex<WorkerThread?>(nil)
    /// The session before this one: its sound device must be free before this one asks for it.
    private let predecessor: Mutex<PlaybackSession?>
    private let liveThreads = Counter()

    /// Whether every thread has done its work.
    var isOver: Bool { liveThreads.current == 0 }

    private static func worker(
        _ name: String, _ urgency: ThreadUrgency, of live: Counter, _ body: @escaping @Sendable () -> Void
    ) -> WorkerThread {
        live.add()
        return WorkerThread(name: name, urgency: urgency) {
            body()
            live.add(-1)
        }
    }

    /// Starts opening the source on the `demux` thread. `report` may be called from any stage's thread and must not block.
    init(
        token: Int, source: MediaSource, options: LoadOptions, sink: any VideoSink, time: any TimeSource,
        taps: TapAudience, predecessor: PlaybackSession?, report: @escaping @Sendable (Int, StageEvent) -> Void
    ) {
        self.token = token
        name = source.displayName
        if case .location(let location) = source { self.location = location } else { location = nil }
        self.options = options
        self.sink = sink
        self.taps = taps
        self.time = time
        self.predecessor = Mutex(predecessor)
        self.report = { report(token, $0) }
        let pipeline = pipeline
        synchronizer = RenderSynchronizer { pipeline.state.update { $0.revision &+= 1 } }
        pipeline.state.update {
            $0.readAhead = source.mayStall ? .seconds(10) : .seconds(1)
            $0.limitCache(to: options.cacheBytes)
        }
        let openOptions = options.open, teletextPage = options.teletextPage, cues = cues, counters = counters,
            report = self.report
        let demux = Self.worker("demux", .bulk, of: liveThreads) {
            do throws(MediaError) {
                let input = try MediaInput(source)
                DemuxStage(
                    input: input, options: openOptions, pipeline: pipeline, cues: cues, teletextPage: teletextPage,
                    counters: counters, report: report
                )
                .run()
            } catch {
                report(.openFailed(error))
            }
        }
        threads.withLock { $0.append(demux) }
    }

    /// What was opened; nil before.
    var info: SourceInfo? { source.withLock { $0 } }

    /// Chooses tracks and starts the stages. Called once, when the source is open.
    func start(_ info: SourceInfo, end: MediaTime?) -> SourceShape {
        source.withLock { $0 = info }
        let audio =
            options.audioOutput == .none ? nil : TrackSelection.audio(info.tracks(.audio), languages: options.audioLanguages)
        let video = options.isAudioPreferred && audio != nil ? nil : TrackSelection.video(info.tracks(.video))
        pipeline.state.update {
            $0.activeVideo = video?.number
            $0.activeAudio = audio?.number
            if options.audioOutput != .none { $0.audioTracks = Set(info.tracks(.audio).map(\.id.number)) }
            $0.subtitleStreams = Set(info.tracks(.subtitle).map(\.id.number))
        }
        startStages(hasVideo: video != nil)
        startSubtitles(info, film: video)
        return SourceShape(
            startTime: info.startTime, duration: info.duration, isSeekable: info.isSeekable, hasVideo: video != nil,
            hasAudio: audio != nil, videoStreams: Set(info.tracks(.video).map(\.id.number)), canSound: options.audioOutput != .none, chapterStarts: info.chapters.map(\.start), stop: end)
    }

    /// What lies beside the source is read when the source itself is open: the first picture does not wait for it.
    private func startSubtitles(_ info: SourceInfo, film: TrackID?) {
        let stream = film.flatMap { id in info.streams.first { $0.index == id.number } }
        let stage = SubtitleStage(
            requests: subtitleRequests, interrupt: subtitleInterrupt, cues: cues, startTime: info.startTime,
            frameRate: stream?.frameRate?.value, report: report)
        subtitleRequests.update { requests in
            requests.waiting += options.externalSubtitles.enumerated().map { .load($1, isWanted: $0 == 0) }
            if options.findsSubtitleFiles, let location { requests.waiting.append(.search(beside: location)) }
        }
        let thread = Self.worker("subtitles", .bulk, of: liveThreads) { stage.run() }
        threads.withLock { $0.append(thread) }
    }

    private var blenderMaker: @Sendable () -> SubtitleBlender {
        let video = pipeline.state.read { $0.activeVideo }
        let storage = info?.streams.first { $0.index == video }?.size
        let header: @Sendable (TrackID) -> String? = { [weak self] in self?.scriptHeader(of: $0) }
        let fonts: @Sendable () -> [FontAttachment] = { [weak self] in self?.info?.fontAttachments ?? [] }
        return { [cues] in SubtitleBlender(cues: cues, storage: storage, header: header, fonts: fonts) }
    }

    /// Tracks were found beside the source.
    func note(external tracks: [TrackInfo]) { externalTracks.withLock { $0 += tracks } }

    /// The header of a track's script; nil for tracks that have none.
    func scriptHeader(of id: TrackID) -> String? {
        if id.origin == .container { return info?.streams.first { $0.index == id.number }?.track?.assHeader }
        return externalTracks.withLock { $0 }.first { $0.id == id }?.assHeader
    }

    private func startStages(hasVideo: Bool) {
        let stream: @Sendable (Int) -> StreamInfo? = { [weak self] index in
            self?.info?.streams.first { $0.index == index }
        }
        var started: [WorkerThread] = []
        if hasVideo {
            let threads = options.decoderThreads
            let context = VideoContext(
                pipeline: pipeline, synchronizer: synchronizer, counters: counters, sink: sink,
                options: VideoOptions(
                    threadCount: threads, dropsLateFrames: !options.isUntimed, frameRateCap: options.frameRateCap,
                    deinterlaceMode: options.deinterlaceMode, deinterlaceFieldRate: options.deinterlaceFieldRate),
                time: time, report: report, stream: stream, cues: cues)
            let video = VideoStage(context: context) { info, effort throws(MediaError) in
                try VideoDecoder(info.parameters, threadCount: threads, effort: effort)
            }
            let pace = PaceStage(
                pipeline: pipeline, synchronizer: synchronizer, counters: counters, sink: sink, time: time,
                isUntimed: options.isUntimed, report: report, makeBlender: blenderMaker)
            started.append(Self.worker("video", .bulk, of: liveThreads) { video.run() })
            started.append(Self.worker("pace", .deadline, of: liveThreads) { pace.run() })
        }
        switch options.audioOutput {
        case .none: predecessor.withLock { $0 = nil }
        case .alsa(let device):
            started.append(audioThread(.alsa(device), stream: stream))
        case .null:
            let time = time
            started.append(audioThread(AudioDeviceList(count: 1, make: { _ in NullAudioDevice(time: time) }), stream: stream))
        }
        threads.withLock { $0.append(contentsOf: started) }
    }

    /// Shows the picture that a song carries, on a thread that sleeps otherwise. Nothing where it has none, or nobody looks.
    func showCover(of info: SourceInfo) {
        guard !options.isAudioPreferred, let artwork = info.metadata.artworkData,
            let stream = info.streams.first(where: { $0.kind == .attachedPicture })
        else { return }
        let stage = CoverStage(pipeline: pipeline, sink: sink, time: time, artwork: artwork, parameters: stream.parameters)
        let thread = Self.worker("cover", .bulk, of: liveThreads) { stage.run() }
        threads.withLock { $0.append(thread) }
    }

    private func audioThread<Device: AudioDevice & SendableMetatype & ~Copyable>(
        _ devices: AudioDeviceList<Device>, stream: @escaping @Sendable (Int) -> StreamInfo?
    ) -> WorkerThread {
        let stage = AudioStage(
            pipeline: pipeline, synchronizer: synchronizer, counters: counters, time: time, report: report,
            stream: stream, options: options.sound, tap: taps, devices: devices)
        let former = predecessor.withLock { predecessor -> PlaybackSession? in
            defer { predecessor = nil }
            return predecessor
        }
        let thread = Self.worker("audio", .deadline, of: liveThreads) {
            former?.joinAudio()
            stage.run()
        }
        audio.withLock { $0 = thread }
        return thread
    }

    /// Blocks until the sound device is closed. Not for a task.
    private func joinAudio() { audio.withLock { $0 }?.join() }

    /// What the cache offers at a position.
    func holdings(at position: MediaTime) -> Holdings {
        pipeline.state.read { state in
            Holdings(
                range: state.heldRange, sound: state.audioTracks.filter { state.holdsSound($0, at: position) },
                activeSound: state.activeAudio)
        }
    }

    /// Carries out one effect. Never blocks.
    func perform(_ effect: PlaybackEffect) {
        switch effect {
        case .begin(let epoch, let plan):
            synchronizer.anchor(nil, epoch: epoch)
            pipeline.begin(epoch, plan: plan)
        case .runSound(let runs):
            pipeline.change { $0.clockRuns = runs }
        case .runMonotonic(let point, let rate):
            anchorHere(point, rate: rate)
            pipeline.change { $0.clockRuns = true }
        case .holdMonotonic(let point):
            anchorHere(point, rate: 0)
            pipeline.change { $0.clockRuns = false }
        case .setRate(let rate): pipeline.change { $0.rate = rate }
        case .setVolume(let volume, let isMuted):
            pipeline.change {
                $0.volume = volume
                $0.isMuted = isMuted
            }
        case .setAudioDevice(let name): pipeline.change { $0.audioDevice = name }
        case .setAudioDelay(let delay): pipeline.change { $0.soundDelay = delay }
        case .showNextFrame: pipeline.change { $0.stepsWanted += 1 }
        case .selectAudio(let id): pipeline.change { $0.activeAudio = id.number }
        case .switchAudio(let id):
            let point = synchronizer.time(at: time.now()) ?? .zero
            pipeline.change { $0.switchAudio(to: id.number, at: point) }
        case .selectVideo(let id): pipeline.change { $0.activeVideo = id.number }
        case .dropAudio:
            pipeline.change { $0.activeAudio = nil }
        case .dropVideo:
            pipeline.change { $0.activeVideo = nil }
        case .setEnd(let end): pipeline.change { $0.plan.end = end }
        case .selectSubtitle(let id):
            pipeline.change {
                $0.subtitles.track = id
                $0.watchSubtitles()
            }
        case .selectSecondarySubtitle(let id):
            pipeline.change {
                $0.subtitles.secondary = id
                $0.watchSubtitles()
            }
        case .setSubtitleDelay(let delay): pipeline.change { $0.subtitles.delay = delay }
        case .setSubtitleLook(let scale, let position):
            pipeline.change {
                $0.subtitles.scale = scale
                $0.subtitles.position = position
            }
        case .loadSubtitles(let track): subtitleRequests.update { $0.waiting.append(.load(track, isWanted: true)) }
        case .redrawCover: pipeline.change { $0.coversWanted += 1 }
        case .notice, .seek: break
        }
    }

    private func anchorHere(_ point: MediaTime?, rate: Double) {
        let now = time.now()
        let (epoch, landing) = pipeline.state.read { ($0.epoch, $0.landing ?? $0.plan.target) }
        let media = point ?? synchronizer.anchor(epoch: epoch)?.time(at: now) ?? landing
        synchronizer.anchor(ClockAnchor(media: media, host: now, rate: rate), epoch: epoch)
    }

    /// Somebody wants to play: the sound device may be opened.
    func allowDevice() {
        guard pipeline.state.read({ !$0.mayOpenDevice }) else { return }
        pipeline.change { $0.mayOpenDevice = true }
    }

    /// Asks every stage to end. Never blocks.
    func requestStop() {
        pipeline.stop()
        subtitleInterrupt.raise()
        subtitleRequests.update { $0.isStopped = true }
    }

    /// Blocks until every thread is gone. Not for a task.
    func join() {
        for thread in threads.withLock({ $0 }) { thread.join() }
    }
}

extension AudioDeviceList<ALSADevice> {
    /// Where the device that was asked for is missing or goes, the system's own takes its place.
    static func alsa(_ name: String) -> AudioDeviceList {
        let names = name == "default" ? [name] : [name, "default"]
        return AudioDeviceList(count: names.count, make: { ALSADevice(name: names[$0]) }, choose: { .alsa($0) })
    }
}

extension MediaInput {
    /// Opens the reader of a source. Blocks on the file system.
    init(_ source: MediaSource) throws(MediaError) {
        switch source {
        case .custom(let reader, let name): self = .reader(reader, name: name)
        case .location(.url(let url)): self = .url(url)
        case .location(let location):
            do throws(IOReaderError) {
                guard let reader = try location.openReader() else {
                    throw IOReaderError.closed
                }
                self = .reader(reader, name: location.fullName)
            } catch {
                throw MediaError(location, error)
            }
        }
    }
}

extension MediaSource {
    /// Bytes may come late: anything but a local file.
    fileprivate var mayStall: Bool {
        if case .location(.file) = self { return false }
        return true
    }
}

extension MediaLocation {
    /// The whole path, for messages and for the guess at a format by its extension.
    fileprivate var fullName: String {
        switch self {
        case .file(let path): path
        case .url(let url): url
        case .standardInput: "standard input"
        }
    }
}

extension MediaError {
    /// Why a path could not be opened, in the system's words.
    init(_ location: MediaLocation, _ error: IOReaderError) {
        switch error {
        case .posix(let number):
            self.init(.cannotOpen, "open", subject: location.fullName, cause: -number, reason: String(cString: strerror(number)))
        default: self.init(.cannotOpen, "open", subject: location.fullName, reason: "\(error)")
        }
    }
}

extension SourceInfo {
    /// The tracks of one kind that can be decoded and are no cover pictures.
    func tracks(_ kind: TrackKind) -> [TrackInfo] {
        streams.compactMap { stream in
            guard let track = stream.track, track.kind == kind, !track.isAttachedPicture, stream.isDecodable else { return nil }
            return track
        }
    }

    /// The codec's name of a selected track.
    func codec(of track: TrackID?) -> String? {
        track.flatMap { id in streams.first { $0.index == id.number }?.codecName }
    }
}
