import AetherCore
import AetherMedia
import Testing

@testable import AetherEngine

/// Seeks that show a key frame at once and land exactly, and seeks that begin further back.
@Suite struct RefinedSeekTests {
    private func exact(_ target: Double) -> SeekPlan {
        var plan = SeekPlan(target: .seconds(target), landing: .exact)
        plan.isRefined = true
        return plan
    }

    /// The key frame of the seek that is on its way is on screen.
    private func landOnKey(_ play: inout Play, _ pts: Double) -> [PlaybackEffect] {
        _ = play.handle(.landedOnKey(play.machine.epoch))
        return play.land(pts: pts)
    }

    @Test(arguments: [true, false]) func theKeyFrameComesFirstAndThenTheTarget(plays: Bool) {
        var play = Play.landed(wantsToPlay: plays)
        _ = play.say(.skip(by: .seconds(-5), .refined), at: 12)
        #expect(landOnKey(&play, 5) == [.begin(Epoch(3), exact(7))])
        #expect(play.machine.phase == .seeking)
        #expect(!play.news.contains { $0.outcome != .began })
        #expect(play.land(pts: 7).contains(.holdMonotonic(at: .seconds(7))))
        #expect(play.news.map(\.outcome) == [.began, .landed(renderedTime: .seconds(7))])
        #expect(play.machine.phase == (plays ? .playing : .paused))
    }

    @Test func aShareOfTheDurationIsMetExactly() {
        var play = Play.landed(wantsToPlay: false)
        _ = play.say(.seekToFraction(0.6))
        #expect(landOnKey(&play, 58) == [.begin(Epoch(3), exact(60))])
    }

    @Test func aHeldKeyIsShownKeyFramesAndMetExactlyWhereItRests() {
        var play = Play.landed(wantsToPlay: false)
        _ = play.say(.skip(by: .seconds(5), .refined), at: 10)
        _ = play.say(.skip(by: .seconds(5), .refined), at: 10)
        // The second waits: its key frame is next.
        let floor = SeekPlan.Landing.keyframe(tolerance: SeekPlan.keyframeTolerance, floor: .seconds(10), ceiling: nil)
        var next = SeekPlan(target: .seconds(20), landing: floor)
        next.isRefined = true
        #expect(landOnKey(&play, 14) == [.begin(Epoch(3), next)])
        #expect(landOnKey(&play, 18) == [.begin(Epoch(4), exact(20))])
        // Pressed once more on the way: nobody waits for the exact frame.
        next.target = .seconds(25)
        #expect(play.say(.skip(by: .seconds(5), .refined), at: 10) == [.begin(Epoch(5), next)])
        #expect(landOnKey(&play, 24) == [.begin(Epoch(6), exact(25))])
        _ = play.land(pts: 25)
        let outcomes = play.news.filter { $0.outcome != .began }
        #expect(
            outcomes.map(\.outcome) == [
                .landed(renderedTime: .seconds(14)), .superseded, .landed(renderedTime: .seconds(25)),
            ])
        #expect(play.machine.phase == .paused)
    }

    @Test func whatLandsOnItsTargetNeedsNoMore() {
        var play = Play.landed(wantsToPlay: false)
        _ = play.say(.skip(by: .seconds(5), .refined), at: 10)
        #expect(!play.land(pts: 15).contains { if case .begin = $0 { true } else { false } })
        #expect(play.machine.phase == .paused)
    }

    /// One picture for the whole of a podcast: it is on screen at every target.
    @Test(arguments: [SeekPrecision.refined, .keyframe], [true, false])
    func aFrameThatHasStoodForLongDoesNotTakeTheClockBack(_ accuracy: SeekPrecision, hasAudio: Bool) {
        var shape = Play.film
        shape.hasAudio = hasAudio
        var play = Play.landed(shape, wantsToPlay: false)
        _ = play.say(.skip(by: .seconds(5), accuracy), at: 12)
        #expect(play.land(pts: 0) == [.holdMonotonic(at: .seconds(17))])
        #expect(play.machine.phase == .paused)
    }

    @Test func aSeekByKeyFramesStaysWhereItLands() {
        var play = Play.landed(wantsToPlay: false)
        _ = play.say(.skip(by: .seconds(5), .keyframe), at: 10)
        #expect(!landOnKey(&play, 14).contains { if case .begin = $0 { true } else { false } })
    }

    @Test func stepsThatWereAskedForMeanwhileBeginAtTheTarget() {
        var play = Play.landed(wantsToPlay: false)
        _ = play.say(.skip(by: .seconds(5), .refined), at: 10)
        _ = play.say(.stepFrame(1))
        _ = landOnKey(&play, 14)
        #expect(play.land(pts: 15).contains(.showNextFrame))
    }

    @Test func aFrameThatNeedsAnEarlierKeyFrameBeginsThereUnderTheSameNumber() throws {
        var play = Play.landed(wantsToPlay: false)
        _ = play.say(.seek(to: .seconds(9.98), .exact))
        let plan = SeekPlan(target: .seconds(9.98), landing: .exact).mayRetreat(to: .zero)
        let earlier = try #require(plan.retreated(begun: .seconds(9.88), firstFrame: .seconds(10)))
        #expect(earlier.demuxTarget == .seconds(9.879))
        #expect(play.handle(.fellShort(Epoch(2), earlier)) == [.begin(Epoch(3), earlier)])
        #expect(play.handle(.fellShort(Epoch(2), earlier)) == [])
        _ = play.land(pts: 9.96)
        #expect(play.news.map(\.outcome) == [.began, .landed(renderedTime: .seconds(9.96))])
    }

    @Test func onlyExactPlansBehindTheStartMayBeginFurtherBack() {
        let key = SeekPlan.Landing.keyframe(tolerance: .seconds(1), floor: nil, ceiling: nil)
        #expect(SeekPlan(target: .seconds(5), landing: key).mayRetreat(to: .zero).retreat == nil)
        #expect(SeekPlan(target: .seconds(5), landing: .exact).mayRetreat(to: .seconds(5)).retreat == nil)
        let back = SeekPlan(target: .seconds(10), landing: .frameBefore).mayRetreat(to: .zero)
        #expect(back.retreated(begun: .seconds(9.88), firstFrame: .seconds(10))?.demuxTarget == .seconds(9.879))
        #expect(SeekPlan(target: .seconds(5), landing: .exact).retreated(begun: .seconds(4), firstFrame: .seconds(6)) == nil)
    }
}
