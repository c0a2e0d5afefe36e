import AetherCore
import Testing

@testable import AetherEngine

@Suite struct LoopMarksTests {
    @Test func theFirstMarkBeginsTheSecondEndsTheThirdTakesAway() {
        let table: [(marks: [Double], start: Double?, end: Double?)] = [
            ([], nil, nil), ([3], 3, nil), ([3, 8], 3, 8), ([8, 3], 3, 8), ([3, 3.1], 3, nil), ([3, 8, 9], nil, nil),
            ([3, 8, 9, 4], 4, nil),
        ]
        for row in table {
            var loop = LoopMarks()
            for mark in row.marks { _ = loop.mark(.seconds(mark)) }
            #expect(loop.start == row.start.map { .seconds($0) } && loop.end == row.end.map { .seconds($0) }, "\(row.marks)")
        }
    }

    @Test func whoIsBehindTheLoopPlaysOn() {
        var loop = LoopMarks()
        #expect(loop.turn(from: .zero) == nil)
        for mark in [3.0, 8] { _ = loop.mark(.seconds(mark)) }
        #expect(loop.turn(from: .zero) == .seconds(8) && loop.turn(from: .seconds(5)) == .seconds(8))
        #expect(loop.turn(from: .seconds(8)) == nil && loop.turn(from: .seconds(9)) == nil)
    }
}

@Suite struct LoopDecisionTests {
    private func plan(_ target: Double, end: Double? = nil) -> SeekPlan {
        SeekPlan(target: .seconds(target), landing: .exact, end: end.map { .seconds($0) })
    }

    @Test func theSecondMarkGoesBackAndTheEndAlwaysDoes() {
        var play = Play.landed()
        #expect(play.say(.markLoop, at: 3) == [])
        #expect(play.say(.markLoop, at: 8) == [.begin(Epoch(2), plan(3, end: 8))])
        for epoch in 3...5 as ClosedRange<UInt64> {
            _ = play.land()
            _ = play.finish(.video, at: 8)
            #expect(play.finish(.audio, at: 8) == [.begin(Epoch(epoch), plan(3, end: 8))])
        }
        #expect(play.machine.phase == .seeking)
    }

    @Test func withoutTheLoopTheRestIsPlayed() {
        var play = Play.landed()
        for mark in [3.0, 20] { _ = play.say(.markLoop, at: mark) }
        _ = play.land()
        #expect(play.say(.markLoop, at: 10) == [.setEnd(nil)])
        // Near its end what lies behind was left out already.
        for mark in [3.0, 20] { _ = play.say(.markLoop, at: mark) }
        _ = play.land()
        #expect(play.say(.markLoop, at: 19) == [.begin(Epoch(4), plan(19))])
    }

    @Test func aSeekBehindTheLoopLeavesItAndBeforeItRunsIntoIt() {
        var play = Play.landed()
        for mark in [3.0, 20] { _ = play.say(.markLoop, at: mark) }
        _ = play.land()
        #expect(play.say(.seek(to: .seconds(50), .exact)) == [.begin(Epoch(3), plan(50))])
        _ = play.land()
        _ = play.finish(.video, at: 100)
        _ = play.finish(.audio, at: 100)
        #expect(play.machine.phase == .ended)
        #expect(play.say(.seek(to: .seconds(1), .exact)) == [.begin(Epoch(4), plan(1, end: 20))])
    }

    @Test func theEndThatWasAskedForIsTheEndOfEveryEpoch() {
        var shape = Play.film
        shape.stop = .seconds(60)
        var play = Play.landed(shape)
        #expect(play.say(.seek(to: .seconds(9), .exact)) == [.begin(Epoch(2), plan(9, end: 60))])
    }

    @Test func aVideoThatRepeatsBeginsAgainWithItsMark() {
        var play = Play.landed()
        #expect(play.say(.markLoop, at: 3) == [])
        #expect(play.say(.setRepeating(true)) == [])
        _ = play.finish(.video, at: 100)
        #expect(play.finish(.audio, at: 100) == [.begin(Epoch(2), plan(0))])
        #expect(play.machine.phase != .ended && play.machine.loop.start == .seconds(3))
        _ = play.land()
        #expect(play.say(.setRepeating(false)) == [])
        _ = play.finish(.video, at: 100)
        _ = play.finish(.audio, at: 100)
        #expect(play.machine.phase == .ended)
    }

