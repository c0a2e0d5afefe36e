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
