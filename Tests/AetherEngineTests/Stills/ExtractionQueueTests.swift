import AetherCore
import Testing

@testable import AetherEngine

@Suite struct ExtractionQueueTests {
    private func at(_ milliseconds: Double) -> HostTime { HostTime(nanoseconds: 0) + .milliseconds(milliseconds) }
    private func submit(_ queue: inout ExtractionQueue, _ seconds: Double, at now: HostTime) -> (replaced: Int?, breaksOff: Bool)
    {
        let (replaced, breaksOff) = queue.submit(.thumbnail(.seconds(seconds), width: 320), at: now) { _ in }
        return (replaced?.number, breaksOff)
    }

    @Test func oneWaitsAndANewerTakesItsPlace() {
        var queue = ExtractionQueue()
        #expect(submit(&queue, 1, at: at(0)) == (nil, false))
        #expect(submit(&queue, 2, at: at(100)) == (1, false))
        #expect(queue.take()?.wish == .thumbnail(.seconds(2), width: 320))
        #expect(queue.take() == nil)
    }

    @Test func aNewerOneBreaksOffTheWorkButNotTheOpeningOfTheSource() {
        var queue = ExtractionQueue()
        _ = submit(&queue, 1, at: at(0))
        _ = queue.take()
        #expect(submit(&queue, 2, at: at(100)) == (nil, true))
        queue.work = .opening
        #expect(submit(&queue, 3, at: at(200)) == (2, false))
    }

    @Test func aHandThatMovesIsWaitedForAndOneStepIsNot() {
        var queue = ExtractionQueue()
        _ = submit(&queue, 1, at: at(0))
        #expect(queue.dueAt == at(0))
        _ = submit(&queue, 2, at: at(10))
        #expect(queue.dueAt == at(35))
        _ = submit(&queue, 3, at: at(100))
        #expect(queue.dueAt == at(100))
    }

    @Test func whoeverWaitsForEachAnswerIsNoHand() {
        var queue = ExtractionQueue()
        _ = submit(&queue, 1, at: at(0))
        _ = queue.take()
        queue.finish(at: at(20))
        _ = submit(&queue, 2, at: at(21))
        #expect(queue.dueAt == at(21))
        _ = queue.take()
        queue.finish(at: at(30))
        _ = submit(&queue, 3, at: at(35))
        #expect(queue.dueAt == at(60))
        // The next report of a pointer, just behind a quick answer.
        _ = queue.take()
        queue.finish(at: at(68))
        _ = submit(&queue, 4, at: at(70))
        _ = queue.take()
        queue.finish(at: at(78))
        _ = submit(&queue, 4, at: at(80))
        #expect(queue.dueAt == at(105))
        // One that breaks off another waited for nothing.
        _ = queue.take()
        _ = submit(&queue, 4, at: at(116))
        #expect(queue.dueAt == at(141))
    }

    @Test func whoeverSaysThatItWaitsIsNoHand() {
        var queue = ExtractionQueue()
        _ = submit(&queue, 1, at: at(0))
        _ = queue.submit(.thumbnail(.seconds(2), width: 320), at: at(5), isAwaited: true) { _ in }
        #expect(queue.dueAt == at(5))
    }

    @Test func afterTheStopNothingIsTakenInOrOut() {
        var queue = ExtractionQueue()
        _ = submit(&queue, 1, at: at(0))
        #expect(queue.stop()?.number == 1)
        #expect(submit(&queue, 2, at: at(1)).replaced == 2)
        #expect(queue.take() == nil)
    }
}
