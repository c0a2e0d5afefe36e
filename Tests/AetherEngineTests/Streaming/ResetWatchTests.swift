import AetherCore
import Testing

@testable import AetherEngine

@Suite("Discontinuities of a broadcast")
struct ResetWatchTests {
    private func watch(isLead: Bool = true, _ continuities: [Int64], isGrowing: Bool = true) -> ResetWatch {
        var watch = ResetWatch(isLead: isLead)
        for next in continuities { watch.enter(next, isGrowing: isGrowing) }
        return watch
    }

    @Test("Another continuity is told once")
    func once() {
        var watch = watch([4, 4])
        let first = watch.take()
        #expect(!first, "the first one is none, nor the same one again")
        watch.enter(5, isGrowing: true)
        let (second, third) = (watch.take(), watch.take())
        #expect(second && !third)
    }

    @Test("Neither a source that is complete nor one beside the lead tells any")
    func silent() {
        var complete = watch([4, 5], isGrowing: false)
        var beside = watch(isLead: false, [4, 5])
        beside.beginAnew()
        let told = [complete.take(), beside.take()]
        #expect(told == [false, false])
    }

    @Test("After a seek the next continuity may be any")
    func moved() {
        var watch = watch([4])
        watch.move()
        watch.enter(9, isGrowing: true)
        let isTold = watch.take()
        #expect(!isTold)
    }

    @Test("A server that counts anew is told, and the continuity behind it with that")
    func anew() {
        var watch = watch([4])
        watch.beginAnew()
        watch.enter(0, isGrowing: true)
        let (first, second) = (watch.take(), watch.take())
        #expect(first && !second)
    }
}

@Suite("Segments that could not be had")
struct SegmentLossesTests {
    @Test("Three in a row are passed by, and one that was read begins anew")
    func limit() {
        var losses = SegmentLosses()
        for _ in 0..<3 { losses.add(MediaError(.readFailed, "read")) }
        #expect(!losses.areTooMany)
        losses.end()
        #expect(losses.reason != nil, "why nothing could be had at all is still known")
        for _ in 0..<4 { losses.add(MediaError(.readFailed, "read")) }
        #expect(losses.areTooMany)
    }
}
