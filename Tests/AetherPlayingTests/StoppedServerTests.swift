import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine
@testable import AetherEngineTests

/// A sound server that is stopped: no call to it comes back, and nothing breaks it off.
@Suite(.serialized) struct StoppedServerTests {
    private func tone(_ seconds: Double) throws -> String {
        try Fixtures.clip(
            ["-f", "lavfi", "-i", "aevalsrc=mod(n\\,32768)/32768:s=48000:d=\(seconds)", "-c:a", "pcm_s16le"], ext: "wav")
    }

    /// A frozen device is found out after this, and one that is well on a busy machine must not be.
    private static let longestCall = TimeSpan.seconds(1)

    private func playing(_ seconds: Double, devices: Int = 1) async throws -> Listening {
        let listening = try Listening(
            try tone(seconds), devices: devices, patience: .milliseconds(300), longestCall: Self.longestCall)
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(5000))
        return listening
    }

    /// The time of the clock, once it is beyond that point.
    private func clock(of listening: Listening, beyond seconds: Double) async -> Double? {
        await listening.eventually { ($0.reading().clock ?? .zero) > .seconds(seconds) }
            ? listening.reading().clock?.seconds : nil
    }

    private func silences(_ listening: Listening) -> Int {
        listening.count { if case .audioOutput(let route) = $0 { route.device == nil } else { false } }
    }

    /// Where the samples of a listener belong that follow the silence behind `before`, and how many zeros that was.
    private func place(in heard: [Int32], after before: Int) throws -> (first: Int, silent: Int) {
        let numbers = heard[before...].map { Int(($0 &+ 0x8000) >> 16) }
        let silent = try #require(numbers.firstIndex { $0 != 0 })
        return (numbers[silent], silent)
    }

    @Test func whilePlayingAudioGoesOnInSilenceAndIsTakenUpAgain() async throws {
        let listening = try await playing(8)
        listening.script.freeze()
        let stood = listening.script.played / 48000
        #expect(await listening.hears { if case .audioOutput(let route) = $0, route.device == nil { true } else { nil } } == true)
        #expect(await clock(of: listening, beyond: stood + 0.5) != nil)
        let before = listening.script.heard.count
        listening.script.thaw()
        #expect(await listening.plays(before + 40_000))
        let (clock, played) = listening.reading()
        let found = try place(in: listening.script.heard, after: before + 8640)
        let place = Double(found.first - found.silent) + played - Double(before + 8640)
        let apart = (try #require(clock).seconds * 48000 - place).truncatingRemainder(dividingBy: 32768)
        // An underrun meanwhile is silence that is not reckoned with: a machine that held up the thread of sound makes one.
        let isDisturbed = listening.script.xrunCount > 0 && !listening.punctuality.kept(.milliseconds(36))
        #expect(min(abs(apart), 32768 - abs(apart)) < 1440 || isDisturbed, "\(apart / 48) ms")
        listening.end()
    }

    @Test func beforeTheStartTheVideoBeginsInSilence() async throws {
        let listening = try Listening(try tone(8), patience: .milliseconds(300), longestCall: Self.longestCall)
        listening.script.freeze()
        listening.begin(1, at: 0)
        #expect(await listening.primed(1))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await clock(of: listening, beyond: 0.3) != nil)
        // The server still holds the call: nobody waited for it.
        #expect(listening.script.waiting == 1)
        listening.script.thaw()
        #expect(await listening.plays(20_000))
        listening.end()
    }

    @Test func aSeekLandsOnWhatStandsIn() async throws {
        let listening = try await playing(8, devices: 2)
        listening.script.freeze()
        listening.begin(2, at: 3)
        #expect(await listening.primed(2))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await listening.plays(9600, of: 1))
        let (clock, played) = listening.reading(of: 1)
        #expect(abs(try #require(clock).seconds - 3 - played / 48000) < 0.03 + listening.slack)
        listening.script.thaw()
        let before = listening.script.heard.count
        #expect(await listening.plays(before + 9600))
        listening.end()
    }

    /// The device takes its time to say what it has not played; the picture does not wait for that.
    @Test func aPauseStandsAtOnce() async throws {
        let listening = try await playing(4)
        listening.script.freeze()
        let at = try #require(listening.reading().clock)
        listening.pipeline.change { $0.clockRuns = false }
        #expect(await listening.eventually { $0.synchronizer.anchor(epoch: Epoch(1))?.rate == 0 })
        let stands = try #require(listening.reading().clock)
        // The server has not come back: the clock stands without its answer, and where it was, give or take the machine's turns.
        #expect(await listening.eventually { $0.script.waiting >= 1 })
        #expect((stands - at).magnitude < Self.longestCall + .milliseconds(200) + listening.punctuality.worst.scaled(by: 10))
        listening.pipeline.change { $0.clockRuns = true }
        #expect(await clock(of: listening, beyond: stands.seconds + 0.3) != nil)
        #expect(silences(listening) == 1)
        listening.script.thaw()
        listening.end()
    }

    @Test func theEndDoesNotWaitForIt() async throws {
        let listening = try await playing(4)
        listening.script.freeze()
        // Joins its threads while the server is stopped: with a wait for the server this would never come back.
        listening.end()
        #expect(listening.script.waiting >= 1)
        listening.script.thaw()
    }

    /// However often sound is asked for again meanwhile, one thread waits in front of the server, and one that was left in a call.
    @Test func threadsDoNotPileUp() async throws {
        let listening = try await playing(8)
        listening.script.freeze()
        for epoch in 2..<8 as Range<UInt64> {
            listening.begin(epoch, at: Double(epoch) / 4)
            #expect(await listening.primed(epoch))
            listening.pipeline.change { state in
                state.clockRuns = true
                state.audioRevision += 1
            }
        }
        #expect(listening.script.waiting <= 2, "\(listening.script.waiting)")
        listening.script.thaw()
        #expect(await listening.plays(listening.script.heard.count + 9600))
        listening.end()
    }
}
