import AetherCore
import AetherFormats
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine
@testable import AetherMedia

/// Subtitles in fragments of MP4 behind a manifest of DASH: each cue at its exact time.
@Suite struct TextSegmentTests {
    private static let corpus = Shared.path("corpus/livesim2/testpic_2s")

    /// The cues of a source's text track, beside its video.
    private func cues(_ location: MediaLocation, where isWanted: (StreamInfo) -> Bool = { _ in true }) throws -> [DecodedSubtitle]
    {
        let source = try StreamReading.open(location), streams = source.description.info.streams
        let text = try #require(streams.first { $0.kind == .subtitle && isWanted($0) })
        source.select(Set([text.id] + streams.filter { $0.kind == .video }.map(\.id)))
        var found: [DecodedSubtitle] = []
        while true {
            do throws(MediaError) {
                if case .cues(let cues, _, _) = try source.read(run: Epoch()) { found += cues }
            } catch {
                guard error.code == .endOfMedia else { throw error }
                return found
            }
        }
    }

    /// A film of DASH with a set of text more: four segments of a second, whose own time begins at 100 s.
    private func film(_ kind: TextFragments.Kind, _ segments: [[TextFragments.Sample]]) throws -> SegmentedVideo {
        let film = try SegmentedVideo(.dashNumbers), fragments = TextFragments(kind: kind)
        try Data(fragments.head).write(to: URL(filePath: film.path("t-init.mp4")))
        for (number, samples) in segments.enumerated() {
            try Data(fragments.segment(samples, at: 100_000 + number * 1000)).write(
                to: URL(filePath: film.path("t-\(number + 1).m4s")))
        }
        try film.rewrite("m.mpd") { text in
            let set = """
                <AdaptationSet contentType="text" mimeType="application/mp4" codecs="\(kind.rawValue)" lang="en">
                <SegmentTemplate timescale="1000" duration="1000" presentationTimeOffset="100000" initialization="t-init.mp4" media="t-$Number$.m4s"/>
                <Representation id="t" bandwidth="1000"/></AdaptationSet></Period>
                """
            return text.replacingOccurrences(of: "</Period>", with: set)
        }
        return film
    }

    private func times(_ cues: [DecodedSubtitle]) -> [[Int]] {
        cues.map { cue in [cue.start, cue.end ?? .zero].map { Int($0.nanoseconds / 1_000_000) } }
    }

    /// Two cues at once, one across a border, and stretches without any.
    @Test func webVTTInSegments() throws {
        let cues = TextFragments.cues
        let film = try film(
            .webVTT,
            [
                [cues([], 250), cues(["one"], 500), cues([], 250)], [cues([], 900), cues(["over"], 100)],
                [cues(["over"], 300), cues([], 700)],
                [cues(["a", "b"], 1000)],
            ])
        let found = try self.cues(.file(film.path("m.mpd")))
        #expect(found.map(\.lines) == [["one"], ["over"], ["over"], ["a"], ["b"]])
        #expect(times(found) == [[250, 750], [1900, 2000], [2000, 2300], [3000, 4000], [3000, 4000]])
    }

    private static func document(_ body: String) -> [UInt8] {
        Array(
            """
            <tt xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" xmlns:smpte="http://www.smpte-ra.org/schemas/2052-1/2010/smpte-tt"
            tts:extent="640px 360px"><head><layout><region xml:id="r" tts:origin="320px 300px" tts:extent="160px 36px"/></layout></head><body>\(body)</body></tt>
            """.utf8)
    }

    /// A sample counts in the media's own time, and is good for its own span of it.
    @Test func textOfTTMLInSegments() throws {
        let film = try film(
            .ttml,
            (0..<4).map { number in
                let body = "<div><p begin=\"\(100 + number).25s\" end=\"\(100 + number).75s\">line \(number)</p></div>"
                return [TextFragments.Sample(bytes: Self.document(body), duration: 1000)]
            })
        let found = try cues(.file(film.path("m.mpd")))
        #expect(found.map(\.lines) == (0..<4).map { ["line \($0)"] })
        #expect(times(found) == (0..<4).map { [$0 * 1000 + 250, $0 * 1000 + 750] })
    }

