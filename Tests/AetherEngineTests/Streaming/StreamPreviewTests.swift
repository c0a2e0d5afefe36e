import AetherCore
import AetherFormats
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

/// Small stills of streams: each costs two requests of a few KB, and shows the frame that a whole reading shows.
@Suite struct StreamPreviewTests {
    private func still(_ extractor: FrameExtractor, _ seconds: Double, isExact: Bool = false) throws -> ExtractedStill {
        try extractor.waitForStill(at: .zero + .seconds(seconds), isExact: isExact, width: 96)
    }

    /// Both show one frame: decoding without the loop filter changes a pixel by little.
    private func looksLike(_ a: RasterImage, _ b: RasterImage) -> Bool {
        guard a.size == b.size, !a.pixels.isEmpty else { return false }
        var sum = 0
        for (one, other) in zip(a.pixels, b.pixels) {
            for shift in [0, 8, 16] { sum += abs(Int(one >> UInt32(shift) & 255) - Int(other >> UInt32(shift) & 255)) }
        }
        return sum / (3 * a.pixels.count) < 8
    }

    @Test(arguments: [SegmentedVideo.Shape.transport, .fragments, .ciphered, .dashTimeline, .dashNumbers])
    func aStillCostsTheHeadOfASegment(_ shape: SegmentedVideo.Shape) throws {
        let film = try SegmentedVideo(shape), origin = try film.origin()
        let extractor = FrameExtractor(.location(.url(origin.address + "/" + shape.manifest)))
        defer { extractor.shutDown() }
        let first = try still(extractor, 2.5)
        #expect(first.time == .zero + .seconds(2), "\(first.time)")
        let before = origin.requests.count
        let second = try still(extractor, 3.2)
        #expect(second.time == .zero + .seconds(3))
        let asked = origin.requests.dropFirst(before)
        #expect((1...2).contains(asked.count), "\(asked.map(\.target))")
        #expect(asked.allSatisfy { $0.status == 206 }, "\(asked.map(\.fields))")
        #expect(!looksLike(first.image, second.image))
        let exact = FrameExtractor(.location(.file(film.path(shape.manifest))))
        defer { exact.shutDown() }
        // Where audio lies in the same segments, it begins a little before the video.
        #expect(looksLike(first.image, try still(exact, 2.03, isExact: true).image))
        #expect(looksLike(second.image, try still(exact, 3.03, isExact: true).image))
        // A still that is known is not requested again.
        let known = origin.requests.count
        _ = try still(extractor, 3.7)
        #expect(origin.requests.count == known)
    }

    @Test func aSegmentIsLeftAloneBehindItsFirstFrame() throws {
        let film = try SegmentedVideo(.fragments)
        let map = try [UInt8](Data(contentsOf: URL(filePath: film.path("i0.mp4"))))
        let segment = try [UInt8](Data(contentsOf: URL(filePath: film.path("s0_1.m4s"))))
        guard case .bytes(let count) = KeyFrameExtent(of: segment[...], at: 0, map: map) else {
            Issue.record("the first frame's end is not known")
            return
        }
        #expect(count < segment.count)
        #expect(KeyFrameExtent(of: segment.prefix(count), at: 0, map: map) == .bytes(count))
        // The head of the fragment must be there whole.
        guard case .atLeast(let more) = KeyFrameExtent(of: segment.prefix(100), at: 0, map: map) else {
            Issue.record("more is needed")
            return
        }
        #expect(more > 100 && more < count)
        #expect(KeyFrameExtent(of: segment[...], at: 0, map: nil) == .unknown)
    }

    /// A sheet of four stills, one a second.
    private func addSheet(_ film: SegmentedVideo) throws {
        let result = try Fixtures.run(
            "ffmpeg",
            [
                "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc2=s=96x64:r=25:d=4", "-vf",
                "select=not(mod(n\\,25)),tile=2x2", "-frames:v", "1", "-q:v", "2", film.path("sheet.jpg"),
            ])
        guard result.status == 0 else { throw Fixtures.Failure(description: String(decoding: result.errors, as: UTF8.self)) }
    }

