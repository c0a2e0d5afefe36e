import AetherCore
import AetherFormats
import Testing

@testable import AetherEngine

/// A list of segments of a length each, in milliseconds.
func segmentIndex(_ lengths: [Int], head: String = "", gaps: Set<Int> = [], isEnded: Bool = true) throws -> SegmentList {
    let lines = lengths.enumerated().map { number, length in
        (gaps.contains(number) ? "#EXT-X-GAP\n" : "") + "#EXTINF:\(Double(length) / 1000),\n\(number).ts\n"
    }
    let text = "#EXTM3U\n#EXT-X-PLAYLIST-TYPE:EVENT\n\(head)\(lines.joined())" + (isEnded ? "#EXT-X-ENDLIST\n" : "")
    let address = try #require(StreamAddress("https://h/m.m3u8"))
    return try HLSPlaylist(Array(text.utf8), address: address).segmentList().segments
}

@Suite struct SegmentSchedulerTests {
    typealias Request = SegmentScheduler.Request

    private func seconds(_ value: Int64) -> Ticks { Ticks(value, timescale: 1) }

    private func requests(_ orders: [SegmentScheduler.Order]) -> [Request] {
        orders.compactMap { if case .fetch(let request, _) = $0 { request } else { nil } }
    }

    private func cancelled(_ orders: [SegmentScheduler.Order]) -> [Int64] {
        orders.compactMap { if case .cancel(let request) = $0 { request.number } else { nil } }
    }

    /// Answers everything at once with so many bytes a segment; gives the numbers in the order in which they were asked for.
    private func run(_ scheduler: inout SegmentScheduler, bytes: Int64) -> [String] {
        var asked: [String] = []
        while true {
            let orders = requests(scheduler.orders())
            if orders.isEmpty { return asked }
            for request in orders {
                asked.append("\(request.role) \(request.number)")
                scheduler.arrived(request, bytes: bytes)
            }
        }
    }

    @Test func theStartIsOneRequestATrack() throws {
        var scheduler = SegmentScheduler()
        scheduler.select(.video, "v", try segmentIndex(Array(repeating: 2000, count: 100)))
        scheduler.select(.audio, "a", try segmentIndex(Array(repeating: 2000, count: 100)))
        let first = requests(scheduler.orders())
        #expect(first.map(\.role) == [.video, .audio] && first.map(\.number) == [0, 0])
        #expect(scheduler.orders().isEmpty, "nothing more before the servers answer")
        scheduler.answered(first[0])
        #expect(requests(scheduler.orders()).map(\.number) == [1], "one ahead")
        #expect(scheduler.orders().isEmpty)
    }

    @Test func thirtySecondsAheadAreFetchedAndNoMore() throws {
        var scheduler = SegmentScheduler()
        scheduler.select(.video, "v", try segmentIndex(Array(repeating: 4000, count: 100)))
        #expect(run(&scheduler, bytes: 1000).count == 8)
        #expect(scheduler.ahead == .seconds(32))
        scheduler.play(to: seconds(1))
        #expect(run(&scheduler, bytes: 1000).isEmpty)
        scheduler.play(to: seconds(3))
        #expect(run(&scheduler, bytes: 1000) == ["video 8"])
    }

    @Test func bytesAreBoundedBySize() throws {
        var scheduler = SegmentScheduler()
        scheduler.select(.video, "v", try segmentIndex(Array(repeating: 2000, count: 100)))
        #expect(run(&scheduler, bytes: 10 << 20) == ["video 0", "video 1", "video 2"])
        #expect(scheduler.bytes(.video) <= 32 << 20)
        scheduler.play(to: seconds(2))
        #expect(run(&scheduler, bytes: 10 << 20) == ["video 3"])
    }

    @Test func aSegmentLargerThanTheBudgetComesAlone() throws {
        var scheduler = SegmentScheduler()
        scheduler.select(.audio, "a", try segmentIndex([2000, 2000, 2000]))
        #expect(run(&scheduler, bytes: 9 << 20) == ["audio 0"])
        scheduler.play(to: seconds(2))
        #expect(run(&scheduler, bytes: 9 << 20) == ["audio 1"])
    }

