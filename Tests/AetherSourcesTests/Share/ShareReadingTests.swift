import AetherTestSupport
import Testing

@testable import AetherSources

/// How much of a share is asked for, when, and of which program.
@Suite("Share reading")
struct ShareReadingTests {
    private static let size: Int64 = 1 << 30

    /// Gives every piece that is asked for and reads it. Returns what was asked for, in its order.
    private func readOn(_ reading: inout ShareReading, _ bytes: Int64, microseconds: UInt64) -> [ShareReading.Order] {
        var orders: [ShareReading.Order] = []
        let end = min(reading.position + bytes, reading.size)
        while reading.position < end {
            orders += reading.requests()
            for piece in reading.pieces where !piece.isThere {
                let isWhole = reading.take(piece.number, piece.count, in: microseconds, lane: piece.lane)
                #expect(isWhole)
            }
            let part = reading.read(512 << 10)
            #expect(part != nil)
        }
        return orders
    }

    private func counts(_ orders: [ShareReading.Order]) -> [Int] {
        orders.map { if case .read(_, _, let count, _) = $0.request { Int(count) } else { 0 } }
    }

    @Test("Behind a jump pieces begin small, and 4 MiB are asked for")
    func start() {
        var reading = ShareReading(size: Self.size)
        let orders = reading.requests(), more = reading.requests()
        #expect(orders.first == ShareReading.Order(lane: 0, request: .read(number: 1, offset: 0, count: 64 << 10, place: 0)))
        #expect(counts(orders) == [64 << 10, 256 << 10, 1 << 20, 1 << 20, 1 << 20] && more.isEmpty)
    }

    @Test("A jump within what was asked for keeps it, another one takes it back")
    func jumps() {
        var reading = ShareReading(size: Self.size)
        let orders = reading.requests(), kept = reading.seek(to: 100_000)
        #expect(kept == nil)
        let next = UInt32(orders.count + 1)
        let forgotten = reading.seek(to: 50 << 20), first = reading.requests().first
        #expect(forgotten == .forget(before: next))
        #expect(first?.request == .read(number: next, offset: 50 << 20, count: 64 << 10, place: 0))
        let isWhole = reading.take(next, 1, in: 1, lane: 0)
        #expect(!isWhole)
    }

    @Test("What comes fast is asked for in pieces of 8 MiB in the end, what comes slowly in such of 1 MiB")
    func growth() {
        var fast = ShareReading(size: Self.size), slow = fast
        let quick = counts(readOn(&fast, 100 << 20, microseconds: 20_000))
        #expect(quick.last == 8 << 20 && zip(quick, quick.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(fast.pieces.reduce(0) { $0 + $1.count } <= ShareMemory.size)
        let late = counts(readOn(&slow, 100 << 20, microseconds: 90_000))
        #expect(late.max() == 1 << 20 && slow.pieces.reduce(0) { $0 + $1.count } <= 4 << 20)
        let isWanted = slow.wantsSecond()
        #expect(!isWanted)
        _ = fast.seek(to: 500 << 20)
        let orders = fast.requests()
        #expect(counts(orders) == [64 << 10, 256 << 10, 1 << 20, 1 << 20, 1 << 20])
    }

    @Test("A second program is wanted once on a fast link, and gets every other piece")
    func second() {
        var reading = ShareReading(size: Self.size)
        var wishes = [reading.wantsSecond()]
        _ = readOn(&reading, 10 << 20, microseconds: 20_000)
        wishes += [reading.wantsSecond(), reading.wantsSecond()]
        #expect(wishes == [false, true, false] && !reading.hasSecond)
        reading.second(isThere: true)
        let orders = readOn(&reading, 200 << 20, microseconds: 20_000)
        #expect(reading.hasSecond && abs(orders.count { $0.lane == 0 } - orders.count { $0.lane == 1 }) <= 3)
        #expect(reading.pieces.reduce(0) { $0 + $1.count } <= 32 << 20)
        // Its server is gone: the next program is alone again, and may have another beside it.
        reading.restart()
        let first = reading.requests()
        #expect(first.allSatisfy { $0.lane == 0 } && !reading.hasSecond)
        _ = readOn(&reading, 20 << 20, microseconds: 20_000)
        wishes = [reading.wantsSecond()]
        reading.second(isThere: false)
        reading.restart()
        _ = readOn(&reading, 20 << 20, microseconds: 20_000)
        wishes += [reading.wantsSecond()]
        #expect(wishes == [true, false])
    }

