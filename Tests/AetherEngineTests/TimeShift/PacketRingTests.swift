import AetherCore
import AetherMedia
import Testing

@testable import AetherEngine

/// The past of a live source in a file of a bounded size.
@Suite struct PacketRingTests {
    private static let video = StreamID(source: 0, number: 0), audio = StreamID(source: 0, number: 1)

    private func ring(_ memory: RingMemory, capacity: Int64 = 4 << 20, span: Double = 3600) -> PacketRing {
        PacketRing(memory, capacity: capacity, span: .seconds(span), lead: Self.video, leadHasKeys: true)
    }

    /// Ten packets a second of video, a key frame each second, and audio between them.
    @discardableResult
    private func fill(_ ring: inout PacketRing, _ seconds: Range<Int>, bytes: Int32 = 1000) throws -> [PacketRing.Loss] {
        var losses: [PacketRing.Loss] = []
        for tenth in seconds.lowerBound * 10..<seconds.upperBound * 10 {
            for stream in 0...1 {
                let packet = try packet(
                    stream: stream, pts: Int64(tenth * 100), bytes: stream == 0 ? bytes : 100,
                    isKey: stream == 1 || tenth % 10 == 0)
                let record = try #require(PacketRecord.bytes(of: packet))
                let mark = PacketRing.Mark(
                    stream: packet.stream, time: packet.dts, shown: packet.pts, isKey: packet.isKey)
                if let loss = ring.append(record, mark) { losses.append(loss) }
            }
        }
        return losses
    }

    /// The times of the video packets from a point on, in milliseconds.
    private func times(_ ring: PacketRing, from place: PacketRing.Place) -> [Int64] {
        var place = place, times: [Int64] = []
        while let (bytes, next) = ring.record(at: place) {
            place = next
            guard let head = PacketRecord.head(of: bytes), head.stream == Self.video, let time = head.time else { continue }
            times.append(time.nanoseconds / 1_000_000)
        }
        return times
    }

    @Test func aTargetIsPlayedFromTheKeyFrameBefore() throws {
        let memory = RingMemory()
        var ring = ring(memory)
        try fill(&ring, 0..<20)
        let (point, next) = try #require(ring.point(for: .seconds(7.5)))
        #expect(point.time == .seconds(7) && next?.time == .seconds(8))
        #expect(times(ring, from: point.start).last == 19_900)
        #expect(times(ring, from: point.key).first == 7000)
        #expect(ring.range == .zero ... .seconds(19.9))
        #expect(ring.point(for: .seconds(-5))?.entry.time == .zero)
        #expect(ring.point(for: .seconds(99))?.entry.time == .seconds(19))
    }

    @Test func packetsComeBackAsTheyWere() throws {
        let memory = RingMemory()
        var ring = ring(memory), shelf = PacketShelf()
        try fill(&ring, 0..<1)
        let (bytes, _) = try #require(ring.record(at: PacketRing.Place()))
        let packet = try #require(PacketRecord.packet(bytes, epoch: Epoch(7), in: &shelf))
        #expect(packet.epoch == Epoch(7) && packet.stream == Self.video && packet.isKey && packet.byteCount == 1000)
        #expect(packet.pts == .zero && packet.timeBase == TimeBase(1, 1000))
    }

    @Test func theFileNeverGetsLongerThanItMay() throws {
        let memory = RingMemory()
        var ring = ring(memory, capacity: 1 << 20)
        try fill(&ring, 0..<1000)
        #expect(memory.count <= 1 << 20)
        let range = try #require(ring.range)
        // A second takes 13 KB: 80 of them, less the group of pictures that is being written over.
        #expect(range.upperBound == .seconds(999.9) && (60...90).contains((range.upperBound - range.lowerBound).seconds))
        let first = try #require(ring.oldest)
        #expect(times(ring, from: first.key) == (Int64(first.time.seconds * 10)..<10_000).map { $0 * 100 })
        #expect(!ring.holds(PacketRing.Place()))
    }

    @Test func whatIsOlderThanTheSpanIsGivenUp() throws {
        let memory = RingMemory()
        var ring = ring(memory, capacity: 64 << 20, span: 30)
        try fill(&ring, 0..<300)
        let range = try #require(ring.range)
        #expect((29...31).contains((range.upperBound - range.lowerBound).seconds))
    }

    @Test func aFileWhoseFrontIsFreeIsUsedAgainBeforeItGrows() throws {
        let memory = RingMemory()
        var ring = ring(memory, capacity: 1 << 30, span: 30)
        try fill(&ring, 0..<400, bytes: 100_000)
        // 30 s are 30 MB.
        #expect(memory.count < 64 << 20)
        #expect(times(ring, from: try #require(ring.oldest).key).count >= 300)
    }

    @Test func aFullDiskNarrowsTheWindow() throws {
        let memory = RingMemory(room: 2 << 20)
        var ring = ring(memory, capacity: 64 << 20)
        try fill(&ring, 0..<1000)
        #expect(ring.isNarrowed && ring.capacity <= 2 << 20)
        #expect(ring.range?.upperBound == .seconds(999.9))
        let first = try #require(ring.oldest)
        #expect(times(ring, from: first.key).last == 999_900)
    }

    @Test(arguments: [RingFault.full, .system(13), .system(5)])
    func aDiskThatCannotBeWrittenIsToldOnceAndMemoryTakesItsPlace(fault: RingFault) throws {
        let memory = RingMemory(room: 500_000, fault: fault)
        var ring = ring(memory, capacity: 64 << 20)
        let losses = try fill(&ring, 0..<3000, bytes: 2000)
        #expect(losses == [.unwritable(fault)])
        // 23 KB a second: the last 32 MB of it, in memory.
        let range = try #require(ring.range)
        #expect(range.upperBound == .seconds(2999.9) && (1000...1700).contains((range.upperBound - range.lowerBound).seconds))
        let first = try #require(ring.oldest)
        #expect(times(ring, from: first.key) == (Int64(first.time.seconds * 10)..<30_000).map { $0 * 100 })
    }

    @Test func whatLiesOnADiskThatCannotBeWrittenAnyMoreIsStillRead() throws {
        var ring = ring(RingMemory(room: 500_000, fault: .system(5)))
        try fill(&ring, 0..<45)
        #expect(ring.range?.lowerBound == .zero)
        #expect(times(ring, from: PacketRing.Place()) == (0..<450).map { $0 * 100 })
    }

    @Test func aPlaceThatCannotBeReadIsPassedToTheNextKeyFrame() throws {
        let memory = RingMemory()
        var ring = ring(memory)
        try fill(&ring, 0..<10)
        let (point, next) = try #require(ring.point(for: .seconds(4)))
        memory.damage(point.start.offset..<(try #require(next)).start.offset)
        #expect(ring.record(at: point.start) == nil)
        #expect(ring.placeBehindDamage(at: point.start) == next?.start)
        #expect(ring.placeBehindDamage(at: ring.end) == nil)
    }

    @Test func ofAudioAloneTwoPointsASecondAreKnown() throws {
        var ring = PacketRing(RingMemory(), capacity: 4 << 20, span: .seconds(60), lead: Self.audio, leadHasKeys: false)
        for number in 0..<1000 {
            let packet = try packet(stream: 1, pts: Int64(number * 20), isKey: true)
            let record = try #require(PacketRecord.bytes(of: packet))
            ring.append(
                record,
                PacketRing.Mark(stream: packet.stream, time: packet.dts, shown: packet.pts, isKey: true))
        }
        #expect((35...42).contains(ring.points.count))
        #expect(ring.point(for: .seconds(10.3))?.entry.time == .seconds(10))
    }
}
