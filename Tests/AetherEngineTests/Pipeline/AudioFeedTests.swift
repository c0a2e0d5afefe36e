import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine

/// The decoding half of the audio thread, by itself: packets that are all there already, and a device that nobody listens to.
@Suite struct AudioFeedTests {
    private struct Run {
        var sentPackets = 0
        /// Where the first sample belongs that was queued.
        var expected: MediaTime?
        var taps: [AudioTapBuffer] = []
    }

    /// Decodes a tone of FLAC at 8 kHz, 72 ms a packet, from `landing` on, to its end or until something is queued. Packets that begin within
    /// the hole are missing.
    private func run(_ seconds: Double, landing: Double = 0, hole: Range<Double>? = nil, toEnd: Bool) async throws -> Run {
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "sine=f=440:r=8000:d=\(seconds)", "-c:a", "flac", "-frame_size", "576"], ext: "mka")
        let reader = try #require(try MediaLocation.file(path).openReader())
        var demuxer = try Demuxer(.reader(reader, name: path), interrupt: Interrupt())
        let info = try #require(demuxer.info.decodable(.audio).first)
        demuxer.select([info.index])
        let pipeline = Pipeline(), time = ManualTime(), taps = AudioTaps()
        pipeline.state.update {
            ($0.intent.activeAudio, $0.intent.audioTracks, $0.intent.mayOpenDevice) = (info.id, [info.id], true)
            $0.begin(Epoch(1), plan: SeekPlan(target: .seconds(landing), landing: .exact))
        }
        do throws(MediaError) {
            while true {
                let packet = try demuxer.read(epoch: Epoch(1))
                if let hole, let pts = packet.pts, hole.contains(pts.seconds) { continue }
                pipeline.state.update { $0.append(packet) }
            }
        } catch {
            #expect(error.code == .endOfMedia)
        }
        pipeline.state.update { $0.endLanes(Epoch(1)) }
        let buffers = taps.mono.listen()
        let stage = AudioStage(
            pipeline: pipeline, synchronizer: RenderSynchronizer(), counters: SessionCounters(), time: time, report: { _ in },
            stream: { _ in info }, tap: taps, devices: AudioDeviceList(count: 1, make: { _ in NullAudioDevice(time: time) }))
        var feed = AudioFeed(stage: stage), renderer: AudioRenderer?
        try feed.restart(Epoch(1), stream: info.id)
        while !feed.hasEnded {
            _ = try feed.decodeMore(landing: .seconds(landing), into: &renderer)
            let queued = renderer?.pendingFrames ?? 0
            if !toEnd, queued > 0 { break }
        }
        var run = Run(sentPackets: feed.yield.packets, expected: feed.expected)
        taps.finish()
        for await buffer in buffers { run.taps.append(buffer) }
        return run
    }

    /// Reading begins at the last key frame of the video, minutes before the target: 6950 packets lie between.
    @Test func packetsFarBeforeTheLandingAreNotDecoded() async throws {
        let run = try await run(600, landing: 500, toEnd: false)
        #expect(run.sentPackets > 10 && run.sentPackets < 90, "\(run.sentPackets)")
        let reached = try #require(run.expected)
        #expect(reached > .seconds(500) && reached < .seconds(500.2), "\(reached)")
    }

    /// Further than ten minutes, too.
    @Test func nothingIsTooFarBeforeTheLanding() async throws {
        let run = try await run(800, landing: 750, toEnd: false)
        let reached = try #require(run.expected)
        #expect(reached > .seconds(750) && reached < .seconds(750.2), "\(reached)")
    }

    @Test func listenersAreToldOfAHole() async throws {
        let run = try await run(2, hole: 0.5..<1.5, toEnd: true)
        let begun = run.taps.filter(\.discontinuity).map(\.sourceTime)
        #expect(begun.count == 2 && begun.first == 0, "\(begun)")
        #expect(begun.last.map { $0 >= 1.5 && $0 < 1.6 } ?? false, "\(begun)")
    }
}