    @Test("Behind a jump the program that has nothing to do is asked")
    func idle() {
        var reading = ShareReading(size: Self.size)
        _ = readOn(&reading, 60 << 20, microseconds: 20_000)
        reading.second(isThere: true)
        _ = reading.seek(to: 500 << 20)
        _ = reading.requests()
        // The first one is at work for nobody.
        for piece in reading.pieces where piece.lane == 1 && !piece.isThere {
            _ = reading.take(piece.number, piece.count, in: 20_000, lane: 1)
        }
        let isBusy = reading.pieces.contains { $0.lane == 0 && !$0.isThere }
        _ = reading.seek(to: 900 << 20)
        let order = reading.requests().first
        #expect(isBusy && order?.lane == 1)
    }

    @Test("Whatever comes in whatever order, the bytes are those of the file, and no place holds two pieces")
    func order() throws {
        var random = SeededRandom(seed: 3), reading = ShareReading(size: 300 << 20), left: [ShareReading.Order] = []
        for step in 0..<4000 {
            left += reading.requests()
            for (index, one) in reading.pieces.enumerated() {
                for other in reading.pieces[(index + 1)...] where other.lane == one.lane {
                    #expect(other.place >= one.place + one.count || one.place >= other.place + other.count)
                }
                #expect(one.place >= 0 && one.place + one.count <= ShareMemory.size)
            }
            if let piece = reading.pieces.filter({ !$0.isThere }).randomElement(using: &random) {
                let took = UInt64.random(in: 1000...40_000, using: &random)
                let isWhole = reading.take(piece.number, piece.count, in: took, lane: piece.lane)
                #expect(isWhole)
            }
            let position = reading.position, first = reading.pieces.first
            if let part = reading.read(.random(in: 1...2_000_000, using: &random)), part.count > 0 {
                let piece = try #require(first)
                #expect(part.lane == piece.lane && part.place == piece.place + Int(position - piece.offset))
            }
            if reading.wantsSecond() { reading.second(isThere: true) }
            if step % 500 == 499 { _ = reading.seek(to: .random(in: 0...(300 << 20), using: &random)) }
        }
        #expect(reading.hasSecond && !left.isEmpty)
    }
}

@Suite("Share pace and room")
struct SharePaceTests {
    @Test(
        "A piece is as long as the server gives in 100 ms, within bounds",
        arguments: [
            (100_000, 1), (40_000, 2), (20_000, 4), (10_000, 8), (1, 8), (0, 8), (1_000_000, 1),
        ] as [(UInt64, Int)])
    func pieces(_ microsecondsPerMiB: UInt64, _ expected: Int) {
        var pace = SharePace()
        for _ in 0..<6 { pace.note(pace.piece, in: microsecondsPerMiB * UInt64(pace.piece >> 20)) }
        #expect(pace.piece == expected << 20)
        // Small pieces are all round trip, and say nothing of the link.
        pace.note(64 << 10, in: 1)
        #expect(pace.piece == expected << 20)
    }

    @Test("One lucky answer makes a piece four times as long, and no more; a slow one shortens it at once")
    func lucky() {
        var pace = SharePace()
        pace.note(1 << 20, in: 0)
        #expect(pace.piece == 4 << 20)
        for _ in 0..<3 { pace.note(pace.piece, in: 0) }
        pace.note(8 << 20, in: 700_000)
        #expect(pace.piece == 1 << 20)
    }

    @Test("The window grows with what was read in sequence", arguments: [(0, 4), (1, 4), (2, 8), (4, 16), (8, 32), (900, 32)])
    func window(_ run: Int64, _ expected: Int) {
        var pace = SharePace()
        #expect(pace.window(run: run << 20) == 4 << 20)
        for _ in 0..<3 { pace.note(pace.piece, in: 0) }
        #expect(pace.window(run: run << 20) == expected << 20)
        #expect(pace.next(after: 8 << 20, run: run << 20) == expected << 18)
    }

    @Test("Places follow each other, wrap, and never lie over one that is held")
    func places() {
        var room = ShareRoom(size: 100)
        var places = [room.take(60), room.take(30), room.take(20), room.take(0), room.take(101)]
        #expect(places == [0, 60, nil, nil, nil])
        room.giveBack()
        places = [room.take(60), room.take(20), room.take(11)]
        #expect(places == [0, nil, nil])
        room.giveBack()
        places = [room.take(41), room.take(40)]
        #expect(places == [nil, 60])
        room.clear()
        places = [room.take(100)]
        room.giveBack()
        room.giveBack()
        places += [room.take(1)]
        #expect(places == [0, 0])
    }
}
