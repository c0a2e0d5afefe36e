import AetherCore
import AetherMedia
import AetherSources
import Synchronization

/// One source being played: its pipeline, its clock and its threads. Made by the control task at each load; carries out the
/// machine's effects without ever blocking.
final class PlaybackSession: Sendable {
    let token: Int
    /// Where the source lies; nil for the host's own bytes.
    let location: MediaLocation?
    /// Where stills come from when the packets in memory do not have them.
    private let stills: StillOrigin
    /// The source's name, safe to display.
    let name: String
    let pipeline = Pipeline()
    let synchronizer: RenderSynchronizer
    let counters: SessionCounters
    /// Decoding on a device; nil where the person does not want it.
    let acceleration: Acceleration?
    /// The figures of reading web servers.
    let meter: NetworkMeter
    /// Chooses the quality of a stream while it plays.
    let adapter: StreamAdapter
    let filling = Mutex(BufferEstimate())
    let cues: CueStore
    /// The buttons of a disc.
    let menu: MenuBoard
    /// nil where bitmaps are never read.
    private let recognition: TextRecognition?
    let subtitleRequests = Monitor(SubtitleRequests())
    /// Ends reading beside playing: of subtitles, of a cover.
    let asideInterrupt = Interrupt()
    /// Tracks that were found beside the source.
    private let externalTracks = Mutex<[TrackInfo]>([])
    /// The file of each that a person named.
    private let externalFiles = Mutex<[TrackID: ExternalSubtitleTrack]>([:])
    /// Files of subtitles that a person has opened beside the source.
    let loadedSubtitles: Mutex<[ExternalSubtitleTrack]>
    /// Audio that a person has added to it.
    let loadedAudio: Mutex<[ExternalAudioTrack]>
    /// The same source was played before, by another session: what a person chose then is chosen.
    private let isRepeat: Bool
    /// Shared by the sessions that play the source one after another.
    private let present: PresentSession
    let options: LoadOptions
    let sink: any VideoSink
    let taps: AudioTaps
    let time: any TimeSource
    let report: @Sendable (StageEvent) -> Void
    let source = Mutex<SourceInfo?>(nil)
    let threads = Mutex<[WorkerThread]>([])
    /// The recording that was begun last.
    let recording = Mutex<Recorder?>(nil)
    /// This session's place in the audio thread; nil without audio.
    let seat = Mutex<AudioSeat?>(nil)
    /// The session that the audio thread goes on with.
    let succession = AudioSuccession()
    /// The audio is to join that of the session before, in its thread.
    let joins: Bool
    /// The session before this one: its audio device must be free before this session asks for it.
    let predecessor: Mutex<PlaybackSession?>
    let liveThreads = Counter()

    var isOver: Bool { liveThreads.current == 0 }

    static func worker(
        _ name: String, _ urgency: ThreadUrgency, of live: Counter, _ body: @escaping @Sendable () -> Void
    ) -> WorkerThread {
        live.add()
        return WorkerThread(name: name, urgency: urgency) {
            body()
            live.add(-1)
        }
    }

