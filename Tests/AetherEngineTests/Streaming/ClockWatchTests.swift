import AetherCore
import AetherFormats
import Testing

@testable import AetherEngine

/// The clock of fragments against the playlist.
@Suite struct ClockWatchTests {
    private static func box(_ kind: String, _ body: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(body.count + 8)] + Array(kind.utf8) + body
    }

    /// Ticks of a second.
    private static let header: [UInt8] = {
        let head = box("tkhd", [UInt8](repeating: 0, count: 12) + [0, 0, 0, 1])
        return box("moov", box("trak", head + box("mdia", box("mdhd", [UInt8](repeating: 0, count: 12) + [0, 0, 0, 1]))))
    }()

    private static func head(_ seconds: UInt8) -> [UInt8] {
        let part = box("tfhd", [0, 0, 0, 0, 0, 0, 0, 1]) + box("tfdt", [0, 0, 0, 0, 0, 0, 0, seconds])
        return box("styp", [0, 0, 0, 0]) + box("moof", box("traf", part))
    }

    private static func segments(_ text: String) throws -> any SegmentIndex {
        let address = try #require(StreamAddress("http://a.example/l.m3u8"))
        guard case .segments(let list) = try HLSPlaylist(Array(text.utf8), address: address) else {
            throw StreamFault(.wrongKind)
        }
        return list.segments
    }

    /// Segments of 2 s that begin at these seconds of their clock, of which the last one is judged.
    private static func breaks(_ clock: [UInt8], isComplete: Bool = true, header: [UInt8]? = header) throws -> Bool {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n" + clock.map { _ in "#EXTINF:2,\na.mp4\n" }.joined() + "#EXT-X-ENDLIST\n"
        let segments = try segments(text)
        var watch = ClockWatch(isComplete: isComplete), result = false
        for (number, seconds) in clock.enumerated() {
            result = watch.breaks(at: try #require(segments.segment(Int64(number))), head: head(seconds)[...], header: header)
        }
        return result
    }

    @Test(arguments: [
        ([0, 2], false), ([0, 2, 4], false), ([4, 2], true), ([4, 4], true), ([0, 3], false), ([0, 4], false), ([0, 5], true),
    ])
    func aClockBreaksWhereItGoesBackOrLeaps(_ clock: [UInt8], _ breaks: Bool) throws {
        #expect(try Self.breaks(clock) == breaks)
    }

    /// Of a broadcast the hole may be filled yet, and without an init section nobody knows how long a tick is.
    @Test func aLeapIsOneOnlyInACompleteList() throws {
        #expect(try !Self.breaks([0, 90], isComplete: false) && !Self.breaks([0, 90], header: nil))
        #expect(try Self.breaks([90, 0], isComplete: false) && Self.breaks([90, 0], header: nil))
    }

    /// A segment that is asked for once more is no other one.
    @Test func theSameSegmentDoesNotBeginAnew() throws {
        let segments = try Self.segments("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na\n#EXT-X-ENDLIST\n")
        let segment = try #require(segments.segment(0))
        var watch = ClockWatch(isComplete: true)
        for _ in 0..<2 {
            let breaks = watch.breaks(at: segment, head: Self.head(4)[...], header: Self.header)
            #expect(!breaks)
        }
    }

    @Test func bytesWithoutAFragmentSayNothing() throws {
        var watch = ClockWatch(isComplete: true)
        let segments = try Self.segments("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na\n#EXT-X-ENDLIST\n")
        let segment = try #require(segments.segment(0))
        for head in [[], [0x47], Self.box("mdat", []), Self.header] {
            let breaks = watch.breaks(at: segment, head: head[...], header: nil)
            #expect(!breaks)
        }
    }
}
