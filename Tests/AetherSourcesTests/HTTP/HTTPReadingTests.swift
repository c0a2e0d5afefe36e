import AetherCore
import AetherTestSupport
import Testing

@testable import AetherSources

/// The next steps of a reader, in virtual time: no socket, no thread.
@Suite struct HTTPReadingTests {
    /// A reading and the server that the test plays.
    private final class Stage {
        var reading: HTTPReading
        var now = HostTime(nanoseconds: 0)
        var orders: [(number: Int, order: TransferOrder)] = []
        var resumed: [Int] = []
        var dropped: [Int] = []
        let bytes = TestOrigin.pattern(0..<20_000_000)

        init(ringSize: Int = 1 << 20, rate: Int? = nil) throws {
            var options = HTTPOptions()
            (options.ringSize, options.rateLimit) = (ringSize, rate)
            let numbers = Monitor(0)
            reading = HTTPReading(
                try #require(WebAddress("http://host/film")), options: options, memory: WebMemory(),
                reserve: {
                    numbers.update {
                        $0 += 1; return $0
                    }
                }, jitter: { 0.5 })
        }

        /// One look, with its orders noted.
        @discardableResult func turn(_ count: Int?) -> (outcome: Result<Int, IOReaderError>?, deadline: HostTime?) {
            var room = [UInt8](repeating: 0, count: count ?? 0)
            let start = reading.position
            let turn = room.withUnsafeMutableBytes { reading.turn(count == nil ? nil : $0, now: now) }
            for effect in turn.effects {
                switch effect {
                case .start(let number, let order): orders.append((number, order))
                case .resume(let number): resumed.append(number)
                case .drop(let number): dropped.append(number)
                }
            }
            if case .success(let found) = turn.outcome, found > 0 {
                #expect(room[..<found].elementsEqual(bytes[Int(start)..<Int(start) + found]))
            }
            return (turn.outcome, turn.deadline)
        }

        func answer(_ number: Int, from offset: Int) {
            let range = "bytes \(offset)-\(bytes.count - 1)/\(bytes.count)"
            let head = HTTPHead(status: 206, fields: ["content-range": range, "etag": "\"a\""])
            reading.take(head, isPrivate: false, of: number, now: now)
        }

        func send(_ number: Int, _ range: Range<Int>) -> TransferReceipt {
            bytes[range].withUnsafeBytes { reading.take($0, of: number, now: now) }
        }

        func pass(_ span: TimeSpan) { now = now + span }

        /// Reads until nothing is there at once; returns how much came.
        func drain() -> Int {
            var sum = 0
            while case .success(let count)? = turn(100_000).outcome, count > 0 { sum += count }
            return sum
        }
    }

    private func opened(ringSize: Int = 1 << 20, rate: Int? = nil) throws -> Stage {
        let stage = try Stage(ringSize: ringSize, rate: rate)
        stage.turn(nil)
        stage.answer(1, from: 0)
        #expect(stage.turn(nil).outcome == .success(0))
        return stage
    }

    /// A server's clock drifts, or is set: what it says last is right. What a cache held is later by that.
    @Test func theNewestDateIsTheServersClock() throws {
        let stage = try Stage()
        stage.turn(nil)
        for (offset, date, age) in [(0, "Mon, 01 Jan 2024 00:00:10 GMT", "7"), (1000, "Mon, 01 Jan 2024 00:00:40 GMT", nil)] {
            var fields = ["content-range": "bytes \(offset)-19999999/20000000", "etag": "\"a\"", "date": date]
            fields["age"] = age
            if offset > 0 {
                #expect(stage.send(1, 0..<1000) == .taken && stage.drain() == 1000)
                stage.reading.take(.failed(NetworkFault(.brokeOff)), of: 1)
                stage.turn(1)
                stage.pass(.seconds(10))
                stage.turn(1)
            }
            let number = try #require(stage.orders.last?.number)
            stage.reading.take(HTTPHead(status: 206, fields: fields), isPrivate: false, of: number, now: stage.now)
            stage.turn(nil)
            let known = try #require(stage.reading.file?.date)
            #expect(known.text == date && known.age == (age == nil ? 0 : 7))
        }
    }

