import AetherCore
import AetherMedia
import AetherTestSupport
import Foundation
import Synchronization

@testable import AetherEngine

/// The engine's own control and threads on a virtual clock, with wishes of a person and faults of source, device and surface that come from one seed.
/// A run of a seed is the same each time, however long it is.
struct SimulatedPlay {
    /// The outcome of a run.
    struct Outcome: Equatable {
        /// Of the frames, their times and the turns of threads.
        var course: UInt64 = 0
        var turns = 0
        var frames = 0, wishes = 0, loads = 0
        var faults: [String] = []
        /// Frames by their distance from what was heard, in hundredths of a second.
        var distances: [Int: Int] = [:]
    }

    private let bytes: [UInt8]
    private let seed: UInt64
    private let length: TimeSpan
    /// Takes a line for each wish and each fault.
    private let log: ((String) -> Void)?
    private let time = ManualTime(HostTime(nanoseconds: 1_000_000_000))
    private let mailbox = Monitor<[ControlMessage]>([])
    private let published = Monitor(PublishedState())
    private let teardown = Monitor(Teardown())
    private let sink: WatchfulSink
    private let fate: DeviceFate
    private var random: SeededRandom
    private var outcome = Outcome()

    init(_ bytes: [UInt8], seed: UInt64, length: TimeSpan, log: ((String) -> Void)? = nil) {
        (self.bytes, self.seed, self.length, self.log) = (bytes, seed, length, log)
        random = SeededRandom(seed: seed)
        sink = WatchfulSink(time: time)
        fate = DeviceFate(time: time, seed: seed &+ 1, isSteady: false)
    }

    /// Plays for the length, and until nothing is left.
    mutating func run() -> Outcome {
        let turns = ThreadTurns(seed: seed, time: time)
        turns.run { play() }
        let report = sink.report
        (outcome.course, outcome.turns, outcome.frames) = (report.course, turns.turnCount, report.statistics.framesShown)
        outcome.faults += report.faults
        outcome.distances = report.distances
        return outcome
    }

    // MARK: - The control's thread

    private mutating func play() {
        let (mailbox, published) = (mailbox, published)
        var control = PlaybackControl(
            sink: sink, time: time, teardown: teardown, audience: Audience(), taps: AudioTaps(),
            post: { message in mailbox.update { $0.append(message) } },
            publish: { change in published.update { change(&$0) } })
        let end = time.now() + length
        var watch = Watch(now: time.now()), next = time.now(), nextLoad = time.now()
        while time.now() < end {
            if time.now() >= nextLoad {
                load(&control)
                (watch, nextLoad) = (Watch(now: time.now()), time.now() + .seconds(Double(120 + random.below(1800))))
            }
            if time.now() >= next {
                if wish() { watch.noteStep() }
                next = time.now() + .milliseconds(random.below(4) == 0 ? Double(random.below(100)) : Double(random.below(15_000)))
            }
            let until = min(next, time.now() + .milliseconds(40))
            let messages = mailbox.wait(until: until) { messages -> [ControlMessage]? in
                defer { messages = [] }
                return messages.isEmpty ? nil : messages
            }
            for message in messages ?? [] { control.handle(message) }
            if let session = published.read({ $0.session }) {
                sink.follow(session.synchronizer)
                let faults = watch.look(
                    session, published.read { $0.snapshot }, now: time.now(), isGone: fate.isGone)
                outcome.faults += faults
                for fault in faults { note(fault) }
                // Nothing that follows from it is of interest.
                if watch.isOver || outcome.faults.count > 20 { nextLoad = time.now() }
            }
        }
        control.handle(.stop)
        join()
    }

    /// Another load of the same source: the one before ends meanwhile.
    private mutating func load(_ control: inout PlaybackControl) {
        outcome.loads += 1
        note("load")
        join()
        var options = LoadOptions()
        (options.audioOutput, options.decoderThreads) = (.null, 1)
        let (time, fate) = (time, fate)
        options.silentDevices = AudioDeviceList(count: 1, make: { _ in SimulatedDevice(time: time, fate: fate) })
        let reader = UnsteadyBytes(bytes, time: time, seed: random.next(), isSteady: random.below(4) == 0)
        let number = published.update { state in
            state.load += 1
            return state.load
        }
        control.handle(.load(number, .custom(reader, name: "simulated.mkv"), options))
    }

    /// Waits for the threads of the sessions that have ended, as the engine does.
    private func join() {
        let retired = teardown.update { state in
            defer { state.retired = [] }
            return state.retired
        }
        for session in retired { session.join() }
    }

    // MARK: - A person, and the world

    /// Returns whether it is a step.
    private mutating func wish() -> Bool {
        outcome.wishes += 1
        let snapshot = published.read { $0.snapshot }
        let target = MediaTime.seconds(Double(random.below(125_000)) / 1000 - 1)
        let number = random.below(26)
        switch number {
        case 0...3: say(.seek(to: target, .exact))
        case 4, 5: say(.seek(to: target, .keyframe))
        case 6: say(.seek(to: target, .refined))
        case 7, 8: say(.skip(by: .milliseconds(Double(random.below(20_000) - 10_000)), random.below(2) == 0 ? .exact : .keyframe))
        case 9, 10, 11: say(.play)
        case 12: say(.pause)
        case 13: say(.togglePlayPause)
        case 14: say(.set(.rate([0.5, 1, 1, 1.5, 2, 4][random.below(6)])))
        case 15: if let track = snapshot.audioTracks.randomElement(using: &random) { say(.selectAudioTrack(track.id)) }
        case 16: say(.selectSubtitleTrack(random.below(2) == 0 ? nil : snapshot.subtitleTracks.first?.id))
        case 17: say(.stepFrame(random.below(2) * 2 - 1))
        case 18: say(.seekToFraction(Double(random.below(100)) / 100))
        case 19: say(.set(.volume(Double(random.below(100)) / 100)))
        case 20: say(.set(.audioDelay(.milliseconds(Double(random.below(400) - 200)))))
        case 21: say(.setRepeating(random.below(4) != 0))
        case 22: say(.markLoop)
        case 23:
            note("the device is pulled out")
            fate.unplug(for: .milliseconds(Double(random.below(12_000))))
        case 24, 25: sink.change(&random)
        default: break
        }
        return number == 17
    }

    private func say(_ command: PlayerCommand) {
        note("\(command)")
        mailbox.update { $0.append(.command(command)) }
    }

    private func note(_ line: String) { log?("\(time.now().nanoseconds / 1_000_000) ms: \(line)") }
}
