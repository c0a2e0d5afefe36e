import AetherCore
import Testing

@testable import AetherEngine
@testable import AetherFormats

/// Room in the file, and what is found in it.
@Suite struct SegmentLedgerTests {
    private static func segment(_ number: Int64, at second: Int64? = nil) throws -> Segment {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(number)\n#EXTINF:2,\ns\(number).ts\n"
        let address = try #require(StreamAddress("http://h/l.m3u8"))
        guard case .segments(let list) = try HLSPlaylist(Array(text.utf8), address: address) else {
            throw StreamFault(.nothingToPlay)
        }
        var segment = try #require(list.segments.segment(number))
        segment.start = Ticks((second ?? number * 2) * 1_000_000_000, timescale: Ticks.nanoseconds)
        return segment
    }

    private func add(
        _ ledger: inout SegmentLedger, _ number: Int64, length: Int64 = 100, at second: Int64? = nil, _ rendition: String = "a"
    )
        throws
    {
        let free = ledger.place(for: length), place = try #require(free)
        ledger.add(try Self.segment(number, at: second), of: rendition, source: 0, at: place)
    }

    private func numbers(_ ledger: SegmentLedger, from second: Int64, _ rendition: String = "a") -> [Int64] {
        let time = Ticks(second * 1_000_000_000, timescale: Ticks.nanoseconds)
        return ledger.entry(at: time, of: 0, preferring: rendition).map { ledger.stretch(from: $0).map(\.segment.number) } ?? []
    }

    @Test func newSegmentsTakeThePlaceOfTheOldest() throws {
        var ledger = SegmentLedger(capacity: 1000, span: .seconds(3600))
        for number in 0..<25 { try add(&ledger, Int64(number)) }
        #expect(numbers(ledger, from: 0) == Array(15..<25))
        #expect(ledger.highWater <= 1000 && ledger.start(of: 0)?.seconds == 30)
        // No two that are held share a byte.
        let places = (15..<25).compactMap { ledger.entry($0, in: "a", source: 0)?.place.offset }
        #expect(Set(places).count == 10 && places.allSatisfy { $0 >= 0 && $0 + 100 <= 1000 })
    }

    @Test(arguments: [[300, 300, 300, 700, 100, 900, 50], [1000, 1, 999, 1000], [10, 990, 500, 500, 600, 400]] as [[Int64]])
    func whatIsHeldIsNeverWrittenOver(_ lengths: [Int64]) throws {
        var ledger = SegmentLedger(capacity: 1000, span: .seconds(3600)), bytes = [Int64](repeating: -1, count: 1000)
        for (number, length) in lengths.enumerated() {
            try add(&ledger, Int64(number), length: length)
            let place = try #require(ledger.entry(Int64(number), in: "a", source: 0)?.place)
            #expect(place.length == length && place.end <= 1000)
            for offset in place.offset..<place.end { bytes[Int(offset)] = Int64(number) }
            for held in 0...Int64(number) {
                guard let entry = ledger.entry(held, in: "a", source: 0) else { continue }
                #expect(ledger.holds(entry.id))
                #expect(bytes[Int(entry.place.offset)..<Int(entry.place.end)].allSatisfy { $0 == held }, "\(held) at \(number)")
            }
        }
    }

    @Test func whatIsOlderThanTheSpanGoes() throws {
        var ledger = SegmentLedger(capacity: 1 << 20, span: .seconds(10))
        for number in 0..<20 { try add(&ledger, Int64(number)) }
        #expect(numbers(ledger, from: 0) == Array(14..<20))
        // The file's front is used again, and it gets no longer than what is held needs, but for a worthwhile front.
        #expect(ledger.held(of: 0) == MediaTime(nanoseconds: 28_000_000_000)...MediaTime(nanoseconds: 40_000_000_000))
    }

    @Test func segmentsComeInAnyOrderAndHolesEndAStretch() throws {
        var ledger = SegmentLedger(capacity: 1 << 20, span: .seconds(3600))
        for number in [5, 6, 3, 4, 9] as [Int64] { try add(&ledger, number) }
        #expect(numbers(ledger, from: 7) == [3, 4, 5, 6])
        #expect(numbers(ledger, from: 15) == [9])
        // Before the first, and in the hole: what comes next.
        #expect(numbers(ledger, from: 0) == [3, 4, 5, 6])
        #expect(ledger.held(of: 0)?.lowerBound == MediaTime(nanoseconds: 18_000_000_000))
        #expect(numbers(ledger, from: 21).isEmpty)
    }

    @Test func aNumberThatComesAgainIsAnotherSegment() throws {
        var ledger = SegmentLedger(capacity: 1 << 20, span: .seconds(3600))
        try add(&ledger, 7, at: 100)
        #expect(ledger.entry(of: try Self.segment(7, at: 100), in: "a", source: 0) != nil)
        #expect(ledger.entry(of: try Self.segment(7, at: 200), in: "a", source: 0) == nil)
        #expect(ledger.entry(of: try Self.segment(7, at: 100), in: "b", source: 0) == nil)
        #expect(ledger.entry(of: try Self.segment(7, at: 100), in: "a", source: 1) == nil)
    }

    @Test func aFullDiskMakesWhatIsThereTheLength() throws {
        var ledger = SegmentLedger(capacity: 1000, span: .seconds(3600))
        for number in 0..<3 { try add(&ledger, Int64(number)) }
        let free = ledger.place(for: 100), failed = try #require(free)
        ledger.narrow(to: failed.offset)
        for number in 3..<8 { try add(&ledger, Int64(number)) }
        #expect(ledger.capacity == 300 && numbers(ledger, from: 0) == [5, 6, 7])
        let none = ledger.place(for: 301)
        #expect(none == nil)
    }

    @Test(
        arguments: [
            // Playing near the edge fetches nothing ahead of itself.
            (0..<6, 3, 5..<5), (0..<3, 0, 0..<2), (10..<13, 12, 14..<14),
            // Paused: the older half, from behind the two that are being read.
            (0..<10, 4, 6..<6), (0..<10, 1, 1..<5), (0..<12, 3, 5..<6), (8..<18, 2, 8..<13),
        ] as [(Range<Int64>, Int64, Range<Int64>)])
    func theOlderHalfIsFollowed(_ list: Range<Int64>, _ next: Int64, _ due: Range<Int64>) {
        #expect(SegmentFollowing.due(list, reading: next) == due)
    }
}