    /// Behind the answer before it a server had sent more: whatever lies on connections that are kept is not read.
    @Test func anAnswerThatMakesNoSenseIsAskedForOverAConnectionOfItsOwn() throws {
        let stage = try Stage()
        stage.turn(nil)
        stage.reading.take(.failed(NetworkFault(.badAnswer)), of: 1)
        stage.turn(nil)
        stage.pass(.seconds(1))
        stage.turn(nil)
        #expect(stage.orders.map(\.order.isFresh) == [false, true])
    }

    @Test func openingIsOneRequestForTheFirstByte() throws {
        let stage = try opened()
        #expect(stage.orders.count == 1 && stage.orders[0].order.offset == 0 && stage.orders[0].order.validator == nil)
        #expect(stage.reading.file?.size == 20_000_000 && stage.reading.file?.isSeekable == true)
    }

    @Test func aFullRingPausesTheTransferAndRoomResumesIt() throws {
        let stage = try opened(ringSize: 100_000)
        #expect(stage.send(1, 0..<90_000) == .taken)
        #expect(stage.send(1, 90_000..<106_000) == .later)
        stage.turn(30_000)
        #expect(stage.resumed.isEmpty)
        stage.turn(30_000)
        #expect(stage.resumed == [1])
        #expect(stage.send(1, 90_000..<106_000) == .taken)
        #expect(stage.drain() == 46_000)
    }

    @Test func silenceIsBorneForItsTimeAndThenAskedAbout() throws {
        let stage = try opened()
        #expect(stage.send(1, 0..<1000) == .taken)
        #expect(stage.drain() == 1000)
        #expect(stage.turn(10).deadline == stage.now + .seconds(15))
        stage.pass(.seconds(14.9))
        #expect(stage.turn(10).outcome == nil && stage.dropped.isEmpty)
        stage.pass(.seconds(0.2))
        // Given up; the next request comes after the ladder's first step.
        #expect(stage.turn(10).deadline == stage.now + .seconds(0.5) && stage.dropped == [1] && stage.orders.count == 1)
        stage.pass(.seconds(0.5))
        stage.turn(10)
        #expect(stage.orders.count == 2 && stage.orders[1].order.offset == 1000 && stage.orders[1].order.validator == "\"a\"")
    }

    /// A pause of the player is no silence of the server.
    @Test func theTimeInWhichNobodyReadsDoesNotCount() throws {
        let stage = try opened()
        #expect(stage.send(1, 0..<1000) == .taken)
        #expect(stage.drain() == 1000)
        _ = stage.send(1, 1000..<2000)
        #expect(stage.drain() == 1000)
        stage.reading.isCancelled = true
        #expect(stage.turn(10).outcome == .failure(.cancelled))
        stage.reading.isCancelled = false
        stage.pass(.seconds(3600))
        #expect(stage.turn(10).deadline == stage.now + .seconds(15))
        #expect(stage.dropped.isEmpty)
    }

    @Test func aLinkThatIsAwayForAMinuteCostsTimeAndNoByte() throws {
        let stage = try opened()
        #expect(stage.send(1, 0..<500_000) == .taken)
        stage.reading.take(.failed(NetworkFault(.brokeOff)), of: 1)
        #expect(stage.drain() == 500_000)
        let start = stage.now
        var number = 1
        while stage.now - start < .seconds(60) {
            guard stage.orders.last?.number != number else {
                let turn = stage.turn(10)
                #expect(turn.outcome == nil)
                if stage.orders.last?.number == number, let deadline = turn.deadline { stage.now = max(stage.now, deadline) }
                continue
            }
            number = try #require(stage.orders.last?.number)
            #expect(stage.orders.last?.order.offset == 500_000)
            stage.reading.take(.failed(NetworkFault(.unreachable)), of: number)
        }
        while stage.orders.last?.number == number {
            if let deadline = stage.turn(10).deadline { stage.now = max(stage.now, deadline) }
        }
        number = try #require(stage.orders.last?.number)
        stage.answer(number, from: 500_000)
        #expect(stage.send(number, 500_000..<600_000) == .taken)
        #expect(stage.drain() == 100_000)
        #expect(stage.orders.count < 20)
    }

