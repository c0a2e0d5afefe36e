import AetherCore
import AetherTestSupport
import Testing

@testable import AetherEngine

/// The news of a source's playback, and the cases in which an end is not reported.
@Suite struct PlaybackNewsTests {
    private static let failure = MediaError(.readFailed, "read packet")

    @Test(
        arguments: [
            // Once begun, once ended, whatever lies between.
            ([.loading, .playing, .paused, .playing, .ended, .ended], [.began, .ended(nil)]),
            ([.loading, .seeking, .rebuffering, .playing, .seeking, .playing], [.began]),
            // Back from the end it ends again.
            ([.playing, .ended, .seeking, .playing, .ended], [.began, .ended(nil), .ended(nil)]),
            ([.loading, .error(failure), .error(failure)], [.failed(failure, midway: true)]),
            ([.paused, .ended], [.ended(nil)]), ([.idle, .loading], []),
        ] as [([PlaybackPhase], [PlaybackNews.Turn])])
    func eachTurnIsToldOnce(_ phases: [PlaybackPhase], _ expected: [PlaybackNews.Turn]) {
        var told = ToldTurns()
        #expect(phases.compactMap { told.turn($0, breakOff: nil, hasOutput: true) } == expected)
    }

    @Test func anEndThatCameTooEarlySaysWhy() {
        var told = ToldTurns()
        #expect(told.turn(.ended, breakOff: Self.failure, hasOutput: true) == .ended(Self.failure))
        told = ToldTurns()
        #expect(told.turn(.error(Self.failure), breakOff: nil, hasOutput: false) == .failed(Self.failure, midway: false))
    }

    @Test func ofWhatNobodyTakesTheNewestStay() {
        var state = PublishedState()
        for load in 1...300 {
            state.load = load
            state.tell(.began)
        }
        #expect(state.news.map(\.load) == Array(45...300))
    }

    /// Both stages are done without a single frame: the sentence, and no "ended".
    @Test func anEndToWhichNothingHasLedIsAFailure() {
        var play = Play()
        _ = play.handle(.finished(.audio, play.machine.epoch, at: nil))
        _ = play.handle(.finished(.video, play.machine.epoch, at: nil))
        #expect(
            play.machine.error
                == MediaError(.decodeFailed, "play", reason: "nothing in it can be seen or heard"))
        #expect(!play.machine.hasEnded)
    }

    @Test func whyReadingBrokeOffIsTheReason() {
        var play = Play()
        _ = play.handle(.brokeOff(Self.failure))
        _ = play.handle(.finished(.audio, play.machine.epoch, at: nil))
        _ = play.handle(.finished(.video, play.machine.epoch, at: nil))
        #expect(play.machine.phase == .error(Self.failure))
        // Where something was seen it is an end, of which that is known.
        var seen = Play.landed()
        _ = seen.handle(.brokeOff(Self.failure))
        _ = seen.handle(.finished(.audio, seen.machine.epoch, at: nil))
        _ = seen.handle(.finished(.video, seen.machine.epoch, at: nil))
        #expect(seen.machine.phase == .ended && seen.machine.breakOff == Self.failure)
    }

    /// Behind the last frame there is none, and that is nobody's fault.
    @Test func aStartBehindEverythingIsAnEnd() {
        var machine = PlaybackStateMachine()
        _ = machine.handle(.opened(Play.film, start: .seconds(99)))
        _ = machine.handle(.finished(.audio, machine.epoch, at: nil))
        _ = machine.handle(.finished(.video, machine.epoch, at: nil))
        #expect(machine.phase == .ended)
    }

    @Test func aStreamIsGivenUpWhereNothingOfItWasDecoded() {
        let refusal = MediaError(.decodeFailed, "decode", reason: "Invalid data")
        var damaged = DecoderYield()
        damaged.refuse(refusal)
        #expect(damaged.failure(of: "video vp9")?.description == "cannot decode ‘video vp9’: Invalid data")
        damaged.frames = 1
        #expect(damaged.failure(of: "video vp9") == nil)
        // Nothing was sent; a first packet that is no frame yet; many that never are.
        #expect(DecoderYield().failure(of: "x") == nil)
        var few = DecoderYield()
        few.packets = 1
        #expect(few.failure(of: "x") == nil)
        few.packets = 20
        #expect(few.failure(of: "x") != nil)
    }
}