    private func showsSheets(_ film: SegmentedVideo, _ manifest: String) throws {
        let origin = try film.origin()
        let extractor = FrameExtractor(.location(.url(origin.address + "/" + manifest)))
        defer { extractor.shutDown() }
        let exact = FrameExtractor(.location(.file(film.path(manifest))))
        defer { exact.shutDown() }
        for second in [2, 1, 3] {
            let picture = try still(extractor, Double(second) + 0.4)
            #expect(picture.time == .zero + .seconds(Double(second)))
            #expect(looksLike(picture.image, try still(exact, Double(second), isExact: true).image), "second \(second)")
        }
        #expect(origin.requests.filter { $0.target == "/sheet.jpg" }.count == 1)
        #expect(!origin.requests.contains { $0.target.hasSuffix(".ts") || $0.target.hasSuffix(".m4s") })
    }

    @Test func sheetsOfStillsAreUsedWhereHLSOffersThem() throws {
        let film = try SegmentedVideo(.transport)
        try addSheet(film)
        try film.rewrite("master.m3u8") {
            $0 + "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1000,RESOLUTION=96x64,CODECS=\"jpeg\",URI=\"images.m3u8\"\n"
        }
        try Data(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-VERSION:7
            #EXT-X-IMAGES-ONLY
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXTINF:4.0,
            #EXT-X-TILES:RESOLUTION=96x64,LAYOUT=2x2,DURATION=1.0
            sheet.jpg
            #EXT-X-ENDLIST

            """.utf8
        ).write(to: URL(filePath: film.path("images.m3u8")))
        try showsSheets(film, "master.m3u8")
    }

    @Test func tilesAreUsedWhereDASHOffersThem() throws {
        let film = try SegmentedVideo(.dashNumbers)
        try addSheet(film)
        let set = """
            <AdaptationSet id="9" mimeType="image/jpeg" contentType="image">
            <SegmentTemplate media="sheet.jpg" duration="4" timescale="1" startNumber="1"/>
            <Representation id="tiles" bandwidth="1000" width="192" height="128">
            <EssentialProperty schemeIdUri="http://dashif.org/guidelines/thumbnail_tile" value="2x2"/>
            </Representation></AdaptationSet></Period>
            """
        try film.rewrite("m.mpd") { $0.replacingOccurrences(of: "</Period>", with: set) }
        try showsSheets(film, "m.mpd")
    }

    @Test func aPlaylistOfKeyFramesIsUsed() throws {
        let film = try SegmentedVideo(.transport)
        var lines = [
            "#EXTM3U", "#EXT-X-TARGETDURATION:1", "#EXT-X-VERSION:4", "#EXT-X-I-FRAMES-ONLY", "#EXT-X-PLAYLIST-TYPE:VOD",
        ]
        for number in 0..<4 {
            let bytes = try [UInt8](Data(contentsOf: URL(filePath: film.path("s0_\(number).ts"))))
            guard case .bytes(let count) = KeyFrameExtent(of: bytes[...], at: 0, map: nil) else {
                throw Fixtures.Failure(description: "segment \(number) has one frame alone")
            }
            lines += ["#EXTINF:1.0,", "#EXT-X-BYTERANGE:\(count)@0", "s0_\(number).ts"]
        }
        try Data((lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n").utf8).write(to: URL(filePath: film.path("keys.m3u8")))
        try film.rewrite("master.m3u8") {
            $0 + "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1000,RESOLUTION=96x64,CODECS=\"avc1.42c00a\",URI=\"keys.m3u8\"\n"
        }
        let origin = try film.origin()
        let extractor = FrameExtractor(.location(.url(origin.address + "/master.m3u8")))
        defer { extractor.shutDown() }
        #expect(try still(extractor, 1.5).time == .zero + .seconds(1))
        let picture = try still(extractor, 2.9)
        #expect(picture.time == .zero + .seconds(2))
        let exact = FrameExtractor(.location(.file(film.path("master.m3u8"))))
        defer { exact.shutDown() }
        #expect(looksLike(picture.image, try still(exact, 2, isExact: true).image))
        #expect(origin.requests.map(\.target) == ["/master.m3u8", "/keys.m3u8", "/s0_1.ts", "/s0_2.ts"])
    }

    @Test func aFileThatIsBrokenIsLeftForTheNextWay() throws {
        let film = try SegmentedVideo(.transport)
        try film.rewrite("master.m3u8") {
            $0 + "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1000,RESOLUTION=96x64,CODECS=\"jpeg\",URI=\"none.m3u8\"\n"
        }
        let origin = try film.origin()
        let extractor = FrameExtractor(.location(.url(origin.address + "/master.m3u8")))
        defer { extractor.shutDown() }
        #expect(try still(extractor, 1.5).time == .zero + .seconds(1))
        #expect(origin.requests.contains { $0.target == "/s0_1.ts" })
    }
}
