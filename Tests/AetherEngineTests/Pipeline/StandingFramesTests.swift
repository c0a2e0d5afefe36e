import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine

/// The video stage where each frame is on screen for two seconds.
@Suite struct StandingFramesTests {
    /// The frames that are queued in an epoch of ten seconds, five frames that are key frames all, and where it lands. Packets come one by one.
    private func run(_ plan: SeekPlan) throws -> (frames: [FrameStamp], landing: MediaTime?, isOnKey: Bool) {
        let path = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=96x64:r=1/2:d=10", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset",
                "ultrafast", "-g", "1",
            ], ext: "mkv")
        let reader = try #require(try MediaLocation.file(path).openReader())
        var demuxer = try Demuxer(.reader(reader, name: path), interrupt: Interrupt())
        let info = try #require(demuxer.info.decodable(.video).first)
        demuxer.select([info.index])
        let pipeline = Pipeline(), events = Monitor<[StageEvent]>([])
        pipeline.state.update {
            $0.intent.activeVideo = info.id
            $0.begin(Epoch(1), plan: plan)
        }
        var options = VideoOptions()
        options.dropsLateFrames = false
        let context = VideoContext(
            pipeline: pipeline, synchronizer: RenderSynchronizer(), counters: SessionCounters(), sink: NullVideoSink(),
            options: options, time: ManualTime(), report: { event in events.update { $0.append(event) } },
            stream: { _ in info }, cues: CueStore())
        var work = VideoWork(
            stage: VideoStage(context: context) { info, _ throws(MediaError) in
                try VideoDecoder(info.parameters, threadCount: 1)
            })
        var frames: [FrameStamp] = []
        func take() { while let frame = pipeline.state.update({ $0.popFrame() }) { frames.append(frame.stamp) } }
        do throws(MediaError) {
            while true {
                let packet = try demuxer.read(epoch: Epoch(1))
                pipeline.state.update { $0.append(packet) }
                while pipeline.state.read({ !$0.output.isDrained && !($0.lanes[info.id]?.isEmpty ?? true) }) {
                    _ = work.step()
                    take()
                }
            }
        } catch {
            #expect(error.code == .endOfMedia)
        }
        pipeline.state.update { $0.endLanes(Epoch(1)) }
        while pipeline.state.read({ !$0.output.isDrained }) {
            _ = work.step()
            take()
        }
        let isOnKey = events.read { $0.contains { if case .landedOnKey = $0 { true } else { false } } }
        return (frames, pipeline.state.read { $0.output.landing }, isOnKey)
    }

    /// Where the key frame is too far from the target, the frame that is on screen there is shown, and the epoch begins at the target: else
    /// a skip forward would go back to the frame again and again.
    @Test func aSeekThatFallsBackToItsTargetLandsThere() throws {
        let floor = SeekPlan.Landing.keyframe(tolerance: .seconds(2.5), floor: .seconds(4), ceiling: nil)
        let forward = try run(SeekPlan(target: .seconds(5.5), landing: floor))
        #expect(forward.landing == .seconds(5.5) && forward.frames.first?.pts == .seconds(4) && !forward.isOnKey)
        let near = SeekPlan.Landing.keyframe(tolerance: .seconds(1), floor: nil, ceiling: nil)
        let behind = try run(SeekPlan(target: .seconds(60), landing: near))
        #expect(behind.landing == .seconds(60) && behind.frames.map(\.pts) == [.seconds(8)] && !behind.isOnKey)
    }

    @Test func theKeyFrameAndTheFrameBeforeAreWhereTheyBegin() throws {
        let key = SeekPlan.Landing.keyframe(tolerance: .seconds(2.5), floor: nil, ceiling: nil)
        let near = try run(SeekPlan(target: .seconds(1.5), landing: key))
        #expect(near.landing == .zero && near.isOnKey)
        let before = try run(SeekPlan(target: .seconds(6), landing: .frameBefore))
        #expect(before.landing == .seconds(4) && before.frames.first?.pts == .seconds(4))
    }

    /// Neither a frame behind the end is shown, nor the last one for longer; also where no frame begins between the target and the end.
    @Test(arguments: [(4.5, 5.0, [4.0]), (0, 3, [0, 2]), (0, 4, [0, 2]), (6, 7, [6]), (8.5, 9, [8])])
    func noFrameLastsBeyondTheEnd(_ row: (target: Double, end: Double, shown: [Double])) throws {
        let frames = try run(SeekPlan(target: .seconds(row.target), landing: .exact, end: .seconds(row.end))).frames
        #expect(frames.map(\.pts) == row.shown.map { .seconds($0) })
        #expect(frames.last?.end == .seconds(row.end))
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.end == $1.pts })
    }
}