    @Test func theFirstTransferWaitsWhileTheSecondFetchesTheIndex() throws {
        let stage = try opened()
        #expect(stage.send(1, 0..<50_000) == .taken)
        #expect(stage.drain() == 50_000)
        stage.reading.seek(to: 19_000_000)
        stage.turn(10)
        #expect(stage.orders.map { $0.order.offset } == [0, 19_000_000] && stage.dropped.isEmpty)
        // Parked: not a byte is taken.
        #expect(stage.send(1, 50_000..<60_000) == .later)
        stage.answer(2, from: 19_000_000)
        #expect(stage.send(2, 19_000_000..<19_100_000) == .taken)
        #expect(stage.drain() == 100_000)
        stage.reading.seek(to: 50_000)
        stage.turn(10)
        #expect(stage.resumed == [1] && stage.orders.count == 2)
        #expect(stage.send(1, 50_000..<60_000) == .taken)
        #expect(stage.drain() == 10_000)
        // A third place takes the older one's.
        stage.reading.seek(to: 10_000_000)
        stage.turn(10)
        #expect(stage.orders.count == 3 && stage.dropped == [1])
    }

    @Test func aFileThatChangesEndsTheReading() throws {
        let stage = try opened()
        stage.reading.take(.failed(NetworkFault(.brokeOff)), of: 1)
        stage.turn(10)
        let number = try #require(stage.orders.last?.number)
        let head = HTTPHead(status: 206, fields: ["content-range": "bytes 0-19999999/20000000", "etag": "\"b\""])
        stage.reading.take(head, isPrivate: false, of: number, now: stage.now)
        #expect(stage.turn(10).outcome == .failure(.network(NetworkFault(.changed))))
        #expect(stage.dropped == [number])
    }

    @Test func aLostServerIsAskedAgainAndSaysHowOften() throws {
        let stage = try opened()
        #expect(stage.send(1, 0..<1000) == .taken)
        stage.reading.take(.failed(NetworkFault(.brokeOff)), of: 1)
        #expect(stage.drain() == 1000)
        #expect(stage.reading.reconnecting?.number == 1)
        let number = try #require(stage.orders.last?.number)
        stage.reading.take(.failed(NetworkFault(.unreachable)), of: number)
        stage.turn(10)
        #expect(stage.reading.reconnecting == ReconnectAttempt(number: 2, limit: 18))
        stage.pass(.seconds(2))
        stage.turn(10)
        let next = try #require(stage.orders.last?.number)
        stage.answer(next, from: 1000)
        #expect(stage.send(next, 1000..<2000) == .taken)
        #expect(stage.drain() == 1000)
        #expect(stage.reading.reconnecting == nil)
    }

    @Test func afterASleepTheServerIsAskedAtOnceForTheVeryNextByte() throws {
        let stage = try opened()
        #expect(stage.send(1, 0..<5000) == .taken)
        stage.turn(1000)
        stage.reading.wake()
        #expect(stage.drain() == 4000)
        // No pause: the deadline of a silent connection was 15 s away.
        #expect(stage.orders.count == 2 && stage.orders[1].order.offset == 5000 && stage.dropped == [1])
    }

    @Test func aSleepEndsThePauseBeforeTheNextAttempt() throws {
        let stage = try opened()
        stage.reading.take(.failed(NetworkFault(.unreachable)), of: 1)
        #expect(stage.turn(10).deadline == stage.now + .seconds(0.5))
        stage.reading.wake()
        stage.turn(10)
        #expect(stage.orders.count == 2)
    }

    /// Answers the last request with a head; returns its number.
    @discardableResult private func answer(_ stage: Stage, _ status: Int, _ fields: [String: String] = [:]) throws -> Int {
        let number = try #require(stage.orders.last?.number)
        stage.reading.take(HTTPHead(status: status, fields: fields), isPrivate: false, of: number, now: stage.now)
        return number
    }

    /// A server that has no such file says so once, also where a redirection led to it.
    @Test(arguments: [401, 403, 404, 410]) func aRedirectionToARefusalEndsThere(_ status: Int) throws {
        let stage = try Stage()
        stage.turn(nil)
        try answer(stage, 302, ["location": "http://other/film"])
        stage.turn(nil)
        try answer(stage, status)
        #expect(stage.turn(nil).outcome == .failure(.network(NetworkFault(.status(status)))) && stage.orders.count == 2)
    }

