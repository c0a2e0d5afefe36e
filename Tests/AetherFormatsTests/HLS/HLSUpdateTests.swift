import AetherFormats
import Testing

@Suite struct HLSUpdateTests {
    private func list(_ numbers: ClosedRange<Int>, head: String = "", tail: String = "") throws -> HLSSegmentList {
        let segments = numbers.map { "#EXTINF:2,\n\($0).ts\n" }.joined()
        return try HLSSegmentListTests.read("#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(head)\(segments)\(tail)")
    }

    @Test func aWindowThatMovesKeepsItsAxis() throws {
        let first = try list(10...14, head: "#EXT-X-MEDIA-SEQUENCE:10\n")
        let second = try list(12...16, head: "#EXT-X-MEDIA-SEQUENCE:12\n").following(first)
        #expect(second.segments.start == Ticks(4, timescale: 1) && second.segments.end == Ticks(14, timescale: 1))
        let third = try list(17...18, head: "#EXT-X-MEDIA-SEQUENCE:17\n").following(second)
        #expect(third.segments.start == Ticks(14, timescale: 1))
        #expect(third.segments.number(at: Ticks(16, timescale: 1)) == 18)
    }

    @Test func aWindowThatHasLeaptKeepsItsAxis() throws {
        let first = try list(10...14, head: "#EXT-X-MEDIA-SEQUENCE:10\n")
        // Those from 15 to 19 were as long as the others.
        let second = try list(20...24, head: "#EXT-X-MEDIA-SEQUENCE:20\n").following(first)
        #expect(second.segments.start == Ticks(20, timescale: 1))
        // The wall clock says it better.
        let moments = ["10:00:00", "10:01:31"].map { "#EXT-X-PROGRAM-DATE-TIME:2026-11-24T\($0)Z\n" }
        let dated = try list(10...14, head: "#EXT-X-MEDIA-SEQUENCE:10\n" + moments[0])
        let later = try list(20...24, head: "#EXT-X-MEDIA-SEQUENCE:20\n" + moments[1]).following(dated)
        #expect(later.segments.start == Ticks(91, timescale: 1), "\(later.segments.start)")
    }

    @Test func whatWasLeftOutIsPutIn() throws {
        let control = "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=12\n"
        let first = try list(10...14, head: control + "#EXT-X-MEDIA-SEQUENCE:10\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n")
        let update = try HLSSegmentListTests.read(
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:11\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n#EXTINF:2,\n14.ts\n#EXTINF:2,\n15.ts\n",
            address: "https://h/a/m.m3u8?_HLS_skip=YES")
        let merged = try update.following(first)
        #expect(merged.segments.numbers == 11..<16 && merged.skip == nil)
        #expect(merged.segments.start == Ticks(2, timescale: 1))
        #expect((11...15).map { merged.segments.segment($0)?.address.text } == (11...15).map { "https://h/a/\($0).ts" })
        #expect(merged.segments.segment(11)?.encryption?.key?.text == "https://h/a/k")
    }

    /// The key stood before the segments that were left out, and changes behind the first of the others.
    @Test func aKeyGoesOnUntilTheNextOne() throws {
        let key = ["k", "l"].map { "#EXT-X-KEY:METHOD=AES-128,URI=\"\($0)\"\n" }
        let first = try list(10...14, head: "#EXT-X-MEDIA-SEQUENCE:10\n" + key[0])
        let update = try HLSSegmentListTests.read(
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:11\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n#EXTINF:2,\n14.ts\n"
                + "\(key[1])#EXTINF:2,\n15.ts\n#EXT-X-KEY:METHOD=NONE\n#EXTINF:2,\n16.ts\n#EXTINF:2,\n17.ts\n")
        let merged = try update.following(first)
        let keys = (11...17).map { merged.segments.segment($0)?.encryption?.key?.text.last }
        #expect(keys == ["k", "k", "k", "k", "l", nil, nil])
    }

    // MARK: - Other renditions and servers

    private func seconds(_ value: Int64) -> Ticks { Ticks(value, timescale: 1) }

    /// A list that has slid by 20 s.
    private func slid(_ head: String = "") throws -> HLSSegmentList {
        let first = try list(10...14, head: "#EXT-X-MEDIA-SEQUENCE:10\n")
        return try list(20...24, head: "#EXT-X-MEDIA-SEQUENCE:20\n" + head).following(first)
    }

    @Test(
        arguments: [
            // The same numbers, one read a segment later.
            (21, 21...25, "", 0, 22), (21, 21...25, "", 2, 22), (24, 24...28, "", 8, 28),
            // Numbers of its own, or those of other segments: they end together.
            (100, 100...104, "", 0, 20), (100, 100...106, "", 6, 22), (0, 20...24, "", 2, 22), (12, 12...16, "", 0, 20),
            // Its own numbers, and the moment at which its first segment began.
            (100, 100...104, "#EXT-X-PROGRAM-DATE-TIME:2026-11-24T10:00:04Z\n", 4, 24),
            // A moment that lies elsewhere is none.
            (100, 100...104, "#EXT-X-PROGRAM-DATE-TIME:2025-11-24T10:00:04Z\n", 4, 24),
            (21, 21...25, "#EXT-X-PROGRAM-DATE-TIME:2025-11-24T10:00:04Z\n", 2, 22),
        ] as [(Int, ClosedRange<Int>, String, Int64, Int64)])
    func aListLiesBesideThatOfAnotherRendition(
        _ first: Int, _ numbers: ClosedRange<Int>, _ moment: String, _ age: Int64, _ start: Int64
    ) throws {
        let known = try slid("#EXT-X-PROGRAM-DATE-TIME:2026-11-24T10:00:00Z\n")
        let other = try list(numbers, head: "#EXT-X-MEDIA-SEQUENCE:\(first)\n" + moment)
        let placed = other.placed(beside: .init(known, age: seconds(age)))
        #expect(known.segments.start == seconds(20) && placed.segments.start == seconds(start), "\(placed.segments.start)")
    }

