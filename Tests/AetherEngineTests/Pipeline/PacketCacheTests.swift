import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine

/// A cache that an expectation can change.
private final class Rig {
    var cache = PacketCache()

    init(limit: Int = 4 << 20) {
        cache.limit = limit
        cache.keep(active: [0, 1], alternates: [1, 2])
    }

    /// A picture of 1000 bytes every 40 ms with a key each second, two sound tracks of 100 bytes every 20 ms.
    func add(_ range: Range<Int>) throws {
        for number in range {
            let time = Int64(number) * 20
            if number % 2 == 0 { cache.append(try packet(stream: 0, pts: time, bytes: 1000, isKey: number % 50 == 0)) }
            for stream in 1...2 { cache.append(try packet(stream: stream, pts: time, bytes: 100, isKey: true)) }
        }
    }

    /// Lets both decoders take what lies before a point.
    func play(until seconds: Double) {
        for stream in cache.active {
            while let next = cache.lanes[stream]?.next, next < .seconds(seconds) { _ = cache.pop(stream) }
        }
    }

    func move(_ seconds: Double) -> Bool { cache.move(to: .seconds(seconds), video: 0) }
    func next(_ stream: StreamID) -> MediaTime? { cache.lanes[stream]?.next }
    var range: ClosedRange<MediaTime>? { cache.range(video: 0) }
    var total: Int { cache.queuedBytes + cache.keptBytes }
}

@Suite struct PacketCacheTests {
    @Test func whatWasTakenIsKeptAndGivenAgain() throws {
        let rig = Rig()
        try rig.add(0..<500)
        rig.play(until: 8)
        #expect(rig.cache.queuedBytes == 50 * 1000 + 100 * 100)
        #expect(rig.cache.keptBytes == 200 * 1000 + 400 * 100 + 500 * 100)
        #expect(rig.range == .seconds(0)...(.seconds(9.96)))
        // Pictures begin at the key, sound a little before the target.
        #expect(rig.move(3.5))
        #expect(rig.next(0) == .seconds(3))
        #expect(rig.next(1) == .seconds(3.4))
        #expect(rig.cache.queuedBytes == 175 * 1000 + 330 * 100)
        // And forward.
        #expect(rig.move(9.5))
        #expect(rig.next(0) == .seconds(9))
        #expect(rig.cache.pop(0)?.isKey == true)
    }

    /// Each packet that comes into a full cache drops one, and moves no other. Arrays that grow double, so that they move a few times in all.
    @Test func aFullCacheIsNotCopiedForEachPacket() throws {
        let rig = Rig(limit: 500_000)
        try rig.add(0..<500)
        rig.play(until: 10)
        var address = rig.cache.lanes[1]?.address, moves = 0
        for number in 500..<3000 {
            try rig.add(number..<number + 1)
            rig.play(until: Double(number) * 0.02)
            let now = rig.cache.lanes[1]?.address
            if now != address { moves += 1 }
            address = now
        }
        #expect(rig.cache.lanes[1]?.hasPast == true && moves <= 16, "\(moves)")
    }

    @Test func whatIsNotHeldMovesNothing() throws {
        let rig = Rig()
        #expect(!rig.move(0))
        #expect(rig.range == nil)
        try rig.add(0..<500)
        rig.play(until: 5)
        #expect(!rig.move(10.5))
        #expect(rig.next(0) == .seconds(5))
        // At the end of the source all that lies behind is its end.
        rig.cache.end()
        #expect(rig.move(10.5))
        #expect(rig.next(0) == .seconds(9))
        rig.cache.removeAll()
        #expect(!rig.move(1))
        #expect(rig.total == 0)
    }

