import AetherCore
import AetherMedia
import AetherSources
import Testing

@testable import AetherEngine

/// A quality that begins with packets of a time that the decoder was given in the former one.
@Suite struct RepeatedPacketsTests {
    /// The packets of a clip with a key frame each second, in one of two formats.
    private func packets(_ path: String, format: Int) throws -> (stream: StreamInfo, packets: [Packet]) {
        let reader = try #require(try MediaLocation.file(path).openReader())
        var demuxer = try Demuxer(.reader(reader, name: path), interrupt: Interrupt())
        let info = try #require(demuxer.info.decodable(.video).first)
        demuxer.numbering.formats[info.index] = format
        demuxer.select([info.index])
        var packets: [Packet] = []
        do throws(MediaError) {
            while true { packets.append(try demuxer.read(epoch: Epoch(1))) }
        } catch {
            #expect(error.code == .endOfMedia)
        }
        return (info, packets)
    }

    /// The decoder has been given `count` packets when the second second comes once more; the frames that it holds from before that are shown,
    /// and none is shown twice.
    @Test(arguments: 26...48, [1, 4]) func eachFrameIsShownOnce(_ count: Int, threads: Int) throws {
        let path = try Clips.film(4), (info, first) = try packets(path, format: 0), (_, second) = try packets(path, format: 1)
        let key = try #require(second.firstIndex { $0.isKey && $0.pts == .seconds(1) })
        let pipeline = Pipeline()
        pipeline.state.update { state in
            state.intent.activeVideo = info.id
            state.begin(Epoch(1), plan: SeekPlan(target: .zero, landing: .exact))
            state.note([info.id: [info, info]])
            for packet in first[..<count] { state.append(packet) }
        }
        var options = VideoOptions()
        options.dropsLateFrames = false
        let context = VideoContext(
            pipeline: pipeline, synchronizer: RenderSynchronizer(), counters: SessionCounters(), sink: NullVideoSink(),
            options: options, time: ManualTime(), report: { _ in }, stream: { _ in info }, cues: CueStore())
        var work = VideoWork(
            stage: VideoStage(context: context) { info, _ throws(MediaError) in
                try VideoDecoder(info.parameters, threadCount: threads)
            })
        let noted = Monitor<[MediaTime]>([])
        // A decoder that is emptied gives more frames than the queue holds.
        let taker = WorkerThread(name: "test-take") {
            while true {
                let next: MediaTime?? = pipeline.state.wait(for: [.intent, .frames, .turns]) { state -> MediaTime?? in
                    if let frame = state.popFrame() { return .some(frame.stamp.pts) }
                    return state.output.isDrained ? .some(nil) : nil
                }
                guard case .some(.some(let time)) = next else { return }
                noted.update { $0.append(time) }
            }
        }
        while pipeline.state.read({ !($0.lanes[info.id]?.isEmpty ?? true) }) { _ = work.step() }
        for packet in second[key...] { pipeline.state.update { $0.append(packet) } }
        pipeline.state.update { $0.endLanes(Epoch(1)) }
        while pipeline.state.read({ !$0.output.isDrained }) { _ = work.step() }
        taker.join()
        let shown = noted.read { $0 }
        let isEven = zip(shown, shown.dropFirst()).allSatisfy { ($1 - $0 - .milliseconds(40)).magnitude < .milliseconds(2) }
        #expect(shown.count == 100 && isEven, "\(shown.map(\.seconds))")
    }
}
