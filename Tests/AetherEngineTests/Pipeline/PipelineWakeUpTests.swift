import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine

/// Whom a packet wakes. Counted, with every stage asleep before the next packet comes.
@Suite struct PipelineWakeUpTests {
    private let pipeline = Pipeline()

    /// Runs the stages of a file on threads of their own: cover, video, pace, and audio that may not open its device yet.
    private func stages(of info: SourceInfo) -> [WorkerThread] {
        let pipeline = pipeline, time = ManualTime(), synchronizer = RenderSynchronizer(), counters = SessionCounters()
        let sink = NullVideoSink()
        let context = VideoContext(
            pipeline: pipeline, synchronizer: synchronizer, counters: counters, sink: sink, options: VideoOptions(),
            time: time, report: { _ in }, stream: { id in info.streams.first { $0.id == id } }, cues: CueStore())
        let audio = AudioStage(
            pipeline: pipeline, synchronizer: synchronizer, counters: counters, time: time, report: { _ in },
            stream: { id in info.streams.first { $0.id == id } },
            devices: AudioDeviceList(count: 1, make: { _ in NullAudioDevice(time: time) }))
        let pace = PaceStage(
            pipeline: pipeline, synchronizer: synchronizer, counters: counters, sink: sink, time: time, isUntimed: true,
            report: { _ in },
            makeBlender: { SubtitleBlender(cues: CueStore(), storage: nil, header: { _ in nil }, fonts: { [] }) { _ in false } })
        return [
            WorkerThread(name: "video") {
                VideoStage(context: context) { info, effort throws(MediaError) in
                    try VideoDecoder(info.parameters, threadCount: 1, effort: effort)
                }.run()
            },
            WorkerThread(name: "audio") { audio.run() },
            WorkerThread(name: "pace") { pace.run() },
            WorkerThread(name: "idle") {
                _ = pipeline.state.wait(for: .intent) { $0.intent.isStopped ? true : nil }
            },
        ]
    }

    /// Until that many threads wait for the pipeline. Only how soon that is seen depends on time.
    private func settle(_ count: Int) {
        let nothing = Monitor(false)
        while pipeline.state.waiting < count {
            _ = nothing.wait(until: SystemTime().now() + .milliseconds(1)) { $0 ? true : nil }
        }
    }

    @Test func aPacketWakesNobodyButItsDecoder() throws {
        let path = try Clips.film(2)
        let reader = try #require(try MediaLocation.file(path).openReader())
        var demuxer = try Demuxer(.reader(reader, name: path), interrupt: Interrupt())
        let info = demuxer.info
        let video = try #require(info.decodable(.video).first), audio = try #require(info.decodable(.audio).first)
        demuxer.select([video.index, audio.index])
        let threads = stages(of: info)
        pipeline.change { ($0.activeVideo, $0.activeAudio) = (video.id, audio.id) }
        pipeline.begin(Epoch(1), plan: SeekPlan(target: .zero, landing: .exact))
        var packets = 0, pictures = 0
        settle(threads.count)
        let before = pipeline.state.wakeUps
        do throws(MediaError) {
            while true {
                let packet = try demuxer.read(epoch: Epoch(1))
                settle(threads.count)
                pipeline.state.update { $0.append(packet) }
                packets += 1
                if packet.stream == video.id { pictures += 1 }
            }
        } catch {
            #expect(error.code == .endOfMedia)
        }
        settle(threads.count)
        // A packet wakes one thread at most, a frame the one that shows it, and its going the one that makes the next. Four threads would
        // be woken by each packet alone where a change wakes all.
        let woken = pipeline.state.wakeUps - before
        #expect(woken <= packets + 2 * pictures, "\(woken) wake-ups by \(packets) packets")
        #expect(packets > pictures && pictures == 50 && woken > 0)
        pipeline.stop()
        for thread in threads { thread.join() }
    }

    @Test func eachPartWakesThoseWhoLookAtIt() throws {
        var state = PipelineState()
        state.intent.activeVideo = 0
        state.intent.activeAudio = 1
        state.begin(Epoch(1), plan: SeekPlan(target: .zero, landing: .exact))
        #expect(state.takeChanges() == .all)
        #expect(state.takeChanges().isEmpty)
        state.append(try packet(stream: 0, pts: 0))
        #expect(state.takeChanges() == .videoPackets)
        state.append(try packet(stream: 1, pts: 0))
        #expect(state.takeChanges() == .audioPackets)
        state.append(try packet(stream: 7, pts: 0))
        #expect(state.takeChanges().isEmpty, "nobody waits for it")
        _ = state.popPacket(stream: 0)
        #expect(state.takeChanges() == .packetRoom)
        _ = state.popPacket(stream: 0)
        #expect(state.takeChanges().isEmpty, "there was none")
        state.intent.activeAudio = nil
        #expect(state.takeChanges().isSuperset(of: [.intent, .packetRoom, .turns]))
        state.append(try packet(stream: 0, pts: 40))
        _ = state.takeChanges()
        _ = state.popPacket(stream: 0)
        #expect(state.takeChanges() == [.packetRoom, .turns], "video alone has run dry")
        state.endLanes(Epoch(1))
        #expect(state.takeChanges() == .turns)
        state.renewDueTimes()
        #expect(state.takeChanges() == .dueTimes)
        let frame = QueuedFrame(
            pts: .zero, end: .seconds(1), epoch: Epoch(1), image: RasterImage(width: 1, height: 1, pixels: [0]))
        state.append(frame)
        #expect(state.takeChanges() == .frames)
        _ = state.popFrame()
        #expect(state.takeChanges() == .frameRoom)
        state.drainVideo(Epoch(1))
        #expect(state.takeChanges() == [.frames, .dueTimes])
        state.stop()
        #expect(state.takeChanges() == .all)
    }
}
