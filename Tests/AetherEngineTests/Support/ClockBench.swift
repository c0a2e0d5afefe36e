import AetherCore
import AetherMedia
import AetherTestSupport

@testable import AetherEngine

/// An `AudioRenderer` over a scripted device in virtual time: numbered samples in, a trace of the clock out.
final class ClockBench {
    let time = ManualTime(HostTime(nanoseconds: 1_000_000_000_000))
    let script: PCMScript
    var renderer: AudioRenderer
    private(set) var clock: ClockAnchor?
    private(set) var trace = Trace()
    /// Reports are asked for this often, in ms, as the audio thread does when its device takes a period.
    var reportInterval = 20
    /// The number of the next sample.
    private(set) var produced: Int32 = 0
    private var elapsed = 0

    /// The course of the clock, over all milliseconds at which it was read.
    struct Trace {
        /// The largest move of a running line at the moment it was replaced.
        var largestStep = TimeSpan.zero
        /// The largest move back from one millisecond to the next; zero when there was none.
        var largestRetreat = TimeSpan.zero
        /// Clock minus what was truly heard, for every millisecond.
        var errors: [TimeSpan] = []
        var last: MediaTime?

        func worst(_ range: Range<Int>) -> TimeSpan { errors[range].map(\.magnitude).max() ?? .zero }
        /// The mean error of a stretch of milliseconds.
        func mean(_ range: Range<Int>) -> TimeSpan {
            .seconds(errors[range].reduce(0.0) { $0 + $1.seconds } / Double(max(1, range.count)))
        }
    }

    init(_ change: (inout PCMScript.State) -> Void = { _ in }) throws {
        script = PCMScript(time: time, change)
        renderer = try AudioRenderer(ScriptedPCM(script), wanted: AudioFormat(sampleRate: 48000, channelCount: 1))
    }

    // The renderer cannot be copied into an expectation; its answers can.
    var clockSteps: Int { renderer.filter.stepCount }
    var driftPPM: Double? { renderer.driftPPM }
    var isRunning: Bool { renderer.isRunning }
    var isStuck: Bool { renderer.isStuck }
    var isEmpty: Bool { renderer.isEmpty }
    var hasUnheard: Bool { renderer.hasUnheard }
    var endOfHeard: MediaTime? { renderer.endOfHeard }
    func observe() throws -> ClockAnchor? { try renderer.observe(now: time.now()) }

    /// Queues that many numbered samples.
    func feed(_ frames: Int) throws {
        let first = produced
        _ = try renderer.enqueue { bytes throws(MediaError) in
            NumberedSamples.append(first, count: frames, to: &bytes)
        }
        produced += Int32(frames)
    }

    /// Fills the device and starts it.
    func start(at media: MediaTime = .zero, rate: Double = 1) throws {
        renderer.beginSegment(media: media, rate: rate)
        try feed(9600)
        _ = try renderer.write()
        clock = try renderer.start(now: time.now())
    }

    func noteUnderrun() { renderer.noteUnderrun() }

    func resume() throws { clock = try renderer.start(now: time.now()) }

    func pause() throws -> MediaTime? {
        clock = nil
        trace.last = nil
        return try renderer.pause()
    }

    /// Plays; `truth` says what is heard when the device has consumed so many frames since it was last empty.
    func run(milliseconds: Int, isFed: Bool = true, truth: ((Double) -> MediaTime)? = nil) throws {
        for _ in 0..<milliseconds {
            time.advance(by: .milliseconds(1))
            elapsed += 1
            let now = time.now()
            if elapsed % reportInterval == 0 || renderer.nextChange.map({ $0 <= now }) ?? false { try report(isFed: isFed) }
            guard let heard = clock?.time(at: now) else { continue }
            if let last = trace.last, heard < last { trace.largestRetreat = max(trace.largestRetreat, last - heard) }
            trace.last = heard
            if let truth { trace.errors.append(heard - truth(script.truth)) }
        }
    }

    private func report(isFed: Bool) throws {
        if isFed && renderer.pendingFrames < 4800 { try feed(4800) }
        _ = try renderer.write()
        let now = time.now()
        let observed = try renderer.observe(now: now)
        // Frames that are skipped are not queued at all.
        produced += Int32(renderer.takeOwedFrames())
        guard let next = observed else {
            clock = nil
            return
        }
        if let clock { trace.largestStep = max(trace.largestStep, (next.time(at: now) - clock.time(at: now)).magnitude) }
        clock = next
    }
}