    @Test func aPlanIsLedToTheKeyFrameBehindItsTargetIfThatIsHeld() throws {
        let rig = Rig()
        try rig.add(0..<500)
        func target(_ seconds: Double, floor: Double) -> MediaTime {
            let landing = SeekPlan.Landing.keyframe(tolerance: .seconds(2.5), floor: .seconds(floor), ceiling: nil)
            return rig.cache.snapped(SeekPlan(target: .seconds(seconds), landing: landing), video: 0).target
        }
        #expect(target(3.5, floor: 3.2) == .seconds(4))
        #expect(target(3.5, floor: 2.8) == .seconds(3.5))
        // None is behind this one, and nothing is held there.
        #expect(target(9.5, floor: 9.2) == .seconds(9.5))
        #expect(target(20, floor: 19.5) == .seconds(20))
        // Pictures reach further than sound.
        for number in stride(from: 500, through: 510, by: 2) {
            rig.cache.append(try packet(stream: 0, pts: Int64(number) * 20, bytes: 1000, isKey: number == 500))
        }
        #expect(target(9.5, floor: 9.2) == .seconds(9.5))
    }

    @Test func memoryIsBoundedInSumAndTheOldestGoesFirst() throws {
        let rig = Rig(limit: 350_000)
        for number in 0..<2000 {
            try rig.add(number..<number + 1)
            rig.play(until: Double(number) / 50 - 0.5)
            #expect(rig.cache.footprint <= 350_000)
        }
        // 35 kB and 150 packets a second: the last seconds of everything.
        let range = try #require(rig.range)
        let held = 350_000 / (35_000 + 150 * Double(PacketCache.packetOverhead))
        #expect((range.lowerBound - .seconds(40 - held)).magnitude < .seconds(1.5), "\(range)")
        #expect(rig.move(range.lowerBound.seconds))
        #expect(!rig.move(30))
        #expect(rig.cache.holdsAudio(2, at: .seconds(39.4)))
        #expect(!rig.cache.holdsAudio(2, at: .seconds(30)))
    }

    @Test(arguments: [
        (nil as Int?, true, true, CacheBudget.forStreams, true), (nil, true, false, CacheBudget.forStreams, true),
        (nil, false, false, CacheBudget.forStreams, true), (nil, false, true, CacheBudget.forFiles, false),
        (0, false, true, 0, true), (9_000_000, false, true, 9_000_000, true), (9_000_000, true, false, 9_000_000, true),
        (-1, false, true, 0, true),
    ])
    func filesAreKeptByTheSystem(_ asked: Int?, _ mayStall: Bool, _ isSeekable: Bool, _ bytes: Int, _ countsWaiting: Bool) {
        let budget = CacheBudget(asked: asked, mayStall: mayStall, isSeekable: isSeekable, isLocal: true)
        #expect(budget.bytes == bytes && budget.countsWaiting == countsWaiting)
    }

    /// The memory that a person gives is for all that was read: for packets, and for heads and tails of servers' files.
    @Test(arguments: [
        (nil as Int?, 9 << 20, 55 << 20), (400_000_000, 9 << 20, 400_000_000 - (9 << 20)), (16_000_000, 4_000_000, 12_000_000),
        (0, 0, 0),
        (-1, 0, 0),
    ])
    func theReadersOfServersHaveTheirPartOfIt(_ asked: Int?, _ held: Int, _ packets: Int) {
        #expect(CacheBudget.heldLimit(asked: asked) == held)
        #expect(CacheBudget(asked: asked, mayStall: true, isSeekable: true, isLocal: false).bytes == packets)
    }

    /// Without that, a second of a large file would push out all that was played, and the other sound tracks.
    @Test func whatWaitsMayComeOnTop() throws {
        let rig = Rig(limit: 300_000)
        rig.cache.countsWaiting = false
        for number in 0..<1000 {
            try rig.add(number..<number + 1)
            rig.play(until: Double(number) / 50 - 5)
        }
        // Five seconds of pictures and sound wait, 150 kB.
        #expect(rig.cache.queuedBytes == 150_100)
        #expect(rig.cache.footprint <= 450_100 && rig.cache.footprint > 430_000)
        #expect(rig.cache.holdsAudio(2, at: .seconds(15)) && rig.move(14.5))
    }

