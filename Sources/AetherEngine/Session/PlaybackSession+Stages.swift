import AetherCore
import AetherMedia
import Synchronization

/// The stages of an open source and their threads.
extension PlaybackSession {
    /// Starts those of pictures, if there are any, and that of sound.
    func startStages(hasVideo: Bool) {
        let stream: @Sendable (Int) -> StreamInfo? = { [weak self] index in
            self?.info?.streams.first { $0.index == index }
        }
        var started: [WorkerThread] = []
        if hasVideo {
            let threads = options.decoderThreads
            let context = VideoContext(
                pipeline: pipeline, synchronizer: synchronizer, counters: counters, sink: sink,
                options: VideoOptions(
                    threadCount: threads, dropsLateFrames: !options.isUntimed, frameRateCap: options.frameRateCap),
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
            startSound(.alsa(device, isAlone: !hasVideo), { $0.deviceSuccession }, stream: stream)
        case .null:
            let time = time
            startSound(
                AudioDeviceList(count: 1, make: { _ in NullAudioDevice(time: time) }), { $0.silentSuccession }, stream: stream)
        }
        threads.withLock { $0.append(contentsOf: started) }
    }

    /// Takes a seat in the thread of the session before, or starts one.
    private func startSound<Device: AudioDevice & SendableMetatype & ~Copyable>(
        _ devices: AudioDeviceList<Device>, _ succession: (PlaybackSession) -> SoundSuccession<Device>,
        stream: @escaping @Sendable (Int) -> StreamInfo?
    ) {
        liveThreads.add()
        let seat = SoundSeat { [liveThreads] in liveThreads.add(-1) }
        self.seat.withLock { $0 = seat }
        let stage = AudioStage(
            pipeline: pipeline, synchronizer: synchronizer, counters: counters, time: time, report: report,
            stream: stream, options: options.sound, tap: taps, devices: devices, succession: succession(self), seat: seat)
        let former = predecessor.withLock { predecessor -> PlaybackSession? in
            defer { predecessor = nil }
            return predecessor
        }
        if joins, let former, let before = former.seat.withLock({ $0 }), succession(former).offer(stage) {
            return seat.take(before.worker)
        }
        seat.take(
            WorkerThread(name: "audio", urgency: .deadline) {
                former?.joinAudio()
                stage.run()
            })
    }
}
