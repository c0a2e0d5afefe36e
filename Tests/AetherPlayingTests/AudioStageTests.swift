import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Synchronization
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// The audio thread with a real source and a scripted device that keeps real time.
final class Listening: Sendable {
    let pipeline = Pipeline()
    let scripts: [PCMScript]
    var script: PCMScript { scripts[0] }
    let synchronizer = RenderSynchronizer()
    private let events = Monitor<[(event: StageEvent, heard: Double)]>([])
    private let threads: Monitor<[WorkerThread]>
    /// Whether the machine let threads run meanwhile.
    let punctuality = Punctuality()
    /// The next session that the audio thread goes on with.
    let succession = AudioSuccession()
    /// Where the source begins.
    let start: MediaTime

    /// With so many devices that may be had, best first; or in the audio thread of another, behind it. `longestCall`: what a call to a device may
    /// take; a minute is more than any busy machine needs, and a device that was frozen is found out after less.
    init(
        _ path: String, after former: Listening? = nil, devices: Int = 1, options: AudioOptions = AudioOptions(),
        rest: TimeSpan = .seconds(60), patience: TimeSpan = .seconds(60),
        longestCall: TimeSpan = .seconds(60),
        change: (inout PlaybackIntent) -> Void = { _ in }
    ) throws {
        let time = SystemTime()
        scripts = former?.scripts ?? (0..<devices).map { _ in PCMScript(time: time) }
        threads = Monitor([])
        let events = events, counters = SessionCounters(), pipeline = pipeline, scripts = scripts
        // With what was heard in that moment: who asks later asks too late on a busy machine.
        let report: @Sendable (StageEvent) -> Void = { event in
            let heard = scripts[0].played
            events.update { $0.append((event, heard)) }
        }
        let sources = try Self.sources(path, pipeline.interrupt)
        let opened = Monitor<SourceInfo?>(nil)
        let demux = ReadStage(
            open: sources, pipeline: pipeline, cues: CueStore(), counters: counters
        ) { event in
            if case .opened(let description) = event { opened.update { $0 = description.info } }
            report(event)
        }
        let audio = AudioStage(
            pipeline: pipeline, synchronizer: synchronizer, counters: counters, time: time, report: report,
            stream: { index in opened.read { $0?.streams.first { $0.id == index } } }, options: options,
            devices: Self.devices(scripts, longestCall), lease: DeviceLease(span: rest), patience: patience,
            succession: succession)
        let demuxing = WorkerThread(name: "demux") { demux.run() }
        threads.update { $0 = [demuxing] }
        let info: SourceInfo? = opened.wait(until: time.now() + .seconds(60)) { $0 }
        let stream = try #require(info?.decodable(.audio).first?.id)
        start = info?.startTime ?? .zero
        pipeline.state.update {
            $0.intent.activeAudio = stream
            $0.intent.audioTracks = [stream]
            $0.intent.mayOpenDevice = true
            change(&$0.intent)
        }
        if let former {
            #expect(former.succession.offer(audio))
            return
        }
        let listening = WorkerThread(name: "audio") { audio.run() }
        threads.update { $0.append(listening) }
    }

