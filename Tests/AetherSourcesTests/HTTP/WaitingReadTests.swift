import AetherCore
import AetherTestSupport
import Glibc
import Testing

@testable import AetherSources

/// A read that waits is given its bytes without the ring, once the reader has shown that it does not go back.
@Suite struct WaitingReadTests {
    private static let bytes = TestOrigin.pattern(0..<20_000_000)

    /// A reading of a file whose first `read` bytes were read one after the other, and a read of 10 000 that waits for more.
    private final class Stage {
        var reading: HTTPReading
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 10_000, alignment: 16)
        var started: [Int64] = []

        init(read: Int, rate: Int? = nil) throws {
            var options = HTTPOptions()
            (options.ringSize, options.rateLimit) = (100_000, rate)
            let numbers = Monitor(0)
            reading = HTTPReading(
                try #require(WebAddress("http://host/video")), options: options, memory: WebMemory(HeldRoom(limit: 0)),
                reserve: {
                    numbers.update {
                        $0 += 1; return $0
                    }
                }, jitter: { 0.5 })
            _ = reading.turn(nil, now: HostTime(nanoseconds: 0))
            answer(1, from: 0)
            while reading.position < read {
                let start = Int(reading.position)
                send(1, start..<min(start + 10_000, read))
                guard case .success? = turn() else { break }
            }
            #expect(turn() == nil && reading.position == read)
        }

        deinit { room.deallocate() }

        func answer(_ number: Int, from offset: Int) {
            let size = WaitingReadTests.bytes.count, range = "bytes \(offset)-\(size - 1)/\(size)"
            reading.take(
                HTTPHead(status: 206, fields: ["content-range": range, "etag": "\"a\""]), isPrivate: false, of: number,
                now: HostTime(nanoseconds: 0))
        }

        func send(_ number: Int, _ range: Range<Int>) {
            let receipt = WaitingReadTests.bytes[range].withUnsafeBytes {
                reading.take($0, of: number, now: HostTime(nanoseconds: 0))
            }
            #expect(receipt == .taken)
        }

        /// One look of the read; what it brings is checked.
        func turn() -> Result<Int, IOReaderError>? {
            let start = Int(reading.position)
            let turn = reading.turn(room, now: HostTime(nanoseconds: 0))
            for case .start(_, let order) in turn.effects { started.append(order.offset ?? -1) }
            if case .success(let count)? = turn.outcome {
                #expect(WaitingReadTests.bytes.withUnsafeBytes { memcmp($0.baseAddress! + start, room.baseAddress!, count) } == 0)
            }
            return turn.outcome
        }
    }

    private static let streak = Int(WaitingRead.streak)

    /// The rest of a piece that fills the buffer goes through the ring, and is next.
    @Test func piecesGoStraightIntoTheBufferAndTheRestIntoTheRing() throws {
        let stage = try Stage(read: Self.streak)
        stage.send(1, Self.streak..<Self.streak + 6000)
        #expect(stage.reading.flows[0].ring.unread == 0)
        stage.send(1, Self.streak + 6000..<Self.streak + 12_000)
        #expect(stage.reading.flows[0].ring.unread == 2000)
        stage.send(1, Self.streak + 12_000..<Self.streak + 13_000)
        #expect(stage.turn() == .success(10_000))
        #expect(stage.turn() == .success(3000))
        #expect(stage.turn() == nil && stage.started.isEmpty)
    }

    /// Short of the streak, and where a rate is kept, everything passes through the ring.
    @Test(arguments: [(1 << 20, nil), (streak - 1, nil), (1 << 20, 100_000_000)] as [(Int, Int?)])
    func othersReadThroughTheRing(_ read: Int, _ rate: Int?) throws {
        let stage = try Stage(read: read, rate: rate)
        stage.send(1, read..<read + 6000)
        #expect(stage.reading.flows[0].ring.unread == 6000)
        #expect(stage.turn() == .success(6000))
    }

    /// Behind a jump the streak begins anew; a place that went past the ring is asked for.
    @Test func goingBackAsksAnewAndEndsTheStreak() throws {
        let stage = try Stage(read: Self.streak)
        stage.send(1, Self.streak..<Self.streak + 6000)
        #expect(stage.turn() == .success(6000))
        stage.reading.seek(to: Int64(Self.streak) + 1000)
        #expect(stage.turn() == nil && stage.started == [Int64(Self.streak) + 1000])
        stage.answer(2, from: Self.streak + 1000)
        #expect(stage.turn() == nil)
        stage.send(2, Self.streak + 1000..<Self.streak + 5000)
        #expect(stage.reading.flows.last?.ring.unread == 4000)
        #expect(stage.turn() == .success(4000))
    }

    /// Bytes that came before are delivered; the next read is refused.
    @Test func aReadThatHasItsBytesIsDoneWhenItIsCancelled() throws {
        let stage = try Stage(read: Self.streak)
        stage.send(1, Self.streak..<Self.streak + 6000)
        stage.reading.isCancelled = true
        #expect(stage.turn() == .success(6000))
        #expect(stage.turn() == .failure(.cancelled))
        stage.reading.isCancelled = false
        stage.send(1, Self.streak + 6000..<Self.streak + 7000)
        #expect(stage.turn() == .success(1000))
    }

    /// A buffer that is gone is written no more: neither behind the end of its read, nor when the reader was closed.
    @Test func whatIsClosedWritesNothing() throws {
        let stage = try Stage(read: Self.streak)
        _ = stage.reading.close()
        #expect(stage.reading.waiting == nil)
        #expect(stage.turn() == .failure(.closed))
        #expect(stage.reading.waiting == nil)
    }
}
