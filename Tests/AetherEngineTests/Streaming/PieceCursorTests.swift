import AetherCore
import Testing

@testable import AetherEngine
@testable import AetherFormats

/// The order of the pieces of a run.
@Suite struct PieceCursorTests {
    private static let head = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PART-INF:PART-TARGET=1\n#EXT-X-MEDIA-SEQUENCE:7\n"

    private static func run(_ text: String) throws -> SegmentRun {
        let address = try #require(StreamAddress("http://h/l.m3u8"))
        guard case .segments(let list) = try HLSPlaylist(Array((head + text).utf8), address: address) else {
            throw StreamFault(.nothingToPlay)
        }
        let segments = PartedSegments(list)
        return try #require(SegmentRun("a", segments, from: segments.numbers.lowerBound))
    }

    /// The file and place of the piece that comes next; what is waited for, or the end, by its name.
    private func next(_ cursor: inout PieceCursor) -> String {
        switch cursor.next() {
        case .open(let piece):
            cursor.note(opened: piece)
            let name = piece.address.text.split(separator: "/").last.map(String.init) ?? ""
            return name + (piece.offset > 0 ? "@\(piece.offset)" : "") + (piece.isPart ? " part" : "")
        case .grow(let progress): return "grow \(progress.segment.number) beyond \(progress.count)"
        case .end: return "end"
        }
    }

    private let whole = "#EXT-X-MAP:URI=\"init.mp4\"\n#EXTINF:4,\na.mp4\n#EXTINF:4,\nb.mp4\n#EXT-X-ENDLIST\n"
    private let parts = "#EXT-X-PART:DURATION=1,URI=\"7.1.ts\"\n#EXT-X-PART:DURATION=1,URI=\"7.2.ts\"\n"

    @Test func theInitSectionComesBeforeTheSegments() throws {
        var cursor = PieceCursor(try Self.run(whole), takesParts: false)
        #expect(cursor.number == nil)
        #expect((0..<4).map { _ in next(&cursor) } == ["init.mp4", "a.mp4", "b.mp4", "end"])
        #expect(cursor.number == 8)
    }

    @Test func aPieceIsOpenedOnceMore() throws {
        var cursor = PieceCursor(try Self.run(whole), takesParts: false)
        #expect([next(&cursor), next(&cursor)] == ["init.mp4", "a.mp4"])
        cursor.askAgain()
        #expect((0..<3).map { _ in next(&cursor) } == ["a.mp4", "b.mp4", "end"])
    }

    @Test func nothingFollowsTheSegmentAfterWhichItEnds() throws {
        var cursor = PieceCursor(try Self.run(whole), takesParts: false)
        // Before a segment was read it means the first one.
        cursor.endAfterSegment()
        #expect((0..<3).map { _ in next(&cursor) } == ["init.mp4", "a.mp4", "end"])
        #expect(cursor.segmentAhead(of: nil) == nil)
    }

    @Test func aWholeFileBeginsAnew() throws {
        var cursor = PieceCursor(try Self.run("#EXTINF:4,\na.mp4\n#EXT-X-ENDLIST\n"), takesParts: false)
        #expect([next(&cursor), next(&cursor)] == ["a.mp4", "end"])
        cursor.restart()
        #expect([next(&cursor), next(&cursor)] == ["a.mp4", "end"])
    }

    @Test func theSegmentAheadLiesInAnotherFile() throws {
        var cursor = PieceCursor(try Self.run(whole), takesParts: false)
        #expect(cursor.segmentAhead(of: nil) == nil)
        _ = (next(&cursor), next(&cursor))
        let ahead = try #require(cursor.segmentAhead(of: StreamAddress("http://h/a.mp4")))
        #expect(ahead.number == 8 && cursor.segmentAhead(of: ahead.address) == nil)
    }

    @Test func aSegmentThatIsBeingMadeComesInParts() throws {
        var cursor = PieceCursor(try Self.run(parts), takesParts: true)
        #expect((0..<3).map { _ in next(&cursor) } == ["7.1.ts part", "7.2.ts part", "grow 7 beyond 2"])
        #expect(cursor.wholeOfParts == nil)
        let now = try Self.run(parts + "#EXT-X-PART:DURATION=1,URI=\"7.3.ts\"\n#EXTINF:3,\n7.ts\n")
        cursor.grow(to: now.first)
        #expect(next(&cursor) == "7.3.ts part")
        #expect(cursor.wholeOfParts?.number == 7)
        // The segment's length is known by now, and the run's own list says less.
        #expect(cursor.end(of: 7).span == .seconds(3))
        #expect(next(&cursor) == "end")
    }

    @Test(arguments: [(0, "7.ts"), (320, "7.ts@320")])
    func partsThatAreNotToldAnyMoreAreTakenFromTheFile(_ count: Int, _ rest: String) throws {
        var cursor = PieceCursor(try Self.run(parts), takesParts: true)
        _ = (next(&cursor), next(&cursor))
        cursor.note(partBytes: Int64(count))
        cursor.grow(to: try Self.run("#EXTINF:3,\n7.ts\n").first)
        #expect([next(&cursor), next(&cursor)] == [rest, "end"])
    }

    @Test func aSegmentThatItsServerForgotIsPassed() throws {
        var cursor = PieceCursor(try Self.run(parts), takesParts: true)
        _ = (next(&cursor), next(&cursor), next(&cursor))
        cursor.grow(to: nil)
        #expect(next(&cursor) == "end")
    }
}
