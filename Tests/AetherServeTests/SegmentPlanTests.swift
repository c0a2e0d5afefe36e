import AetherCore
import AetherTestSupport
import Testing

@testable import AetherServe

@Suite struct SegmentPlanTests {
    private func plan(_ keys: [Double], end: Double, tolerance: TimeSpan = .milliseconds(2)) -> SegmentPlan {
        SegmentPlan(keys: keys.map { (.seconds($0), 0) }, end: .seconds(end), tolerance: tolerance)
    }

    private static let plans: [([Double], Double, [Double])] = [
        ([0, 2, 4, 6, 8], 10, [0, 4, 8]), ([0, 10, 20], 25, [0, 10, 20]), ([0, 1, 2, 3, 4, 5], 6, [0, 4]),
        ([0, 3.9, 8], 9, [0, 3.9, 8]), ([0, 4, 8], 8.2, [0, 4]), ([5], 6, [5]),
        // The next key frame comes too late: the one before it is a border.
        ([0, 3, 13, 23], 25, [0, 3, 13, 23]), ([0, 3, 6.2, 9], 12, [0, 3, 9]), ([0, 0.5, 10], 12, [0, 10]),
        ([0, 3, 6, 9], 12, [0, 6]),
    ]

    @Test(arguments: plans)
    func bordersAreKeyFramesSomeFourSecondsApart(_ keys: [Double], _ end: Double, _ starts: [Double]) {
        #expect(plan(keys, end: end).starts == starts.map { MediaTime.seconds($0) })
    }

    @Test func everyTimeLiesInOneSegment() {
        let plan = plan([0, 4, 8], end: 10)
        #expect(plan.number(at: .seconds(-1), isKey: false) == 0)
        #expect(plan.number(at: .seconds(3.999), isKey: false) == 0 && plan.number(at: .seconds(3.999), isKey: true) == 1)
        #expect(plan.number(at: .seconds(4), isKey: false) == 1 && plan.number(at: .seconds(99), isKey: false) == 2)
        #expect(plan.range(2) == .seconds(8) ..< .seconds(10) && plan.range(3) == nil && plan.range(-1) == nil)
    }

    @Test func aPlanThatGrowsHidesItsLastSegment() {
        var plan = SegmentPlan()
        plan.add(key: .seconds(0))
        #expect(plan.count == 0 && !plan.isComplete)
        plan.add(key: .seconds(4))
        plan.add(key: .seconds(5), isForced: true)
        #expect(plan.count == 2)
        plan.finish(at: .seconds(7), ended: 1)
        #expect(plan.forms == [0, 0, 1])
        plan.add(key: .seconds(20))
        #expect(plan.count == 3 && plan.longest == .seconds(4))
    }

    @Test func aNewFormBeginsASegmentOfItsOwn() {
        let plan = SegmentPlan(
            keys: [(0, 0), (4, 0), (6, 1), (10, 1), (10.2, 0)].map { (.seconds($0.0), $0.1) }, end: .seconds(10.4))
        #expect(plan.starts == [0, 4, 6, 10, 10.2].map { .seconds($0) } && plan.forms == [0, 0, 1, 1, 0])
    }

    @Test func tracksThatChangeCloseToEachOtherChangeOnce() {
        func form(_ number: Int) -> TrackForm { TrackForm(format: number, header: nil) }
        var watch = FormWatch([0: form(0), 1: form(0)])
        watch.open(at: .zero)
        for second in 0..<4 {
            watch.note(form(0), of: 0, at: .seconds(Double(second)))
            watch.note(form(0), of: 1, at: .seconds(Double(second)))
        }
        #expect(!watch.isDue && watch.isChange(form(1), of: 0) && watch.close(at: .seconds(4)) == 0)
        // The video has changed at the border, the audio a little behind it.
        watch.note(form(1), of: 0, at: .seconds(4))
        watch.note(form(0), of: 1, at: .seconds(4.1))
        for second in 5..<8 { watch.note(form(1), of: 1, at: .seconds(Double(second) - 0.7)) }
        #expect(!watch.isDue && watch.close(at: .seconds(8)) == 1)
        // And back, the audio well behind.
        watch.note(form(1), of: 1, at: .seconds(8))
        watch.note(form(0), of: 1, at: .seconds(9))
        #expect(watch.isDue && watch.close(at: .seconds(10)) == 1)
        watch.note(form(0), of: 0, at: .seconds(10))
        #expect(watch.close(at: .seconds(12)) == 0)
    }

    @Test func audioAloneIsCutEvenly() {
        #expect(SegmentPlan(even: .zero, end: .seconds(9)).starts == [.zero, .seconds(4), .seconds(8)])
    }

    @Test func theStoreForgetsWhatWasAskedForLongestAgo() {
        var store = SegmentStore(budget: 30)
        func key(_ number: Int) -> SegmentStore.Key { SegmentStore.Key(track: 0, number: number) }
        for number in 0..<3 { store.put([0: [UInt8](repeating: 0, count: 10)], number: number) }
        #expect(store.get(key(0)) != nil)
        store.put([0: [UInt8](repeating: 0, count: 10)], number: 3)
        #expect(store.has(key(0)) && !store.has(key(1)) && store.byteCount == 30)
        store.put([0: [UInt8](repeating: 0, count: 99)], number: 4)
        #expect(store.count == 1 && store.has(key(4)))
    }

    /// Video of 60 Mbit/s has more than the budget in a segment; its audio is cut with it, and is asked for next.
    @Test func theTracksOfACutStayTogether() {
        for tracks in 1...4 {
            var store = SegmentStore(budget: 30)
            store.put([0: [UInt8](repeating: 0, count: 9)], number: 0)
            let cut = Dictionary(uniqueKeysWithValues: (0..<tracks).map { ($0, [UInt8](repeating: 0, count: $0 == 0 ? 40 : 1)) })
            store.put(cut, number: 1)
            #expect(store.count == tracks && store.byteCount == 39 + tracks)
            store.put([0: [0]], number: 2)
            #expect(store.has(.init(track: 0, number: 2)) && store.byteCount <= 30)
        }
    }

    @Test func theUsualPortNeedNotBeNamed() {
        #expect(LoopbackServer.hosts(["localhost", "127.0.0.1"], port: 8200) == ["localhost:8200", "127.0.0.1:8200"])
        #expect(LoopbackServer.hosts(["10.0.0.2"], port: 80) == ["10.0.0.2:80", "10.0.0.2"])
    }
}