    @Test(arguments: [(2, 5, 22), (60, 5, 30), (0, 5, 20), (0, 30, 0)] as [(Int64, Int, Int64)])
    func aServerWithNumbersOfItsOwnTakesOver(_ age: Int64, _ count: Int, _ start: Int64) throws {
        let known = try slid(), other = try list(700...(699 + count), head: "#EXT-X-MEDIA-SEQUENCE:700\n")
        let taken = other.takingOver(from: .init(known, age: seconds(age)))
        #expect(taken.era == 1 && taken.segments.start == seconds(start), "\(taken.segments.start)")
        // Of an hour's past there is as much as the axis has room for.
        #expect(
            taken.segments.end == seconds(max(start + Int64(2 * count), 0)) || count == 30 && taken.segments.end == seconds(30))
        #expect(taken.segments.segment(699 + Int64(count))?.continuity != other.segments.segment(699 + Int64(count))?.continuity)
    }

    @Test func anOldListIsPutBesideAFreshOne() throws {
        let old = try list(10...14, head: "#EXT-X-MEDIA-SEQUENCE:10\n")
        // Those between were longer than 2 s, as the moments of the other rendition say.
        let moments = ["10:00:00", "10:01:30"].map { "#EXT-X-PROGRAM-DATE-TIME:2026-11-24T\($0)Z\n" }
        let known = try list(40...44, head: "#EXT-X-MEDIA-SEQUENCE:40\n" + moments[1]).following(
            list(10...14, head: "#EXT-X-MEDIA-SEQUENCE:10\n" + moments[0]))
        let fresh = try list(41...45, head: "#EXT-X-MEDIA-SEQUENCE:41\n")
        #expect(known.segments.start == seconds(90))
        #expect(try fresh.following(old, beside: .init(known, age: seconds(2))).segments.start == seconds(92))
        #expect(try fresh.following(old).segments.start == seconds(62))
    }

    @Test func aWindowThatGrowsAtItsFrontKeepsItsAxis() throws {
        let known = try slid()
        let longer = try list(16...26, head: "#EXT-X-MEDIA-SEQUENCE:16\n").following(known)
        #expect(longer.segments.numbers == 20..<27 && longer.segments.start == seconds(20))
        #expect(longer.segments.segment(26)?.start == seconds(32))
        let next = try list(17...27, head: "#EXT-X-MEDIA-SEQUENCE:17\n").following(longer)
        #expect(next.segments.numbers == 20..<28 && next.segments.segment(27)?.start == seconds(34))
        // A recording of the whole that follows the broadcast.
        let whole = try list(0...27, tail: "#EXT-X-ENDLIST\n").following(next)
        #expect(whole.isEnded && whole.segments.numbers == 20..<28 && whole.segments.start == seconds(20))
    }

    @Test func anUpdateThatSkipsTooMuchIsNotTaken() throws {
        let first = try list(10...14, head: "#EXT-X-MEDIA-SEQUENCE:10\n")
        let update = try HLSSegmentListTests.read(
            "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:12\n#EXT-X-SKIP:SKIPPED-SEGMENTS=9\n#EXTINF:2,\n21.ts\n")
        #expect(throws: StreamFault(.updateMismatch)) { try update.following(first) }
    }

    @Test func aServerThatCountsAnewAtTheEndChangesNothing() throws {
        let first = try list(10...14, head: "#EXT-X-MEDIA-SEQUENCE:10\n")
        let last = try list(10...14, tail: "#EXT-X-ENDLIST\n").following(first)
        #expect(last.segments.numbers == 10..<15 && last.isEnded && last.kind == .vod)
    }

    @Test func aServerThatCountsAnewGoesOnBehindWhatItHad() throws {
        let first = try list(10...14, head: "#EXT-X-MEDIA-SEQUENCE:10\n")
        let anew = try list(0...1).beginning(behind: first)
        #expect(anew.segments.numbers == 0..<2 && anew.segments.start == first.segments.end && anew.era == 1)
        let known = try #require(first.segments.segment(14)), fresh = try #require(anew.segments.segment(0))
        #expect(known.continuity != fresh.continuity)
        let next = try list(1...2, head: "#EXT-X-MEDIA-SEQUENCE:1\n").following(anew)
        #expect(next.segments.segment(2)?.continuity == fresh.continuity && next.segments.start == Ticks(12, timescale: 1))
    }

    @Test func otherFilesUnderTheSameNumbersAreSeen() throws {
        let first = try list(10...14, head: "#EXT-X-MEDIA-SEQUENCE:10\n")
        #expect(try list(20...22, head: "#EXT-X-MEDIA-SEQUENCE:10\n").namesOthers(than: first))
        #expect(try !list(10...12, head: "#EXT-X-MEDIA-SEQUENCE:10\n").namesOthers(than: first))
        // Nothing in common says nothing.
        #expect(try !list(0...2).namesOthers(than: first))
        #expect(try list(14...16).sharesFiles(with: first) && !list(15...16).sharesFiles(with: first))
    }

    @Test func nothingNewIsSeen() throws {
        let first = try list(0...4)
        #expect(try list(0...4).isUnchanged(since: first))
        #expect(try !list(0...5).isUnchanged(since: first))
        #expect(try !list(0...4, tail: "#EXT-X-ENDLIST\n").isUnchanged(since: first))
    }
}