    /// Two images behind one document, red and half transparent green, with a transparent edge.
    @Test func imagesOfTTMLInSegments() throws {
        let folder = try TemporaryFolder()
        let files = try [("0xFF0000", "1.0"), ("0x00FF00", "0.5")].map { colour, alpha -> [UInt8] in
            let made = try Fixtures.run(
                "ffmpeg",
                [
                    "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i",
                    "color=\(colour):s=156x32,format=rgba,colorchannelmixer=aa=\(alpha),pad=160:36:2:2:color=black@0",
                    "-frames:v", "1", folder.path("i.png"),
                ])
            try #require(made.status == 0, "\(String(decoding: made.errors, as: UTF8.self))")
            return Array(try Data(contentsOf: URL(filePath: folder.path("i.png"))))
        }
        let body = """
            <div region="r" begin="100.2s" end="100.5s" smpte:backgroundImage="urn:mpeg:14496-30:subs:1"/>
            <div region="r" begin="100.5s" end="101s"><image src="urn:mpeg:14496-30:subs:2"/></div>
            <div region="r" begin="100.1s" end="101s" smpte:backgroundImage="urn:mpeg:14496-30:subs:3"/>
            """
        let film = try film(.ttml, [[TextFragments.Sample(bytes: Self.document(body) + files.flatMap { $0 }, duration: 1000)]])
        let found = try cues(.file(film.path("m.mpd")))
        #expect(times(found) == [[200, 500], [500, 1000]])
        let images = found.compactMap { cue -> SubtitleImage? in if case .image(let image) = cue.body { image } else { nil } }
        try #require(images.count == 2)
        for image in images {
            #expect(image.canvasSize == PixelSize(width: 640, height: 360) && image.x == 322 && image.y == 302)
            #expect(image.width == 156 && image.height == 32)
        }
        let (red, green) = (images[0].image.pixels[0], images[1].image.pixels[0])
        #expect(red == 0xFF00_00FF, "\(String(red, radix: 16))")
        #expect(
            (126...129).contains(green >> 24) && (126...129).contains(green >> 8 & 255) && green & 255 == 0,
            "\(String(green, radix: 16))")
    }

    /// Images in the document itself (Media3's test): their places, and their sizes against the frame's.
    @Test(.enabled(if: Shared.path("corpus/androidx") != nil, "\(Shared.missing)")) func imagesInADocument() throws {
        let path = try #require(Shared.path("corpus/androidx/ttml/bitmap_pixel_region.xml"), "\(Shared.missing)").path
        let streams = try SubtitleFile(location: .file(path), formatHint: nil, frameRate: nil, interrupt: Interrupt()).read()
        let found = try #require(streams.first).subtitles
        #expect(times(found) == [[200, 3000], [3200, 6937]])
        let images = found.compactMap { cue -> SubtitleImage? in if case .image(let image) = cue.body { image } else { nil } }
        try #require(images.count == 2)
        // 653 of 1280 and 86 of 720 pixels for an image of 368x72, 307 of them to the left of the frame.
        #expect(images[0].canvasSize == PixelSize(width: 721, height: 603) && images[0].x < 0)
        // 730 and 43 of them for one of 416x36.
        #expect(images[1].canvasSize == PixelSize(width: 729, height: 603) && (150...300).contains(images[1].x))
    }

    /// The DASH Industry Forum's own: images of 180x32 pixels at the foot of 640x360, and Swedish texts.
    @Test(.enabled(if: corpus != nil, "\(Shared.missing)")) func thePublishedSegmentsAreRead() throws {
        let path = try #require(Self.corpus).appending(path: "Manifest_imsc1.mpd").path
        let images = try cues(.file(path)) { $0.track?.language?.hasPrefix("en") == true }
        #expect(!images.isEmpty && times(images).allSatisfy { $0[1] > $0[0] && $0[1] <= 8000 })
        for cue in images {
            guard case .image(let image) = cue.body else {
                Issue.record("no image")
                continue
            }
            // The file has 250 pixels for a box of 180.
            let canvas = image.canvasSize, left = Double(image.x) / Double(canvas.width) * 640
            let right = Double(image.x + image.width) / Double(canvas.width) * 640
            #expect(canvas.height == 360 && image.y + image.height <= 331 && left >= 229 && right <= 411)
        }
        let texts = try cues(.file(path)) { $0.track?.language?.hasPrefix("sv") == true }
        #expect(texts.count >= 8 && texts.allSatisfy { !$0.lines.isEmpty })
    }
}