    /// Starts opening the source on the `demux` thread. `report` may be called from any stage's thread and must not block. `standsBy`: it is not
    /// played before `takeUp`.
    init(
        token: Int, source: MediaSource, options: LoadOptions, sink: any VideoSink, time: any TimeSource,
        taps: AudioTaps, predecessor: PlaybackSession?, joins: Bool = false, standsBy: Bool = false,
        repeating repeated: PlaybackSession? = nil,
        report: @escaping @Sendable (Int, StageEvent) -> Void
    ) {
        self.token = token
        name = source.displayName
        if case .location(let location) = source { self.location = location } else { location = nil }
        var options = options
        options.http.heldRoom = HeldRoom(limit: CacheBudget.heldLimit(asked: options.cacheBytes))
        self.options = options
        menu = MenuBoard(selected: options.passage?.button ?? 1)
        var stills = StillOrigin(source, options: options.open, http: options.http, disc: options.disc)
        stills.storyboard = options.supplement.storyboard
        self.stills = stills
        self.sink = sink
        self.taps = taps
        self.time = time
        self.predecessor = Mutex(predecessor)
        self.joins = joins
        // Once more is the same play: what was counted goes on, and what was loaded for it stays.
        counters = repeated?.counters ?? SessionCounters()
        loadedSubtitles = Mutex(repeated?.loadedSubtitles.withLock { $0 } ?? [])
        let addedAudio = repeated?.loadedAudio.withLock { $0 } ?? []
        loadedAudio = Mutex(addedAudio)
        isRepeat = repeated != nil
        present = repeated?.present ?? PresentSession()
        self.report = { report(token, $0) }
        let pipeline = pipeline, changed = self.report
        acceleration =
            options.hardwareDecoding == .off
            ? nil : repeated?.acceleration ?? Acceleration(report: changed)
        let meter = NetworkMeter { changed(.network($0)) }
        self.meter = meter
        let recognition =
            options.recognisesImages
            ? TextRecognition(former: repeated?.recognition, demand: { sink.demand }, changed: { changed(.cuesChanged) }) : nil
        self.recognition = recognition
        cues = CueStore(former: repeated?.cues) { recognition?.want($0) }
        synchronizer = RenderSynchronizer { pipeline.state.update { $0.renewDueTimes() } }
        let page = repeated.map { $0.pipeline.state.read { $0.intent.teletextPage } } ?? options.teletextPage
        pipeline.state.update {
            ($0.intent.teletextPage, $0.teletextPage) = (page, page)
            if options.audioOutput != .none {
                $0.intent.addedSources = (options.externalAudio + addedAudio).map { AddedSource(track: $0) }
            }
            $0.limitCache(to: CacheBudget(asked: options.cacheBytes, mayStall: true, isSeekable: false, isLocal: true))
            if standsBy { $0.intent.standby = Self.leastDepth }
        }
        adapter = Self.adapter(options, pipeline, counters, meter, sink: sink, time: time)
        let tap = ByteTap(isExpected: options.recording?.isAsIs ?? false)
        let opening = SourceOpening(
            source: source, options: standsBy ? options.standingBy : options, meter: meter, interrupt: pipeline.interrupt,
            time: time, sink: sink,
            adapter: adapter, tap: tap, menu: menu, report: self.report)
        let stage = ReadStage(
            open: { () throws(MediaError) in try opening.sources() },
            openBeside: { added, index, start throws(MediaError) in try opening.source(beside: start, added, index: index) },
            pipeline: pipeline, cues: cues, teletextPage: page, counters: counters, tap: tap, time: time,
            pastSpan: standsBy ? options.timeShift.span : nil, report: self.report)
        let demux = Self.worker("demux", .bulk, of: liveThreads) { stage.run() }
        threads.withLock { $0.append(demux) }
        if let order = options.recording, repeated == nil { record(order) }
        if repeated == nil { takePlace() }
    }

    /// From here on what asks for the packets of the source asks this session.
    func takePlace() { present.session = self }

    /// The source that was opened; nil before.
    var info: SourceInfo? { source.withLock { $0 } }

