import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Testing

@testable import AetherEngine

/// The audio thread with a real source and a scripted device that keeps real time.
private final class Listening: Sendable {
    let pipeline = Pipeline()
    let scripts: [PCMScript]
    var script: PCMScript { scripts[0] }
    let synchronizer = RenderSynchronizer()
    private let events = Monitor<[StageEvent]>([])
    private let threads: Monitor<[WorkerThread]>

    /// With so many devices that may be had, best first.
    init(_ path: String, devices: Int = 1, options: SoundOptions = SoundOptions(), change: (inout PipelineState) -> Void = { _ in }) throws {
        let time = SystemTime()
        scripts = (0..<devices).map { _ in PCMScript(time: time) }
        threads = Monitor([])
        let events = events, counters = SessionCounters(), pipeline = pipeline, scripts = scripts
        let report: @Sendable (StageEvent) -> Void = { event in events.update { $0.append(event) } }
        let input = MediaInput.reader(try #require(try MediaLocation.file(path).openReader()), name: path)
        let opened = Monitor<SourceInfo?>(nil)
        let demux = DemuxStage(input: input, options: OpenOptions(), pipeline: pipeline, cues: CueStore(), counters: counters) {
            event in
            if case .opened(let info) = event { opened.update { $0 = info } }
            report(event)
        }
        let audio = AudioStage(
            pipeline: pipeline, synchronizer: synchronizer, counters: counters, time: time, report: report,
            stream: { index in opened.read { $0?.streams.first { $0.index == index } } }, options: options,
            devices: AudioDeviceList(count: scripts.count) { ScriptedPCM(scripts[$0]) })
        let demuxing = WorkerThread(name: "demux") { demux.run() }
        threads.update { $0 = [demuxing] }
        let info: SourceInfo? = opened.wait(until: time.now() + .seconds(20)) { $0 }
        let stream = try #require(info?.decodable(.audio).first?.index)
        pipeline.state.update {
            $0.activeAudio = stream
            change(&$0)
        }
        let listening = WorkerThread(name: "audio") { audio.run() }
        threads.update { $0.append(listening) }
    }

    func begin(_ epoch: UInt64, at seconds: Double) {
        synchronizer.anchor(nil, epoch: Epoch(epoch))
        pipeline.begin(Epoch(epoch), plan: SeekPlan(target: .seconds(seconds), landing: .exact))
    }

    /// Waits until the stage has said so; nil after twenty seconds.
    func hears<Result: Sendable>(_ body: @escaping @Sendable (StageEvent) -> Result?) async -> Result? {
        let events = events
        return await withCheckedContinuation { continuation in
            _ = WorkerThread(name: "test-wait") {
                continuation.resume(
                    returning: events.wait(until: SystemTime().now() + .seconds(20)) { $0.lazy.compactMap(body).first })
            }
        }
    }

    /// How many events so far are such.
    func count(_ body: (StageEvent) -> Bool) -> Int { events.read { $0.count { body($0) } } }

    func primed(_ epoch: UInt64) async -> Bool {
        await hears { if case .primed(.audio, Epoch(epoch), _) = $0 { true } else { nil } } ?? false
    }

    /// Why the sound of an epoch was given up.
    func isLost(_ epoch: UInt64) async -> MediaError.Code? {
        await hears { if case .lost(.audio, Epoch(epoch), let error) = $0 { error.code } else { nil } }
    }

    /// Waits until that many samples were heard.
    func plays(_ frames: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            _ = WorkerThread(name: "test-wait") { [self] in
                let time = SystemTime(), clock = Monitor(())
                let deadline = time.now() + .seconds(20)
                while script.heard.count < frames && time.now() < deadline {
                    _ = clock.wait(until: time.now() + .milliseconds(5)) { _ -> Bool? in nil }
                }
                continuation.resume(returning: script.heard.count >= frames)
            }
        }
    }

    func end() {
        pipeline.stop()
        for thread in threads.read({ $0 }) { thread.join() }
    }
}

@Suite(.serialized) struct AudioStageTests {
    /// A tone that rises by one each sample, 16 bits: each sample says where it belongs.
    private func ramp(_ seconds: Double) throws -> String {
        try Fixtures.clip(
            ["-f", "lavfi", "-i", "aevalsrc=mod(n\\,32768)/32768:s=48000:d=\(seconds)", "-c:a", "pcm_s16le"], ext: "wav")
    }