    @Test(arguments: ["audio alone", "a pipe"])
    func whatRepeatsOnlyOnDemandEnds(_ what: String) {
        var shape = Play.film
        if what == "audio alone" { shape.hasVideo = false }
        if what == "a pipe" { shape.isSeekable = false }
        var play = Play.landed(shape)
        _ = play.say(.setRepeating(true))
        _ = play.finish(.video, at: 100)
        _ = play.finish(.audio, at: 100)
        #expect(play.machine.phase == .ended)
    }

    @Test func aPauseAtTheEndBeginsAnewWhereItIsPlayed() {
        var play = Play.landed()
        _ = play.say(.setRepeating(true))
        _ = play.say(.pause)
        _ = play.finish(.video, at: 100)
        _ = play.finish(.audio, at: 100)
        #expect(play.machine.phase == .paused && play.say(.stepFrame(1), at: 100) == [])
        #expect(play.say(.play) == [.begin(Epoch(2), plan(0))])
    }

    @Test func whatCannotSeekHasNoLoop() {
        var shape = Play.film
        shape.isSeekable = false
        var play = Play.landed(shape)
        #expect(play.say(.markLoop, at: 3) == [.notice("this source cannot seek")])
    }
}

@Suite struct SeekEventTests {
    private func outcomes(_ play: Play) -> [[SeekEvent.Outcome]] {
        (1...max(1, play.news.map(\.id).max() ?? 1)).map { id in play.news.filter { $0.id == id }.map(\.outcome) }
    }

    @Test func eachOfABurstHasOneOutcome() {
        var play = Play.landed()
        for target in [10.0, 20, 30, 40] { _ = play.say(.seek(to: .seconds(target), .exact)) }
        _ = play.land()
        _ = play.land(pts: 39.96)
        #expect(
            outcomes(play) == [
                [.began, .landed(renderedTime: .seconds(10))], [.superseded], [.superseded],
                [.began, .landed(renderedTime: .seconds(39.96))],
            ])
        #expect(play.news.last?.target == .seconds(40))
    }

    @Test func aSeekDuringTheLoadIsKept() {
        var play = Play(unopened: ())
        _ = play.say(.seek(to: .seconds(5), .exact))
        _ = play.say(.seekToFraction(0.5))
        #expect(
            play.handle(.opened(Play.film, start: nil)) == [.begin(Epoch(1), SeekPlan(target: .seconds(50), landing: .exact))])
        _ = play.land()
        #expect(outcomes(play) == [[.superseded], [.began, .landed(renderedTime: .seconds(50))]])
    }

    @Test func whatCannotSeekRejects() {
        var shape = Play.film
        shape.isSeekable = false
        var play = Play.landed(shape)
        _ = play.say(.seek(to: .seconds(5), .exact))
        #expect(outcomes(play) == [[.rejected]])
        // A point in memory can be reached.
        let held = Holdings(range: .seconds(2)...(.seconds(9)))
        _ = play.handle(.command(.seek(to: .seconds(5), .exact), position: .seconds(8), shown: nil, held: held))
        _ = play.land()
        #expect(outcomes(play)[1] == [.began, .landed(renderedTime: .seconds(5))])
    }

    @Test func aSourceThatFailsStallsThemAndAnotherOneSupersedesThem() {
        for fails in [true, false] {
            var play = Play.landed()
            for target in [10.0, 20] { _ = play.say(.seek(to: .seconds(target), .exact)) }
            let failure = MediaError(.decodeFailed, "decode")
            if fails {
                for stage in [StageKind.video, .audio] { _ = play.handle(.lost(stage, play.machine.epoch, failure)) }
            } else {
                _ = play.abandon()
            }
            let last: SeekEvent.Outcome = fails ? .stalled : .superseded
            #expect(outcomes(play) == [[.began, last], [last]])
        }
    }

    @Test func whatNobodyAskedForIsNotTold() {
        var play = Play.landed()
        for mark in [3.0, 20] { _ = play.say(.markLoop, at: mark) }
        _ = play.land()
        _ = play.say(.stepFrame(-1), at: 5, shown: 5)
        _ = play.land()
        #expect(play.news.isEmpty)
    }
}
