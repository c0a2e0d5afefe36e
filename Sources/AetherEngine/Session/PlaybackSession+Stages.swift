import AetherCore
import AetherMedia
import Synchronization

/// The stages of an open source and their threads.
extension PlaybackSession {
    /// The source is open: how far it is read ahead, and how much of it is kept.
    func note(opened description: SourceDescription) {
        let info = description.info, traits = description.traits
        source.withLock { $0 = info }
        let budget = CacheBudget(
            asked: options.cacheBytes, mayStall: traits.mayStall, isSeekable: info.isSeekable, isLocal: traits.isLocal)
        pipeline.state.update {
            $0.intent.buffer = BufferPolicy(traits, cache: options.cacheBytes)
            $0.limitCache(to: budget)
        }
    }

    /// Starts those of video, if there is any, and that of audio.
    func startStages(hasVideo: Bool) {
        let stream: @Sendable (StreamID) -> StreamInfo? = { [weak self] id in
            self?.info?.streams.first { $0.id == id }
        }
        var started: [WorkerThread] = []
        if hasVideo {
            let asked = options.decoderThreads, cores = Machine.cores
            let context = VideoContext(
                pipeline: pipeline, synchronizer: synchronizer, counters: counters, sink: sink,
                options: VideoOptions(
                    deinterlacerThreads: asked ?? cores, dropsLateFrames: !options.isUntimed, frameRateCap: options.frameRateCap),
                time: time, report: report, stream: stream, cues: cues)
            let threads: @Sendable (StreamInfo) -> Int = { info in
                let rate = info.frameRate?.value
                return asked ?? ThreadBudget(cores: cores, codec: info.codecName, size: info.size, frameRate: rate).threads
            }
            let pace = PaceStage(
                pipeline: pipeline, synchronizer: synchronizer, counters: counters, sink: sink, time: time,
                isUntimed: options.isUntimed, menu: menu, report: report, makeBlender: blenderMaker)
            started.append(videoWorker(context, threads))
            started.append(Self.worker("pace", .deadline, of: liveThreads) { pace.run() })
        }
        switch options.audioOutput {
        case .none: predecessor.withLock { $0 = nil }
        case .alsa(let device):
            startAudio(.alsa(device, isAlone: !hasVideo), stream: stream)
        case .null:
            let time = time
            startAudio(
                options.silentDevices ?? AudioDeviceList(count: 1, make: { _ in NullAudioDevice(time: time) }), stream: stream)
        }
        threads.withLock { $0.append(contentsOf: started) }
    }

    /// The thread `video`. Without a device it knows of none.
    private func videoWorker(_ context: VideoContext, _ threads: @escaping @Sendable (StreamInfo) -> Int) -> WorkerThread {
        guard let acceleration else {
            let video = VideoStage(context: context) { info, effort throws(MediaError) in
                try VideoDecoder(info.parameters, threadCount: threads(info), effort: effort)
            }
            return Self.worker("video", .bulk, of: liveThreads) { video.run() }
        }
        let video = VideoStage(context: context) { info, effort throws(MediaError) in
            try AcceleratedDecoder(
                info, threads: threads(info), effort: effort, acceleration: acceleration, time: context.time)
        }
        return Self.worker("video", .bulk, of: liveThreads) { video.run() }
    }

    /// Starts reading a local file for all its subtitles, beside playing.
    func startSurvey(of info: SourceInfo) {
        guard let location, CueSurvey.isUseful(location, info) else { return }
        let report = report
        let survey = CueSurvey(
            location: location, options: options.open, cues: cues,
            teletextPage: { [pipeline] in pipeline.state.read { $0.teletextPage } },
            interrupt: asideInterrupt, done: { report(.cuesChanged) })
        let thread = Self.worker("cues", .idle, of: liveThreads) { survey.run() }
        threads.withLock { $0.append(thread) }
    }

    /// Another page of teletext is read. A local file that was read to its end is read once more: what is in memory was read already.
    func surveyAnew() {
        guard let info, cues.isSurveyed else { return }
        cues.reopenSurvey()
        startSurvey(of: info)
    }

    /// Takes a seat in the thread of the session before, or starts one.
    private func startAudio(_ devices: AudioDeviceList, stream: @escaping @Sendable (StreamID) -> StreamInfo?) {
        liveThreads.add()
        let seat = AudioSeat { [liveThreads] in liveThreads.add(-1) }
        self.seat.withLock { $0 = seat }
        let stage = AudioStage(
            pipeline: pipeline, synchronizer: synchronizer, counters: counters, time: time, report: report,
            stream: stream, options: options.audio, tap: taps, devices: devices, succession: succession, seat: seat)
        let former = predecessor.withLock { predecessor -> PlaybackSession? in
            defer { predecessor = nil }
            return predecessor
        }
        if joins, let former, isHeardLike(former), let before = former.seat.withLock({ $0 }), former.succession.offer(stage) {
            return seat.take(before.worker)
        }
        seat.take(
            WorkerThread(name: "audio", urgency: .deadline) {
                former?.joinAudio()
                stage.run()
            })
    }

    /// Whether both go to a device, or both to none: a device is handed on only to a session that wants one.
    private func isHeardLike(_ former: PlaybackSession) -> Bool {
        switch (options.audioOutput, former.options.audioOutput) {
        case (.alsa, .alsa), (.null, .null): true
        default: false
        }
    }
}