    private func numbers(_ samples: [Int32]) -> [Int] { samples.map { Int(($0 &+ 0x8000) >> 16) } }

    @Test func everySampleIsHeardOnceOverPausesAndToTheEnd() async throws {
        let listening = try Listening(try ramp(1.5))
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        for stop in [5_000, 20_000, 21_000, 50_000] {
            listening.pipeline.change { $0.clockRuns = true }
            #expect(await listening.plays(stop))
            listening.pipeline.change { $0.clockRuns = false }
        }
        listening.pipeline.change { $0.clockRuns = true }
        let end = await listening.hears { event -> MediaTime? in
            if case .finished(.audio, Epoch(1), let at) = event { at } else { nil }
        }
        #expect(((end ?? .zero) - .seconds(1.5)).magnitude < .milliseconds(0.1))
        let heard = numbers(listening.script.heard)
        #expect(heard == (0..<72_000).map { $0 % 32768 })
        listening.end()
    }

    @Test func aSeekLandsOnTheSample() async throws {
        let listening = try Listening(try ramp(1.5))
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(3000))
        let before = listening.script.heard.count
        listening.begin(2, at: 0.6)
        #expect(await listening.primed(2))
        let mark = listening.script.heard.count
        #expect(mark >= before)
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(mark + 1000))
        let heard = numbers(Array(listening.script.heard[mark..<mark + 1000]))
        #expect(heard == (28_800..<29_800).map { $0 % 32768 })
        listening.end()
    }

    @Test func mutedFromTheStartNoSampleIsHeard() async throws {
        let listening = try Listening(try ramp(0.5)) { $0.isMuted = true }
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(20_000))
        #expect(listening.script.heard.allSatisfy { $0 == 0 })
        listening.end()
    }

    /// Over all speeds the tone is never away for 20 ms, and the device never runs dry.
    @Test func anotherSpeedLeavesNoGap() async throws {
        let listening = try Listening(
            try Fixtures.clip(["-f", "lavfi", "-i", "sine=f=300:r=48000:d=6,volume=4", "-c:a", "flac"], ext: "flac"))
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        var mark = 12_000
        for rate in [0.5, 2, 1, 4, 0.25, 1.5, 1] {
            #expect(await listening.plays(mark))
            listening.pipeline.change { $0.rate = rate }
            mark += 16_000
        }
        #expect(await listening.plays(mark))
        let heard = listening.script.heard.prefix(mark)
        var longest = 0, quiet = 0
        for sample in heard {
            quiet = sample.magnitude < 1 << 26 ? quiet + 1 : 0
            longest = max(longest, quiet)
        }
        // A tone of 300 Hz is that quiet for 10 samples at each crossing of zero.
        #expect(longest < 480, "\(Double(longest) / 48) ms")
        #expect(listening.script.xrunCount == 0)
        listening.end()
    }

    /// The clock comes to lie ahead of what is heard; every sample is heard once, in its place.
    @Test func anotherDelayMovesTheClockAndNoSample() async throws {
        let listening = try Listening(try ramp(2.5))
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(9600))
        listening.pipeline.change { $0.soundDelay = .milliseconds(80) }
        #expect(await listening.plays(75_000))
        let (clock, heard) = (listening.synchronizer.time(at: SystemTime().now()), listening.script.heard.count)
        let ahead = try #require(clock).seconds - Double(heard) / 48000
        #expect(abs(ahead - 0.08) < 0.015, "\(ahead) s")
        #expect(numbers(Array(listening.script.heard.prefix(75_000))) == (0..<75_000).map { $0 % 32768 })
        let end = await listening.hears { event -> MediaTime? in
            if case .finished(.audio, Epoch(1), let at) = event { at } else { nil }
        }
        #expect(((end ?? .zero) - .seconds(2.58)).magnitude < .milliseconds(1))
        listening.end()
    }

    /// 0.1 s later: silence for as long; 0.1 s earlier: the film's beginning is left out.
    @Test(arguments: [0.1, -0.1]) func anEpochBeginsAtTheDelay(_ seconds: Double) async throws {
        let listening = try Listening(try ramp(1)) { $0.soundDelay = .seconds(seconds) }
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(20_000))
        let heard = numbers(Array(listening.script.heard.prefix(20_000)))
        let wanted = seconds > 0 ? [Int](repeating: 0, count: 4800) + Array(0..<15_200) : Array(4800..<24_800)
        #expect(heard == wanted)
        listening.end()
    }

    @Test func aRecordingIsPlayedAtItsOwnLevel() async throws {
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "sine=d=1:r=48000", "-metadata", "REPLAYGAIN_TRACK_GAIN=-6.0206 dB", "-c:a", "flac"], ext: "flac")
        var peaks: [Double] = []
        for mode in [ReplayGainMode.off, .track] {
            var options = SoundOptions()
            options.replayGain = mode
            let listening = try Listening(path, options: options)
            listening.begin(1, at: 0)
            #expect(await listening.primed(1))
            listening.pipeline.change { $0.clockRuns = true }
            #expect(await listening.plays(20_000))
            peaks.append(Double(listening.script.heard.prefix(20_000).map(\.magnitude).max() ?? 0))
            listening.end()
        }
        #expect(abs(peaks[1] / peaks[0] - 0.5) < 0.001)
    }

    @Test func aDeviceThatIsPulledOutLeavesTheClockRunningToTheEnd() async throws {
        let listening = try Listening(try ramp(1.5))
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(5000))
        listening.script.unplug()
        #expect(await listening.hears { if case .audioOutput(nil) = $0 { true } else { nil } } == true)
        let clock = listening.synchronizer.anchor(epoch: Epoch(1))
        #expect(abs((clock?.rate ?? 0) - 1) < 0.06)
        let now = try #require(listening.synchronizer.time(at: SystemTime().now()))
        #expect(now > .seconds(0.1))
        let end = await listening.hears { event -> MediaTime? in
            if case .finished(.audio, Epoch(1), let at) = event { at } else { nil }
        }
        #expect(((end ?? .zero) - .seconds(1.5)).magnitude < .milliseconds(1))
        // A later seek does not ask for the lost device again.
        listening.begin(2, at: 0.5)
        #expect(await listening.primed(2))
        #expect(listening.count { if case .audioOutput = $0 { true } else { false } } == 2)
        listening.end()
    }

    @Test func soundGoesOnWhereItIsOnTheDeviceThatStandsIn() async throws {
        let listening = try Listening(try ramp(1.5), devices: 2)
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(5000))
        listening.script.unplug()
        let end = await listening.hears { event -> MediaTime? in
            if case .finished(.audio, Epoch(1), let at) = event { at } else { nil }
        }
        #expect(((end ?? .zero) - .seconds(1.5)).magnitude < .milliseconds(1))
        // Each sample of the ramp says where it belongs: silence for what the lost device held, then the rest to its end.
        let heard = numbers(listening.scripts[1].heard)
        let silent = try #require(heard.firstIndex { $0 != 0 })
        #expect(heard.count > 40_000 && silent < 30_000)
        #expect(heard[silent...].elementsEqual((72_000 - heard.count + silent..<72_000).map { $0 % 32768 }))
        listening.end()
    }

    @Test func whereNoDeviceOpensTheTimePassesInSilence() async throws {
        let listening = try Listening(try ramp(0.5))
        listening.script.unplug()
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        let began = SystemTime().now()
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.hears { if case .finished(.audio, Epoch(1), _) = $0 { true } else { nil } } == true)
        #expect(SystemTime().now() - began > .milliseconds(480))
        #expect(listening.script.heard.isEmpty)
        listening.end()
    }

    @Test func aTrackThatCannotBePlayedIsLostInEveryEpoch() async throws {
        let listening = try Listening(try ramp(0.5))
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.activeAudio = 77 }
        #expect(await listening.isLost(1) == .unsupported)
        listening.begin(2, at: 0)
        #expect(await listening.isLost(2) == .unsupported)
        listening.end()
    }

    /// Everything was heard in the moment of the pause: there is nothing to resume with, and that is the end.
    @Test func resumingBehindTheLastSampleIsTheEnd() async throws {
        let listening = try Listening(try ramp(0.3))
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(14_400))
        listening.pipeline.change { $0.clockRuns = false }
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.hears { if case .finished(.audio, Epoch(1), _) = $0 { true } else { nil } } == true)
        listening.end()
    }
}