    /// An address that was good for a while: the one that led there is asked once more, and not again before bytes have come.
    @Test func aTargetThatHasExpiredIsLookedForOnce() throws {
        let stage = try Stage()
        stage.turn(nil)
        try answer(stage, 302, ["location": "http://other/film?token=1"])
        stage.turn(nil)
        let range = "bytes 0-19999999/20000000"
        try answer(stage, 206, ["content-range": range, "etag": "\"a\""])
        #expect(stage.send(2, 0..<1000) == .taken && stage.drain() == 1000)
        stage.reading.take(.failed(NetworkFault(.brokeOff)), of: 2)
        stage.turn(10)
        stage.pass(.seconds(1))
        stage.turn(10)
        #expect(stage.orders.count == 3 && stage.orders[2].order.address.text == "http://other/film?token=1")
        try answer(stage, 403)
        stage.turn(10)
        #expect(stage.orders.count == 4 && stage.orders[3].order.address.text == "http://host/film")
        try answer(stage, 302, ["location": "http://other/film?token=2"])
        stage.turn(10)
        #expect(stage.orders.count == 5)
        try answer(stage, 403)
        #expect(stage.turn(10).outcome == .failure(.network(NetworkFault(.status(403)))) && stage.orders.count == 5)
    }

    /// It answers a request for a part of that version with the whole file: it is asked once without naming the version, and then read through.
    @Test func aServerThatSendsAllInThePlaceOfAPartIsReadThrough() throws {
        let stage = try opened(ringSize: 100_000)
        stage.reading.seek(to: 300_000)
        stage.turn(10)
        #expect(stage.orders.count == 2 && stage.orders[1].order.validator == "\"a\"")
        let whole = ["content-length": "20000000", "etag": "\"a\""]
        try answer(stage, 200, whole)
        stage.turn(10)
        #expect(stage.orders.count == 3 && stage.orders[2].order.offset == 300_000 && stage.orders[2].order.validator == nil)
        let number = try answer(stage, 200, whole)
        for start in stride(from: 0, to: 400_000, by: 10_000) {
            stage.turn(nil)
            #expect(stage.send(number, start..<(start + 10_000)) == .taken)
            if start >= 300_000 { #expect(stage.drain() == 10_000) } else { #expect(stage.turn(10).outcome == nil) }
        }
        #expect(stage.orders.count == 3 && stage.reading.position == 400_000)
    }

    /// Bytes behind the stated end of a part are another answer's, or nonsense.
    @Test func aPartEndsWhereItSaysSo() throws {
        let stage = try Stage()
        stage.turn(nil)
        try answer(stage, 206, ["content-range": "bytes 0-999/20000000", "etag": "\"a\""])
        #expect(stage.send(1, 0..<600) == .taken && stage.send(1, 600..<5600) == .stop)
        stage.reading.take(.failed(NetworkFault(.brokeOff)), of: 1)
        #expect(stage.drain() == 1000)
        stage.pass(.seconds(1))
        stage.turn(10)
        #expect(stage.orders.count == 2 && stage.orders[1].order.offset == 1000)
    }

    /// A rate is kept by taking no more, so that the transfer is paused; the wait for the own brake is no silence of the server.
    @Test(arguments: [20_000, 200_000, 2_000_000]) func aRateIsKept(_ rate: Int) throws {
        let stage = try opened(ringSize: 4 << 20, rate: rate)
        var sent = 0, taken = 0, number = 1
        let start = stage.now
        while stage.now - start < .seconds(60) {
            while taken < 20_000_000, sent < 20_000_000, stage.send(number, sent..<(sent + 10_000)) == .taken { sent += 10_000 }
            taken += stage.drain()
            let turn = stage.turn(100_000)
            if case .success(let count)? = turn.outcome { taken += count }
            guard stage.reading.reconnecting == nil, stage.dropped.isEmpty else { break }
            // No further ahead than a second, or the smallest ring.
            #expect(sent - taken <= max(64 << 10, rate))
            if let deadline = turn.deadline { stage.now = deadline }
            if sent == 20_000_000 { break }
            number = 1
        }
        #expect(stage.dropped.isEmpty && stage.orders.count == 1)
        let elapsed = (stage.now - start).seconds
        #expect(Double(taken) <= Double(rate) * (elapsed + 0.25) + 16_384)
        #expect(Double(taken) >= Double(rate) * (elapsed - 0.5) || taken == 20_000_000)
    }

    @Test func whatIsClosedTakesNothingMore() throws {
        let stage = try opened()
        #expect(stage.reading.close().count == 1)
        #expect(stage.send(1, 0..<10) == .stop)
        #expect(stage.turn(10).outcome == .failure(.closed))
    }
}