    /// Opens a file, or a playlist of HLS or a manifest of DASH with what it names.
    private static func sources(
        _ path: String, _ interrupt: Interrupt
    ) throws -> @Sendable () throws(MediaError) -> [any PacketSource] {
        guard path.hasSuffix(".m3u8") || path.hasSuffix(".mpd") else {
            let input = MediaInput.reader(try #require(try MediaLocation.file(path).openReader()), name: path)
            return { () throws(MediaError) in [try ContainerSource(input, options: OpenOptions(), interrupt: interrupt)] }
        }
        return { () throws(MediaError) in
            let input = try MediaInput(.location(.file(path)), follows: true, interrupt: interrupt)
            guard let document = try StreamDocument(input) else { throw MediaError(.notMedia, "open", subject: path) }
            return try StreamOpening(options: OpenOptions(), window: nil, interrupt: interrupt, time: SystemTime()).sources(
                document)
        }
    }

    /// By a number, the devices from that one on.
    private static func devices(
        _ scripts: [PCMScript], _ longestCall: TimeSpan
    ) -> AudioDeviceList {
        AudioDeviceList(
            count: scripts.count,
            make: { place in
                // The names of threads that are stuck are the whole process's.
                let name = "scripted \(ObjectIdentifier(scripts[place]).hashValue)"
                return ThreadedDevice(name: name, patience: longestCall) { ScriptedPCM(scripts[place]) }
            },
            choose: { devices(Array(scripts[(Int($0) ?? 0)...]), longestCall) })
    }

    /// By how much what follows the device may be off: nothing, where threads got their turns.
    var slack: Double { 4 * punctuality.worst.seconds }

    func begin(_ epoch: UInt64, at seconds: Double) {
        synchronizer.anchor(nil, epoch: Epoch(epoch))
        pipeline.begin(Epoch(epoch), plan: SeekPlan(target: .seconds(seconds), landing: .exact))
    }

    /// Waits until the stage has said so; nil after a minute.
    func hears<Result: Sendable>(_ body: @escaping @Sendable (StageEvent) -> Result?) async -> Result? {
        let events = events
        return await withCheckedContinuation { continuation in
            _ = WorkerThread(name: "test-wait") {
                continuation.resume(
                    returning: events.wait(until: SystemTime().now() + .seconds(60)) {
                        $0.lazy.compactMap { body($0.event) }.first
                    })
            }
        }
    }

    /// How many events so far are such.
    func count(_ body: (StageEvent) -> Bool) -> Int { events.read { $0.count { body($0.event) } } }

    /// How many frames the first device had played when the stage said such a thing for the first time.
    func heard(at body: (StageEvent) -> Bool) -> Double? { events.read { $0.first { body($0.event) }?.heard } }

    /// The clock, and what a device had played in the same moment; tried again where this thread was held up between the two.
    func reading(of device: Int = 0) -> (clock: MediaTime?, heard: Double) {
        let time = SystemTime()
        var reading: (clock: MediaTime?, heard: Double) = (nil, 0)
        for _ in 0..<1000 {
            let before = time.now()
            reading = (synchronizer.time(at: before), scripts[device].played)
            if time.now() - before < .milliseconds(1) { break }
        }
        return reading
    }

    func primed(_ epoch: UInt64) async -> Bool {
        await hears { if case .primed(.audio, Epoch(epoch), _) = $0 { true } else { nil } } ?? false
    }

    /// Why the sound of an epoch was given up.
    func isLost(_ epoch: UInt64) async -> MediaError.Code? {
        await hears { if case .lost(.audio, Epoch(epoch), let error) = $0 { error.code } else { nil } }
    }

    /// Waits until that many samples were heard.
    func plays(_ frames: Int, of device: Int = 0) async -> Bool {
        await eventually { $0.scripts[device].heard.count >= frames }
    }

    func isGivenBack() async -> Bool { await eventually { !$0.script.opened.isOpen } }

    func eventually(_ condition: @escaping @Sendable (Listening) -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            _ = WorkerThread(name: "test-wait") { [self] in
                let time = SystemTime(), events = events
                let deadline = time.now() + .seconds(60)
                // The device plays on without a word, so it is looked at every 5 ms, and at each event.
                while !condition(self) && time.now() < deadline {
                    let count = events.read { $0.count }
                    _ = events.wait(until: time.now() + .milliseconds(5)) { $0.count != count ? true : nil }
                }
                continuation.resume(returning: condition(self))
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
        #expect(heard.count == 72_000 && heard.enumerated().allSatisfy { $0.element == $0.offset & 32767 })
        listening.end()
    }

    /// Samples that a decoder skips at the beginning are not filled with silence: 7 ms of Opus in Matroska, 92 ms of WMA.
    @Test(arguments: [("mka", "libopus"), ("webm", "libopus"), ("wma", "wmav2"), ("mka", "wmav2"), ("opus", "libopus")])
    func audioAloneBeginsWithItsFirstSample(_ ext: String, _ codec: String) async throws {
        let path = try Fixtures.clip(["-f", "lavfi", "-i", "sine=f=440:r=48000:d=1,volume=6", "-c:a", codec], ext: ext)
        let listening = try Listening(path)
        listening.begin(1, at: listening.start.seconds)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(10_000))
        let lead = listening.script.heard.prefix { abs(Int($0)) < 1 << 24 }.count
        #expect(lead < 16, "\(lead) frames of silence")
        listening.end()
    }

    /// Beside video the cut-off beginning is waited for, so that both stay together: a click half a second in is heard when the clock says so.
    @Test(arguments: ["mkv", "mp4"]) func opusBesideVideoKeepsItsPlace(_ ext: String) async throws {
        let path = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=1.5", "-f", "lavfi", "-i",
                "aevalsrc=if(eq(n\\,24000)\\,0.9\\,0):s=48000:d=1.5", "-c:v", "mpeg4", "-c:a", "libopus", "-b:a", "160k",
            ], ext: ext)
        let listening = try Listening(path) { $0.activeVideo = 0 }
        listening.begin(1, at: listening.start.seconds)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(40_000))
        let (clock, played) = listening.reading()
        let heard = listening.script.heard
        let click = try #require(heard.indices.max { heard[$0].magnitude < heard[$1].magnitude })
        let place = try #require(clock).seconds - (played - Double(click)) / 48000
        // ffmpeg stamps the packets of Matroska in milliseconds.
        #expect(abs(place - 0.5) < 0.002 + listening.punctuality.worst.seconds, "\(place) s")
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
        try #require(await listening.plays(mark + 1000))
        let heard = numbers(Array(listening.script.heard[mark..<mark + 1000]))
        #expect(heard == (28_800..<29_800).map { $0 % 32768 })
        listening.end()
    }

    @Test func mutedFromTheStartNoSampleIsHeard() async throws {
        let listening = try Listening(try ramp(0.5)) { $0.settings.isMuted = true }
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
            listening.pipeline.change { $0.settings.rate = rate }
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
        #expect(listening.script.xrunCount == 0 || !listening.punctuality.kept(.milliseconds(36)))
        listening.end()
    }

    /// The clock comes to lie ahead of what is heard; every sample is heard once, in its place.
    @Test func anotherDelayMovesTheClockAndNoSample() async throws {
        let listening = try Listening(try ramp(2.5))
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(9600))
        listening.pipeline.change { $0.settings.audioDelay = .milliseconds(80) }
        #expect(await listening.plays(75_000))
        let (clock, heard) = listening.reading()
        let ahead = try #require(clock).seconds - heard / 48000
        // The clock follows measurements of the device: as far as those came late, it may be off.
        #expect(abs(ahead - 0.08) < 0.015 + listening.punctuality.worst.seconds, "\(ahead) s")
        #expect(numbers(Array(listening.script.heard.prefix(75_000))) == (0..<75_000).map { $0 % 32768 })
        let end = await listening.hears { event -> MediaTime? in
            if case .finished(.audio, Epoch(1), let at) = event { at } else { nil }
        }
        #expect(((end ?? .zero) - .seconds(2.58)).magnitude < .milliseconds(1))
        listening.end()
    }

    /// 0.1 s later: silence for as long; 0.1 s earlier: the film's beginning is left out.
    @Test(arguments: [0.1, -0.1]) func anEpochBeginsAtTheDelay(_ seconds: Double) async throws {
        let listening = try Listening(try ramp(1)) { $0.settings.audioDelay = .seconds(seconds) }
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
            ["-f", "lavfi", "-i", "sine=d=1:r=48000", "-metadata", "REPLAYGAIN_TRACK_GAIN=-6.0206 dB", "-c:a", "flac"],
            ext: "flac")
        var peaks: [Double] = []
        for mode in [ReplayGainMode.off, .track] {
            var options = AudioOptions()
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
        #expect(await listening.hears { if case .audioOutput(let route) = $0, route.device == nil { true } else { nil } } == true)
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

    @Test func audioGoesOnWhereItIsOnTheDeviceThatStandsIn() async throws {
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

    /// A sink that is suspended takes nothing and says nothing of it: after three seconds the next device has the sound, where it stood.
    @Test func aDeviceThatStandsIsReplaced() async throws {
        let listening = try Listening(try ramp(3), devices: 2)
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(5000))
        listening.script.stand()
        let stood = Int(listening.script.played)
        try #require(await listening.plays(60_000, of: 1))
        // Silence for what the other one holds, then what belongs there.
        let heard = numbers(listening.scripts[1].heard)
        let silent = try #require(heard.firstIndex { $0 != 0 })
        let first = heard[silent]
        let off = Double((first - silent - stood).magnitude)
        #expect(off < 960 + 48_000 * listening.slack, "\(first) behind \(silent) from \(stood)")
        #expect(heard[silent..<60_000].elementsEqual((first..<first + 60_000 - silent).map { $0 % 32768 }))
        let (clock, played) = listening.reading(of: 1)
        #expect(abs(try #require(clock).seconds - (Double(first - silent) + played) / 48000) < 0.03 + listening.slack)
        listening.end()
    }

    /// A sound server that was killed and started again: what was silence meanwhile is sound again, in its place.
    @Test func aDeviceThatComesBackIsTaken() async throws {
        let listening = try Listening(try ramp(4), patience: .milliseconds(300))
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(5000))
        listening.script.unplug()
        #expect(await listening.hears { if case .audioOutput(let route) = $0, route.device == nil { true } else { nil } } == true)
        let before = listening.script.heard.count
        listening.script.plug()
        try #require(await listening.plays(before + 48_000))
        let heard = numbers(Array(listening.script.heard[before...]))
        let silent = try #require(heard.firstIndex { $0 != 0 })
        #expect(heard[silent..<40_000].elementsEqual((heard[silent]..<heard[silent] + 40_000 - silent).map { $0 % 32768 }))
        let (clock, played) = listening.reading()
        let place = Double(heard[silent] - silent) + played - Double(before)
        let apart = (try #require(clock).seconds * 48000 - place).truncatingRemainder(dividingBy: 32768)
        #expect(min(abs(apart), 32768 - abs(apart)) < 1440 + 48_000 * listening.slack, "\(apart / 48) ms")
        #expect(listening.count { if case .audioOutput(let route) = $0, route.device != nil { true } else { false } } == 2)
        listening.end()
    }

    @Test func theDeviceIsOpenedWhenSomebodyWantsToPlay() async throws {
        let listening = try Listening(try ramp(1.5)) { $0.mayOpenDevice = false }
        listening.begin(1, at: 0.25)
        #expect(await listening.primed(1))
        #expect(listening.script.opened.count == 0)
        listening.pipeline.change { $0.mayOpenDevice = true }
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(20_000))
        #expect(numbers(Array(listening.script.heard.prefix(20_000))) == (12_000..<32_000).map { $0 % 32768 })
        #expect(listening.script.opened.count == 1 && listening.script.opened.isOpen)
        listening.end()
        #expect(listening.script.opened.isOpen == false)
    }

    /// In a pause the device is given back; afterwards no sample is missing and none comes twice.
    @Test func aLongPauseGivesTheDeviceBackAndKeepsThePlace() async throws {
        let listening = try Listening(try ramp(1.5), rest: .milliseconds(50))
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(9_000))
        listening.pipeline.change { $0.clockRuns = false }
        #expect(await listening.isGivenBack())
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(30_000))
        // At rest at the end, too.
        #expect(await listening.hears { if case .finished(.audio, Epoch(1), _) = $0 { true } else { nil } } == true)
        let heard = numbers(listening.script.heard)
        #expect(heard.count == 72_000 && heard.enumerated().allSatisfy { $0.element == $0.offset & 32767 })
        #expect(await listening.isGivenBack())
        // A seek there needs the device again.
        listening.begin(2, at: 0.5)
        #expect(await listening.primed(2))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(heard.count + 8_000))
        let second = numbers(Array(listening.script.heard.dropFirst(heard.count).prefix(8_000)))
        #expect(second == (24_000..<32_000).map { $0 % 32768 })
        // It may have been given back once more between the seek and the start.
        #expect(listening.script.opened.count >= 3)
        listening.end()
    }

    @Test func anotherDeviceGoesOnWhereTheClockIs() async throws {
        let listening = try Listening(try ramp(2), devices: 2)
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(9_600))
        // As the session does it: the clock goes on by itself, and the sound joins it from memory.
        let now = SystemTime().now()
        let point = try #require(listening.synchronizer.time(at: now))
        listening.synchronizer.anchor(ClockAnchor(media: point, host: now, rate: 1), epoch: Epoch(1))
        listening.pipeline.change { $0.audioDevice = "1" }
        let stream = try #require(listening.pipeline.state.read { $0.intent.activeAudio })
        listening.pipeline.switchAudio(to: stream, at: point)
        try #require(await listening.plays(20_000, of: 1))
        #expect(listening.script.opened.isOpen == false && listening.scripts[1].opened.isOpen)
        // Each sample says where it belongs: the clock and the sound on the new device agree.
        let (clock, played) = listening.reading(of: 1)
        let heard = listening.scripts[1].heard
        let place = Double(numbers(heard)[0]) + played
        let apart = (try #require(clock).seconds * 48000 - place).truncatingRemainder(dividingBy: 32768)
        #expect(abs(apart) < 960 + 48_000 * listening.slack, "\(apart / 48) ms")
        let missing = Double(numbers(heard)[0]) / 48000 - point.seconds
        #expect(missing > -0.01 - listening.slack && missing < 0.4 + listening.slack, "\(missing) s")
        listening.end()
    }

    /// By way of a bare stream, which tells nothing of the encoder's delay: with it, ffmpeg 7.1 puts the first frame 5 ms before zero.
    private func dolby() throws -> String {
        let bare = try Fixtures.clip(["-f", "lavfi", "-i", "sine=f=500:d=1.6:r=48000", "-ac", "6", "-c:a", "ac3"], ext: "ac3")
        return try Fixtures.clip(["-i", bare, "-c", "copy"], ext: "mkv")
    }

    /// The frames of the source, in order and whole, and the clock goes with them.
    @Test func aBitstreamGoesOutUntouched() async throws {
        var options = AudioOptions()
        options.passthrough = .ac3
        let path = try dolby()
        let listening = try Listening(path, options: options)
        listening.script.state.withLock { $0.takesBitstream = true }
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        // Neither volume nor speed touch it.
        listening.pipeline.change { ($0.clockRuns, $0.settings.volume, $0.settings.rate) = (true, 0.5, 2) }
        let route = await listening.hears { if case .audioOutput(let route) = $0 { route } else { nil } }
        #expect(route?.kind == .passthrough(codec: "ac3") && route?.format.isBitstream == true)
        #expect(await listening.plays(40_000))
        let (clock, played) = listening.reading()
        #expect(abs((clock?.seconds ?? 9) - played / 48000) < 0.02 + listening.slack)
        let end = await listening.hears { event -> MediaTime? in
            if case .finished(.audio, Epoch(1), let at) = event { at } else { nil }
        }
        #expect(((end ?? .zero) - .seconds(1.6)).magnitude < .milliseconds(40))
        let bytes = listening.script.heard.flatMap { sample in withUnsafeBytes(of: sample) { Array($0) } }
        let frames = BurstReader.bursts(bytes, isByteCount: false)
        try #require(frames.count == 50 && frames.allSatisfy { $0.type == 1 && $0.payload.starts(with: [0x0B, 0x77]) })
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $1.offset - $0.offset == 6144 })
        // A seek: silence up to the first whole frame.
        let mark = listening.script.heard.count
        listening.begin(2, at: 0.75)
        #expect(await listening.primed(2))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(mark + 9000))
        let later = listening.script.heard[mark...].flatMap { sample in withUnsafeBytes(of: sample) { Array($0) } }
        let first = try #require(BurstReader.bursts(later, isByteCount: false).first)
        // Frames lie at multiples of 32 ms: the next after 0.75 s is that of 0.768 s, the 25th from 0.
        #expect(abs(Double(first.offset) / 4 / 48 - 18) < 2 && first.payload == frames[24].payload)
        listening.end()
    }

    @Test func whereTheDeviceRefusesTheBitstreamItIsDecoded() async throws {
        var options = AudioOptions()
        options.passthrough = .ac3
        let listening = try Listening(try dolby(), options: options)
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        let notice = await listening.hears { if case .notice(let text) = $0 { text } else { nil } }
        #expect(notice == "ac3 cannot be passed through here: it is decoded")
        #expect(await listening.hears { if case .finished(.audio, Epoch(1), _) = $0 { true } else { nil } } == true)
        #expect(listening.script.heard.count > 70_000 && listening.script.heard.contains { $0.magnitude > 1 << 24 })
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