    /// Chooses tracks and starts the stages. Called once, when the source is open.
    func start(_ description: SourceDescription, end: MediaTime?) -> SourceShape {
        let info = description.info
        note(opened: description)
        let title = info.firstTitle(wanted: options.title)
        // The source goes on behind a part of it.
        let partEnd = options.part?.end.flatMap { _ in info.duration.map { info.startTime + $0 } }
        let stop = [end, partEnd].compactMap { $0 }.min()
        pipeline.change { $0.stop = stop }
        let (video, audio) = choice(of: title, in: info)
        select(title, of: info, video: video)
        startStages(hasVideo: video != nil)
        startSubtitles(info, title, video: video)
        if options.surveysSubtitles { startSurvey(of: info) }
        return SourceShape(
            name: name, startTime: title?.startTime ?? info.startTime, duration: title.map(\.duration) ?? info.duration,
            isSeekable: info.isSeekable, hasVideo: video != nil, hasAudio: audio != nil,
            videoStreams: Set(info.tracks(.video, of: title).compactMap(\.id.stream)), canPlayAudio: options.audioOutput != .none,
            chapters: title?.chapters ?? info.chapters, path: PlayPath(title?.stretches ?? []),
            titles: shapes(info, showsVideo: video != nil), title: title?.id, stop: stop
        )
    }

    /// Takes over what a source says of itself by now, and reads the audio that was added to it.
    func describe(_ info: SourceInfo) {
        source.withLock { $0 = info }
        guard options.audioOutput != .none, !info.isSegmented else { return }
        let added = info.tracks(.audio).compactMap(\.id.stream).filter { $0.source > 0 }
        pipeline.change { $0.audioTracks.formUnion(added) }
    }

    /// Files beside the source are read when the source itself is open: the first frame does not wait for them.
    private func startSubtitles(_ info: SourceInfo, _ title: TitleInfo?, video: TrackID?) {
        let stream = video.flatMap { id in info.streams.first { $0.id == id.stream } }
        let stage = SubtitleStage(
            requests: subtitleRequests, interrupt: asideInterrupt, cues: cues,
            startTime: title?.startTime ?? info.startTime,
            frameRate: stream?.frameRate?.value, http: options.http, report: report)
        subtitleRequests.update { requests in
            requests.waiting += options.externalSubtitles.enumerated().map { .load($1, isWanted: $0 == 0 && !isRepeat) }
            if options.findsSubtitleFiles, let location {
                let isSong = TrackSelection.video(info.tracks(.video)) == nil
                requests.waiting.append(.search(beside: location, in: options.folder, isSong: isSong))
            }
            // In the order of the first time, for tracks go by their numbers.
            requests.waiting += loadedSubtitles.withLock { $0 }.map { .load($0, isWanted: false) }
        }
        let thread = Self.worker("subtitles", .bulk, of: liveThreads) { stage.run() }
        threads.withLock { $0.append(thread) }
        guard let recognition else { return }
        recognition.note(info.tracks(.subtitle))
        let reader = Self.worker("ocr", .bulk, of: liveThreads) { recognition.run() }
        threads.withLock { $0.append(reader) }
    }

    /// A bitmap cue as text, where that is better and known; else it is wanted.
    func recognised(_ cue: SubtitleCue) -> SubtitleCue? {
        guard let recognition else { return nil }
        if let text = recognition.text(of: cue) { return text }
        recognition.want(cue)
        return nil
    }

    /// Where an extractor beside this session gets its packets, also while the source is repeated. All sessions may end before it does.
    var stillOrigin: StillOrigin {
        var origin = stills
        origin.held = { [present] in present.session?.heldStills(for: $0, keyOnly: $1) }
        // An extractor opens the source that was opened first.
        origin.offset = { [present] point in
            present.session?.pipeline.state.read { $0.packets.seams[0]?.offset(at: point) } ?? .zero
        }
        origin.start = { [present] in present.session?.info?.startTime ?? .zero }
        origin.look = { [present, sink] in
            (present.session?.pipeline.state.read { $0.intent.settings.videoLook.toneMapping } ?? .auto, sink.demand.background)
        }
        // Previews are 320 pixels wide.
        (origin.wishes, origin.window) = (VariantChoice(), VariantPicker.Window(width: 320, height: 180))
        origin.stream = { [present] in present.session?.pipeline.state.read { $0.intent.activeVideo } }
        return origin
    }

