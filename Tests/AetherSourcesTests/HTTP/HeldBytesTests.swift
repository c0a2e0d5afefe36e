import AetherTestSupport
import Testing

@testable import AetherSources

@Suite struct HeldBytesTests {
    private func bytes(_ range: Range<Int>) -> [UInt8] { TestOrigin.pattern(range) }

    private func read(_ held: HeldBytes, at offset: Int64, _ count: Int) -> [UInt8] {
        var room = [UInt8](repeating: 0, count: count)
        let found = room.withUnsafeMutableBytes { held.read(from: offset, into: $0) }
        return Array(room[..<found])
    }

    @Test func headAndTailStayAndTheMiddleDoesNot() {
        var held = HeldBytes(head: 100, tail: 50), room = 1000
        bytes(0..<1000).withUnsafeBytes { held.keep($0, at: 0, size: 1000, room: &room) }
        #expect(held.count == 150 && room == 850)
        #expect(read(held, at: 10, 200) == bytes(10..<100))
        #expect(read(held, at: 100, 10) == [])
        #expect(read(held, at: 960, 200) == bytes(960..<1000))
    }

    @Test func piecesInAnyOrderBecomeOne() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            var held = HeldBytes(head: 300, tail: 200), room = 10_000
            var model = Set<Int>()
            for _ in 0..<20 {
                let start = random.below(1000), end = min(1000, start + 1 + random.below(300))
                bytes(start..<end).withUnsafeBytes { held.keep($0, at: Int64(start), size: 1000, room: &room) }
                model.formUnion((start..<end).filter { $0 < 300 || $0 >= 800 })
            }
            #expect(held.count == model.count && room == 10_000 - held.count)
            for offset in stride(from: 0, to: 1000, by: 37) {
                let run = (offset..<1000).prefix { model.contains($0) }.count
                #expect(read(held, at: Int64(offset), 1000) == bytes(offset..<offset + run))
            }
        }
    }

    @Test func noMoreIsHeldThanThereIsRoomFor() {
        var held = HeldBytes(head: 100, tail: 50), room = 120
        bytes(0..<1000).withUnsafeBytes { held.keep($0, at: 0, size: 1000, room: &room) }
        #expect(held.count == 120 && room == 0)
        #expect(read(held, at: 0, 200) == bytes(0..<100) && read(held, at: 950, 200) == bytes(950..<970))
        bytes(0..<1000).withUnsafeBytes { held.keep($0, at: 0, size: 1000, room: &room) }
        #expect(held.count == 120 && room == 0)
    }

    /// Films, separate audio and stills of one load have one memory, and what they took comes back.
    @Test func allReadersOfOneLoadShareTheRoom() throws {
        let origin = try TestOrigin(["/a": .bytes(bytes(0..<200_000)), "/b": .bytes(bytes(0..<200_000))])
        var options = HTTPOptions()
        options.heldRoom = HeldRoom(limit: 150_000)
        do {
            let first = try HTTPReader(origin.address + "/a", options: options)
            let second = try HTTPReader(origin.address + "/b", options: options)
            #expect(try readAll(first, piece: 20_000) == bytes(0..<200_000) && options.heldRoom.held == 150_000)
            #expect(try readAll(second, piece: 20_000) == bytes(0..<200_000) && options.heldRoom.held == 150_000)
            // What is held is not asked for again; what is not is.
            let asked = origin.requests.count
            let third = try HTTPReader(origin.address + "/a", options: options)
            var room = [UInt8](repeating: 0, count: 1000)
            #expect(try room.withUnsafeMutableBytes { try third.read($0) } == 1000 && origin.requests.count == asked)
        }
        #expect(options.heldRoom.held == 0)
    }

    @Test func aRingKeepsWhatIsUnreadAndGivesTheRestUp() {
        let ring = ByteRing(capacity: 100)
        func put(_ range: Range<Int>) -> Bool { bytes(range).withUnsafeBytes { ring.append($0) } }
        func get(_ offset: Int64, _ count: Int) -> [UInt8] {
            var room = [UInt8](repeating: 0, count: count)
            let found = room.withUnsafeMutableBytes { ring.read(from: offset, into: $0) }
            return Array(room[..<found])
        }
        #expect(put(0..<80) && !put(80..<101) && ring.free == 20)
        #expect(get(0, 50) == bytes(0..<50) && ring.free == 70)
        #expect(put(80..<130))
        // The last ones read are still there, as far as there is room.
        #expect(get(30, 20) == bytes(30..<50) && get(29, 1) == [])
        #expect(get(50, 200) == bytes(50..<130) && ring.unread == 0)
        ring.move(to: 60)
        #expect(ring.unread == 70 && ring.free == 30 && ring.reaches(130) && !ring.reaches(131))
    }
}