    @Test func statedPartsCountBeforeTheyCome() throws {
        let address = try #require(StreamAddress("https://h/m.m3u8"))
        let text =
            "#EXTM3U\n" + (0..<9).map { "#EXTINF:2,\n#EXT-X-BYTERANGE:\(3 << 20)@\($0 * 3 << 20)\na\n" }.joined()
            + "#EXT-X-ENDLIST\n"
        var scheduler = SegmentScheduler()
        scheduler.select(.audio, "a", try HLSPlaylist(Array(text.utf8), address: address).segmentList().segments)
        let first = requests(scheduler.orders())
        scheduler.answered(try #require(first.first))
        #expect(requests(scheduler.orders()).isEmpty, "3 MB under way and 3 MB more are above 4 MB")
    }

    @Test func theTrackWithTheLeastComesFirst() throws {
        var scheduler = SegmentScheduler()
        scheduler.select(.video, "v", try segmentIndex(Array(repeating: 6000, count: 20)))
        scheduler.select(.audio, "a", try segmentIndex(Array(repeating: 2000, count: 60)))
        let asked = run(&scheduler, bytes: 1000)
        #expect(asked.prefix(6) == ["video 0", "audio 0", "audio 1", "video 1", "audio 2", "video 2"])
    }

    @Test func gapsArePassedByWithoutARequest() throws {
        var scheduler = SegmentScheduler()
        scheduler.select(.video, "v", try segmentIndex([2000, 2000, 2000, 2000], gaps: [0, 2]))
        let orders = scheduler.orders()
        guard case .pass(.video, let gap)? = orders.first else {
            Issue.record("no gap: \(orders)")
            return
        }
        #expect(gap.number == 0 && requests(orders).map(\.number) == [1])
        scheduler.arrived(requests(orders)[0], bytes: 10)
        #expect(run(&scheduler, bytes: 10) == ["video 3"])
        #expect(scheduler.isComplete && scheduler.ahead == .seconds(8))
    }

    @Test func seeksInsideOfWhatIsHeldAskForNothing() throws {
        var scheduler = SegmentScheduler()
        scheduler.select(.video, "v", try segmentIndex(Array(repeating: 2000, count: 100)))
        _ = run(&scheduler, bytes: 1000)
        scheduler.play(to: seconds(20))
        _ = run(&scheduler, bytes: 1000)
        for place in [3, 19, 0, 20] as [Int64] {
            scheduler.seek(to: seconds(place))
            #expect(scheduler.orders().isEmpty, "at \(place) s")
        }
    }

    @Test func aSeekElsewhereIsOneRequestAndEndsTheOthers() throws {
        var scheduler = SegmentScheduler()
        scheduler.select(.video, "v", try segmentIndex(Array(repeating: 2000, count: 100)))
        let first = requests(scheduler.orders())
        scheduler.seek(to: seconds(101))
        let orders = scheduler.orders()
        #expect(cancelled(orders) == [0] && requests(orders).map(\.number) == [50])
        scheduler.arrived(try #require(first.first), bytes: 10)
        #expect(scheduler.bytes(.video) == 0, "an answer that nobody waits for counts nothing")
    }

    @Test func anotherVariantFollowsAtTheBorder() throws {
        var scheduler = SegmentScheduler()
        scheduler.select(.video, "low", try segmentIndex(Array(repeating: 2000, count: 30)))
        for _ in 0..<3 { for request in requests(scheduler.orders()) { scheduler.arrived(request, bytes: 10) } }
        scheduler.switchAhead(.video, "high", try segmentIndex(Array(repeating: 2000, count: 30)))
        let next = requests(scheduler.orders())
        #expect(next.map(\.number) == [3] && next.map(\.rendition) == ["high"])
    }

    @Test func anotherVariantAtOnceKeepsTheSegmentThatPlays() throws {
        var scheduler = SegmentScheduler()
        scheduler.select(.video, "low", try segmentIndex(Array(repeating: 2000, count: 30)))
        for _ in 0..<5 { for request in requests(scheduler.orders()) { scheduler.arrived(request, bytes: 10) } }
        scheduler.play(to: seconds(3))
        scheduler.switchNow(.video, "high", try segmentIndex(Array(repeating: 4000, count: 15)))
        #expect(scheduler.ahead == .seconds(1))
        #expect(requests(scheduler.orders()).map(\.number) == [1])
    }

    @Test func aGivenUpSegmentIsTakenFromElsewhereOrPassedBy() throws {
        var scheduler = SegmentScheduler()
        let index = try segmentIndex([2000, 2000])
        scheduler.select(.video, "high", index)
        let first = try #require(requests(scheduler.orders()).first)
        scheduler.moved(first, to: "low", index)
        let second = try #require(requests(scheduler.orders()).first)
        #expect(second.rendition == "low" && second.number == 0 && second.serial != first.serial)
        scheduler.missed(second)
        let orders = scheduler.orders()
        guard case .pass(.video, let gap)? = orders.first else {
            Issue.record("no gap: \(orders)")
            return
        }
        #expect(gap.number == 0)
        #expect(requests(orders).map(\.number) == [1] && requests(orders).map(\.rendition) == ["high"])
    }

    @Test func answersOutOfOrderAreHeldInOrder() throws {
        var scheduler = SegmentScheduler()
        scheduler.select(.video, "v", try segmentIndex([2000, 2000, 2000]))
        let first = try #require(requests(scheduler.orders()).first)
        scheduler.answered(first)
        let second = try #require(requests(scheduler.orders()).first)
        scheduler.arrived(second, bytes: 10)
        #expect(scheduler.ahead == .zero)
        scheduler.arrived(first, bytes: 10)
        #expect(scheduler.ahead == .seconds(4))
    }

    @Test func anIndexThatGrowsIsFollowed() throws {
        var scheduler = SegmentScheduler()
        scheduler.select(.video, "v", try segmentIndex([2000], isEnded: false))
        #expect(run(&scheduler, bytes: 10) == ["video 0"])
        scheduler.update("v", try segmentIndex([2000, 2000], isEnded: false))
        #expect(run(&scheduler, bytes: 10) == ["video 1"])
    }

    @Test func whatLiesFarBehindIsDropped() throws {
        var scheduler = SegmentScheduler()
        scheduler.select(.video, "v", try segmentIndex(Array(repeating: 2000, count: 200)))
        for second in 0..<300 as Range<Int64> {
            scheduler.play(to: seconds(second))
            _ = run(&scheduler, bytes: 1 << 20)
            #expect(scheduler.bytes(.video) <= 33 << 20)
        }
    }
}