    private func heldStills(for point: MediaTime, keyOnly: Bool) -> HeldStills? {
        // 20 000 frames are over ten minutes of one GOP.
        let limit = keyOnly ? 1 : 20_000
        let (index, held, packets) = pipeline.state.read { state in
            let video = state.intent.activeVideo
            let packets = video.flatMap { state.lanes[$0]?.stretch(for: point, limit: limit) } ?? []
            let format = packets.first.flatMap { state.format($0.format, of: $0.stream) }
            // Packets in another format need another decoder.
            return (video, format, packets.prefix { $0.format == packets.first?.format })
        }
        guard let stream = held ?? info?.streams.first(where: { $0.id == index }), !packets.isEmpty else { return nil }
        return HeldStills(stream: stream, packets: Array(packets))
    }

    /// A still with the subtitles that are selected now. Blocks for the drawing.
    func blended(_ still: ExtractedStill) -> RasterImage {
        var blender = blenderMaker()
        let demand = RasterDemand(box: nil, pixelAspect: 1, burning: .whole)
        return blender.blended(
            still.image, at: still.time, pipeline.state.read { $0.intent.subtitles }, demand, clock: time)
    }

    var blenderMaker: @Sendable () -> SubtitleBlender {
        let video = pipeline.state.read { $0.intent.activeVideo }
        let storage = info?.streams.first { $0.id == video }?.size
        let header: @Sendable (TrackID) -> String? = { [weak self] in self?.scriptHeader(of: $0) }
        let fonts: @Sendable () -> [FontAttachment] = { [weak self] in self?.info?.fontAttachments ?? [] }
        return { [cues, recognition] in
            SubtitleBlender(cues: cues, storage: storage, header: header, fonts: fonts) { recognition?.text(of: $0) != nil }
        }
    }

    /// Tracks were found beside the source, in a file where that was named.
    func note(external tracks: [TrackInfo], in file: ExternalSubtitleTrack? = nil) {
        externalTracks.withLock { $0 += tracks }
        if let file { externalFiles.withLock { files in for track in tracks { files[track.id] = file } } }
        recognition?.note(tracks)
    }

    /// A track is not wanted any more. A file of which none is left is not read again with the source.
    func forget(external id: TrackID) {
        externalTracks.withLock { $0.removeAll { $0.id == id } }
        cues.remove(track: id)
        let (file, isHeld) = externalFiles.withLock { files in
            let file = files.removeValue(forKey: id)
            return (file, files.values.contains { $0 == file })
        }
        if let file, !isHeld { loadedSubtitles.withLock { $0.removeAll { $0 == file } } }
    }

    /// The header of a track's script; nil for tracks that have none.
    func scriptHeader(of id: TrackID) -> String? {
        if id.origin == .container { return info?.streams.first { $0.id == id.stream }?.track?.assHeader }
        return externalTracks.withLock { $0 }.first { $0.id == id }?.assHeader
    }

    /// Blocks until the audio device is closed, or belongs to another session. Not for a task.
    func joinAudio() { seat.withLock { $0 }?.join() }

    /// The offer of the cache at a position.
    func holdings(at position: MediaTime) -> Holdings {
        // A rendition of audio is fetched from the position on, and joins.
        let joining = info.flatMap { info in
            info.isSegmented ? info.tracks(.audio).compactMap(\.id.stream).filter { $0.source > 0 } : nil
        }
        return pipeline.state.read { state in
            let held = state.intent.audioTracks.filter { state.holdsAudio($0, at: position) }
            return Holdings(range: state.heldRange, audio: held.union(joining ?? []), activeAudio: state.intent.activeAudio)
        }
    }

    /// Asks every stage to end. Never blocks.
    func requestStop() {
        pipeline.stop()
        asideInterrupt.raise()
        recognition?.stop()
        subtitleRequests.update { $0.isStopped = true }
    }

    /// Blocks until every thread is gone. Not for a task.
    func join() {
        for thread in threads.withLock({ $0 }) { thread.join() }
        joinAudio()
    }
}
