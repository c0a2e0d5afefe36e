import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine

@Suite struct PlayPathTests {
    private static func stretch(_ from: Double, _ to: Double) -> Range<MediaTime> { .seconds(from) ..< .seconds(to) }

    @Test func pointsLeadIntoTheStretches() {
        let stretches = [Self.stretch(60, 70), Self.stretch(10, 20), Self.stretch(62, 64)]
        let table: [(from: Double, point: Double, enters: Double, end: Double)] = [
            (60, 65, 65, 70), (60, 15, 15, 20), (60, 0, 10, 20), (60, 20, 60, 70), (60, 99, 69.9, 70),
            // Twice there: where one is, or what comes next.
            (60, 63, 63, 70), (10, 63, 63, 64),
        ]
        for row in table {
            var path = PlayPath(stretches)
            _ = path.enter(.seconds(row.from))
            #expect(path.enter(.seconds(row.point)) == .seconds(row.enters), "\(row)")
            #expect(path.end == .seconds(row.end), "\(row)")
        }
    }

    @Test func itGoesFromOneToTheNext() {
        var path = PlayPath([Self.stretch(60, 70), Self.stretch(10, 10), Self.stretch(10, 20)])
        #expect(path.first == .seconds(60) && path.advance() == .seconds(10) && path.start == .seconds(10))
        #expect(path.advance() == nil && path.end == .seconds(20))
        path.rewind()
        #expect(path.end == .seconds(70))
        var whole = PlayPath()
        #expect(whole.isWhole && whole.end == nil && whole.advance() == nil && whole.enter(.seconds(5)) == .seconds(5))
    }
}

/// An ordered edition in the machine: what begins where.
@Suite struct EditionDecisionTests {
    private static let stretches: [Range<MediaTime>] = [.seconds(60) ..< .seconds(70), .seconds(10) ..< .seconds(20)]

    private func plan(_ target: Double, end: Double?, _ landing: SeekPlan.Landing = .exact) -> SeekPlan {
        SeekPlan(target: .seconds(target), landing: landing, end: end.map { .seconds($0) })
    }

    private func title(_ id: Int, _ stretches: [Range<MediaTime>]) -> TitleShape {
        TitleShape(
            id: id, kind: .edition, startTime: .zero, duration: .seconds(100), hasVideo: true, hasAudio: true, videoStreams: [0],
            chapters: [ChapterInfo(id: 0, name: "", start: .seconds(7), duration: .zero)], stretches: stretches)
    }

    private func ordered() -> Play {
        var shape = Play.film
        shape.path = PlayPath(Self.stretches)
        return Play.landed(shape)
    }

    @Test func oneStretchFollowsTheOther() {
        var play = ordered()
        #expect(play.machine.handle(.stepped(Epoch(9), .zero)).isEmpty && play.machine.epoch == Epoch(1))
        _ = play.finish(.video, at: 70)
        #expect(play.finish(.audio, at: 70) == [.begin(Epoch(2), plan(10, end: 20))])
        _ = play.land()
        _ = play.finish(.video, at: 20)
        #expect(play.finish(.audio, at: 20) == [.holdMonotonic(at: .seconds(20))])
        #expect(play.machine.phase == .ended)
        // And from the beginning, which is not the file's.
        #expect(play.say(.play) == [.begin(Epoch(3), plan(60, end: 70))])
    }

    @Test func seeksStayInside() {
        var play = ordered()
        #expect(play.say(.seek(to: .seconds(15), .exact)) == [.begin(Epoch(2), plan(15, end: 20))])
        _ = play.land()
        #expect(play.say(.seek(to: .seconds(3), .exact)) == [.begin(Epoch(3), plan(10, end: 20))])
        _ = play.land()
        let before = MediaTime.seconds(10) - TimeSpan(nanoseconds: 1)
        let landing = SeekPlan.Landing.keyframe(tolerance: SeekPlan.keyframeTolerance, floor: before, ceiling: .seconds(20))
        #expect(play.say(.seek(to: .seconds(12), .keyframe)) == [.begin(Epoch(4), plan(12, end: 20, landing))])
    }

    @Test func aLoopEndsWhereItIsFirst() {
        var play = ordered()
        _ = play.say(.markLoop, at: 62)
        #expect(play.say(.markLoop, at: 65) == [.begin(Epoch(2), plan(62, end: 65))])
        _ = play.land()
        _ = play.finish(.video, at: 65)
        #expect(play.finish(.audio, at: 65) == [.begin(Epoch(3), plan(62, end: 65))])
    }

    @Test func editionsOfTheWholeFileChangeOnlyTheChapters() {
        var shape = Play.film
        (shape.titles, shape.title) = ([title(1, []), title(2, []), title(3, Self.stretches)], 1)
        var play = Play.landed(shape)
        #expect(play.say(.selectTitle(2), at: 30) == [.selectTitle(2)])
        #expect(play.machine.shape.chapters.map(\.start) == [.seconds(7)] && play.machine.phase == .playing)
        #expect(play.say(.selectTitle(3), at: 30) == [.selectTitle(3), .begin(Epoch(2), plan(60, end: 70))])
        _ = play.land()
        #expect(play.say(.selectTitle(1), at: 65) == [.selectTitle(1), .begin(Epoch(3), plan(65, end: nil))])
    }
}