    @Test func tracksThatNobodyHearsGoBeforeWhatIsAwaited() throws {
        let rig = Rig(limit: 20_000)
        try rig.add(0..<50)
        // 25 kB of pictures and 5 kB of sound wait: all of it is there, and of the other track nothing.
        #expect(rig.cache.queuedBytes == 30_000)
        #expect(rig.cache.keptBytes == 0)
        #expect(!rig.cache.holdsAudio(2, at: .zero))
        // Later packets of the stream would have a hole before them.
        try rig.add(50..<60)
        #expect(rig.cache.lanes[2]?.isEmpty == true)
    }

    @Test func anotherTrackIsHeardFromWhereOneIs() throws {
        let rig = Rig()
        try rig.add(0..<500)
        rig.play(until: 5)
        #expect(rig.cache.holdsAudio(2, at: .seconds(5)))
        #expect(!rig.cache.holdsAudio(2, at: .seconds(11)) && !rig.cache.holdsAudio(7, at: .seconds(5)))
        rig.cache.keep(active: [0, 2], alternates: [1, 2])
        rig.cache.joinAudio(2, at: .seconds(5))
        #expect(rig.next(2) == .seconds(4.9))
        #expect(rig.next(0) == .seconds(5))
        // And back.
        #expect(rig.cache.holdsAudio(1, at: .seconds(5)))
    }

    @Test func withoutMemoryNothingIsKept() throws {
        let rig = Rig(limit: 0)
        rig.cache.keep(active: [0, 1], alternates: [1, 2])
        try rig.add(0..<100)
        rig.play(until: 1)
        #expect(rig.cache.keptBytes == 0)
        #expect(rig.cache.lanes[2] == nil)
        #expect(!rig.move(1.5))
        #expect(rig.range == nil)
    }

    // MARK: - Standing by

    /// Adds a stretch as a source that stands by does.
    private func stood(_ rig: Rig, _ range: Range<Int>, depth: Double, bytes: Int = 1 << 20) throws {
        for number in range {
            try rig.add(number..<number + 1)
            rig.cache.stand(.seconds(depth), video: 0, bytes: bytes)
        }
    }

    @Test(arguments: [(1.5, 500, 8.0), (0.5, 500, 9), (2.5, 500, 7), (1.5, 470, 7), (3, 100, 0)])
    func aSourceThatStandsByHoldsFromAKeyFrameOn(_ depth: Double, _ count: Int, _ start: Double) throws {
        let rig = Rig()
        try stood(rig, 0..<count, depth: depth)
        #expect(rig.cache.standingStart(video: 0) == .seconds(start))
        #expect(rig.cache.keptBytes == rig.cache.lanes[2]?.byteCount && rig.next(0) == .seconds(start))
        #expect(rig.next(1) == .seconds(max(0, start - 0.2)))
        // A seek there is one that the cache serves.
        #expect(rig.move(start))
    }

    @Test func aStretchWithoutAKeyFrameIsNotHeldForever() throws {
        let rig = Rig()
        // 100 packets of a key frame each second are 50 KB: the depth of 9 s is more than may be held.
        try stood(rig, 0..<500, depth: 9, bytes: 200_000)
        #expect(rig.cache.queuedBytes <= 200_000 + 1200)
        #expect(rig.cache.standingStart(video: 0).map { $0 > .seconds(5) } == true)
    }

    @Test func audioAloneIsHeldByItsTimes() throws {
        let cache = Rig().cache
        var alone = cache
        alone.keep(active: [1], alternates: [])
        for number in 0..<500 {
            alone.append(try packet(stream: 1, pts: Int64(number) * 20, bytes: 100, isKey: true))
            alone.stand(.seconds(1.5), video: nil, bytes: 1 << 20)
        }
        let start = try #require(alone.standingStart(video: nil))
        #expect(start >= .seconds(8.3) && start <= .seconds(8.7), "\(start.seconds)")
        let isHeld = alone.move(to: start, video: nil)
        #expect(isHeld)
    }
}
