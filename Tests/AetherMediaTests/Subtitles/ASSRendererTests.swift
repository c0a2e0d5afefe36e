import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherMedia

@Suite struct ASSRendererTests {
    private static let corpus = Fixtures.shared?.appendingPathComponent("corpus")
    private static let size = PixelSize(width: 640, height: 360)

    static let script = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 640
        PlayResY: 360

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,DejaVu Sans,30,&H00FFFFFF,&H000000FF,&H00000000,&H80000000,-1,0,0,0,100,100,0,0,1,2,1,2,10,10,20,1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        Dialogue: 0,0:00:00.00,0:00:04.00,Default,,0,0,0,,A line of text\\Nand a second one
        Dialogue: 1,0:00:00.00,0:00:04.00,Default,,0,0,0,,{\\an7\\pos(40,30)\\1c&H00FFFF&\\frz10}Sign
        Dialogue: 1,0:00:00.00,0:00:04.00,Default,,0,0,0,,{\\an5\\pos(320,180)\\k50}ka{\\k50}ra{\\k100}oke
        Dialogue: 2,0:00:00.00,0:00:04.00,Default,,0,0,0,,{\\an7\\pos(500,60)\\p1\\1c&H0000FF&}m 0 0 l 80 0 80 60 0 60{\\p0}

        """

    /// A script's header and events, through libavformat.
    private func read(_ path: String) throws -> (header: String, events: [DecodedSubtitle], fonts: [FontAttachment]) {
        var demuxer = try Demuxer(.url("file:" + path), options: OpenOptions(analysis: .full), interrupt: Interrupt())
        let stream = try #require(demuxer.info.decodable(.subtitle).first)
        var decoder = try SubtitleDecoder(stream.parameters)
        let events = try DecodedSource.allPackets(&demuxer).flatMap { try decoder.decode($0) }
        return (try #require(stream.track?.assHeader), events, demuxer.info.fontAttachments)
    }

    private func renderer(_ path: String, size: PixelSize) throws -> ASSRenderer {
        let script = try read(path)
        var renderer = try ASSRenderer(header: script.header, fonts: script.fonts)
        renderer.setFrame(size, pixelAspect: 1, storage: size)
        for (number, event) in script.events.enumerated() {
            guard let markup = event.markup else { continue }
            let isTaken = renderer.add(markup, number: number, start: event.start, end: event.end ?? event.start)
            #expect(isTaken)
        }
        return renderer
    }

    /// Grey with a gradient: what is drawn can be seen, light or dark.
    private static func ground(_ size: PixelSize) -> RasterImage {
        var image = RasterImage(width: size.width, height: size.height)
        for y in 0..<size.height {
            for x in 0..<size.width { image[x, y] = RasterImage.rgb(UInt8(60 + x % 128), 110, UInt8(60 + y % 128)) }
        }
        return image
    }

    private func bytes(_ image: RasterImage) -> [UInt8] {
        image.pixels.flatMap { [UInt8($0 & 255), UInt8($0 >> 8 & 255), UInt8($0 >> 16 & 255)] }
    }

    /// The image that ffmpeg's `ass` filter makes of the same background at the same time.
    private func reference(_ path: String, _ ground: RasterImage, at seconds: Double) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let raw = folder.path("ground.rgb")
        try Data(bytes(ground)).write(to: URL(fileURLWithPath: raw))
        let script = folder.path("script.ass")
        try FileManager.default.copyItem(atPath: path, toPath: script)
        let made = try Fixtures.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "\(ground.width)x\(ground.height)", "-r", "25", "-i",
                raw, "-vf",
                "setpts=PTS+\(seconds)/TB,ass=\(script)", "-f", "rawvideo", "-pix_fmt", "rgb24", "-",
            ])
        return [UInt8](made.output)
    }

    /// Mean SSIM of the luma over 8×8 windows at steps of 4 (Wang et al. 2004, constants 0.01 and 0.03).
    private func ssim(_ a: [UInt8], _ b: [UInt8], _ size: PixelSize) -> Double {
        func luma(_ c: [UInt8]) -> [Double] {
            var result: [Double] = []
            for index in stride(from: 0, to: c.count, by: 3) {
                let (red, green, blue) = (Double(c[index]), Double(c[index + 1]), Double(c[index + 2]))
                result.append(0.299 * red + 0.587 * green + 0.114 * blue)
            }
            return result
        }
        let (left, right) = (luma(a), luma(b))
        var sum = 0.0, count = 0.0
        for y in stride(from: 0, through: size.height - 8, by: 4) {
            for x in stride(from: 0, through: size.width - 8, by: 4) {
                var (ma, mb, aa, bb, ab) = (0.0, 0.0, 0.0, 0.0, 0.0)
                for v in 0..<8 {
                    for u in 0..<8 {
                        let (p, q) = (left[(y + v) * size.width + x + u], right[(y + v) * size.width + x + u])
                        (ma, mb) = (ma + p, mb + q)
                        (aa, bb, ab) = (aa + p * p, bb + q * q, ab + p * q)
                    }
                }
                (ma, mb) = (ma / 64, mb / 64)
                let va = aa / 64 - ma * ma, vb = bb / 64 - mb * mb, cov = ab / 64 - ma * mb
                let above: Double = (2 * ma * mb + 6.5025) * (2 * cov + 58.5225)
                let below: Double = (ma * ma + mb * mb + 6.5025) * (va + vb + 58.5225)
                sum += above / below
                count += 1
            }
        }
        return sum / count
    }

    private func likeness(_ path: String, at seconds: Double, size: PixelSize = size) throws -> (ssim: Double, changed: Int) {
        var renderer = try renderer(path, size: size)
        let ground = Self.ground(size)
        var ours = ground
        renderer.layer(at: .seconds(seconds))?.blend(onto: &ours)
        let theirs = try reference(path, ground, at: seconds)
        try #require(theirs.count == ours.pixels.count * 3)
        return (ssim(bytes(ours), theirs, size), zip(ours.pixels, ground.pixels).count { $0 != $1 })
    }

    @Test func drawsWhatFFmpegDraws() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("script.ass")
        try Self.script.write(toFile: path, atomically: true, encoding: .utf8)
        for seconds in [0.2, 1, 3.5] {
            let (ssim, changed) = try likeness(path, at: seconds)
            #expect(ssim >= 0.98)
            #expect(changed > 5000)
        }
    }

    /// Every script of the corpus, in the middle of its first events and of its last.
    @Test(.enabled(if: corpus != nil, "the shared corpus is not here")) func drawsTheCorpusAsFFmpegDoes() throws {
        let corpus = try #require(Self.corpus)
        let walk = try #require(FileManager.default.enumerator(atPath: corpus.path))
        let scripts = walk.compactMap { $0 as? String }.filter { $0.hasSuffix(".ass") || $0.hasSuffix(".ssa") }.sorted()
        try #require(scripts.count >= 8)
        var worst = 1.0, count = 0
        for script in scripts {
            let path = corpus.appendingPathComponent(script).path
            let events = try read(path).events.filter { $0.markup != nil }
            for event in events.prefix(3) + events.suffix(1) {
                let end = event.end ?? event.start
                // The frame that ffmpeg is asked for, in whole hundredths.
                let middle = (event.start + (end - event.start).scaled(by: 0.4)).seconds
                let (ssim, _) = try likeness(path, at: (middle * 100).rounded() / 100)
                #expect(ssim >= 0.98, "\(script) at \(middle)")
                (worst, count) = (min(worst, ssim), count + 1)
            }
        }
        #expect(count >= 16 && worst >= 0.98)
    }

    @Test func whatHasNotChangedIsTheSamePatch() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("script.ass")
        try Self.script.replacingOccurrences(of: "\\\\k50", with: "").write(toFile: path, atomically: true, encoding: .utf8)
        var renderer = try renderer(path, size: Self.size)
        let layers = (renderer.layer(at: .seconds(3)), renderer.layer(at: .seconds(3.04)), renderer.layer(at: .seconds(5)))
        #expect(layers.0 != nil && layers.0 == layers.1 && layers.2 == nil)
    }

    @Test func hostileScriptsAreBounded() throws {
        var renderer = try ASSRenderer(
            header: String(repeating: "[V4+ Styles]\nStyle: \u{0}", count: 1000),
            fonts: [
                FontAttachment(filename: "../../etc/passwd", mimeType: "font/ttf", data: [UInt8](repeating: 0xFF, count: 4096))
            ])
        renderer.setFrame(PixelSize(width: 320, height: 180), pixelAspect: .nan, storage: PixelSize(width: .max, height: -1))
        let events = [
            "0,Default,,0,0,0,,{\\fs99999999\\blur999999\\fn/etc/passwd}X",
            "0,Default,,0,0,0,,{\\t(0,99999999,\\fscx1e9)}" + String(repeating: "{\\k1}a", count: 5000),
            "0,Default,,0,0,0,,{\\p1}m " + String(repeating: "9999999 -9999999 l ", count: 2000), "", ",,,,,,,",
            "0,Default,,0,0,0,,{\\",
        ]
        for (number, event) in events.enumerated() { _ = renderer.add(event, number: number, start: .zero, end: .seconds(10)) }
        for step in 0..<5 { _ = renderer.layer(at: .seconds(Double(step))) }
        for number in 0..<ASSRenderer.eventLimit {
            _ = renderer.add("0,Default,,0,0,0,,x", number: 100 + number, start: .seconds(20), end: .seconds(21))
        }
        let isTaken = renderer.add("0,Default,,0,0,0,,x", number: 99_999, start: .zero, end: .seconds(1))
        #expect(!isTaken)
    }

    @Test(arguments: [
        ("{\\fs40}x", "{\\fs40}x"), ("{\\fs99999}x", "{\\fs2000}x"), ("{\\blur900\\bord-999}x", "{\\blur40\\bord-200}x"),
        ("a\\Nb", "a\\Nb"),
        ("{\\fscx6000.5}x", "{\\fscx5000}x"), ("{\\pos(1,2)\\p1}m 0 0", "{\\pos(1,2)\\p1}m 0 0"), ("plain", "plain"),
        // Digits behind the bracket are no part of the number, and must not become one.
        ("{\\fs(9999)9}x", "{\\fs(2000)9}x"), ("{\\p( 20)0}x", "{\\p(16)0}x"), ("{\\blur(900}x", "{\\blur(40}x"),
    ])
    func numbersOfOverridesAreBounded(_ given: String, _ bounded: String) {
        #expect(ASSLimits(canvasHeight: 2000).bounded(given).markup == bounded)
    }

    /// libass holds all letters of a picture at once, whatever its cache may: it is letters and their size that cost.
    @Test func lettersAreBoundedByWhatTheyCover() {
        let limits = ASSLimits(letterHeights: ["Default": 0.05, "Huge": 2], canvasHeight: 1000)
        func kept(_ markup: String) -> Int { limits.bounded(markup).markup.count { $0 == "x" } }
        let long = String(repeating: "x", count: 20_000)
        #expect(
            kept("0,Default,,0,0,0,,\(String(repeating: "x", count: 3000))") == 3000 && kept("0,Default,,0,0,0,,\(long)") < 4000)
        #expect(kept("0,Huge,,0,0,0,,\(long)") <= 16 && kept("0,Unknown,,0,0,0,,\(long)") <= 16)
        let blocks = [
            "\\fs2000", "\\fs 2000", "\\fs(2000)", "\\ fs2e3", "\\fscx4000", "\\bord200\\fs400\\blur40", "\\fs+400",
            // Nothing is the style's size again, and a sign that is lost no longer refers to it.
            "\\fs0\\fscx800", "\\fs-10\\fscx800", "\\fs0\\fs+9999", "\\fs0\\fs--5",
        ]
        for block in blocks {
            #expect(kept("0,Default,,0,0,0,,{\(block)}\(long)") < 600, "\(block)")
        }
        // Letters of next to no size: as many as there may be, not more than an integer holds.
        for tiny in ["\\fs0.0000001", "\\fs1e-300", "\\fs1e-7\\bord0"] {
            #expect((1...4000).contains(kept("0,Default,,0,0,0,,{\(tiny)}\(long)")), "\(tiny)")
        }
        #expect(ASSLimits(letterHeights: ["Default": 1e-10]).bounded("0,Default,,0,0,0,,xx").area < 1e-9)
        // Drawings have no letters.
        let drawing = "0,Default,,0,0,0,,{\\p1}m 0 0 " + String(repeating: "l 10 20 ", count: 5000)
        #expect(limits.bounded(drawing).markup == drawing)
    }

    /// Thousands of lines at once, each turning: those that are too many are left out, those of other times are not.
    @Test func eventsAreBoundedByWhatStandsAtOnce() async {
        // In a process of its own, as below: the heap of this one is that of all tests.
        await #expect(processExitsWith: .success) {
            var renderer = try ASSRenderer(header: ASSRendererTests.script, fonts: [])
            renderer.setFrame(PixelSize(width: 1280, height: 720), pixelAspect: 1, storage: nil)
            for number in 0..<3900 {
                let text = "0,Default,,0,0,0,,{\\pos(\(number % 640),\(number % 360))\\t(0,9000,\\frz360)}Hello world \(number)"
                let isTaken = renderer.add(text, number: number, start: .zero, end: .seconds(9))
                #expect(isTaken)
            }
            _ = renderer.add("0,Default,,0,0,0,,Later", number: 9000, start: .seconds(10), end: .seconds(11))
            let before = HeapUse.bytes
            for step in 1...3 { _ = renderer.layer(at: .seconds(Double(step))) }
            let grown = HeapUse.bytes - before
            #expect(grown < 400 << 20, "\(grown >> 20) MB")
            let later = renderer.layer(at: .seconds(10.5))
            #expect(later != nil)
        }
    }

    /// A page full of the largest letters and edges in the largest picture that a terminal has.
    @Test(arguments: [
        "{\\fs2000}", "{\\fs(1999)\\bord200\\blur40}", "{\\fscx5000\\fscy5000}", "{\\be40\\fs700}", "{\\fs1e9}",
        "{\\fs2000\\t(0,5000,\\frz720)}",
    ])
    func theWorstOfScriptsTakesAMomentAndSomeMegabytes(_ block: String) async {
        await #expect(processExitsWith: .success) { [block] in
            let letters = String((0..<16_000).map { Character(UnicodeScalar(33 + $0 % 90) ?? "x") })
                .filter { !"{}\\".contains($0) }
            let header = ASSRendererTests.script.replacingOccurrences(of: "Sans,30", with: "Sans,99999999")
            var renderer = try ASSRenderer(header: header, fonts: [])
            renderer.setFrame(PixelSize(width: 1920, height: 1080), pixelAspect: 1, storage: nil)
            _ = renderer.add("0,Default,,0,0,0,," + block + letters, number: 1, start: .zero, end: .seconds(9))
            let began = CPUTime.ofThread, before = HeapUse.bytes
            _ = renderer.layer(at: .seconds(1))
            let span = CPUTime.ofThread - began, grown = HeapUse.bytes - before
            #expect(span < .seconds(2) && grown < 400 << 20, "\(block): \(span.seconds) s, \(grown >> 20) MB")
        }
    }
}

@Suite struct SubtitleScalerTests {
    private func square(_ canvas: PixelSize, x: Int, y: Int, width: Int, height: Int) -> SubtitleImage {
        SubtitleImage(
            width: width, height: height, indices: [UInt8](repeating: 1, count: width * height), palette: [0, 0xFFFF_FFFF], x: x,
            y: y,
            canvasSize: canvas, isForced: false)
    }

    @Test func theCanvasLiesOverTheImage() throws {
        let subtitle = square(PixelSize(width: 1920, height: 1080), x: 480, y: 900, width: 960, height: 90)
        let half = try #require(SubtitleScaler.layer(subtitle, on: PixelSize(width: 960, height: 540), pixelAspect: 1))
        #expect((half.x, half.y, half.image.width, half.image.height) == (240, 450, 480, 45))
        #expect(half.image.pixels.allSatisfy { $0 == 0xFFFF_FFFF })
        // A film cut to 2.4:1: the line that lay in the black bar is moved onto the picture.
        let cut = try #require(SubtitleScaler.layer(subtitle, on: PixelSize(width: 1920, height: 800), pixelAspect: 1))
        #expect((cut.x, cut.image.width, cut.image.height) == (480, 960, 90))
        #expect(cut.y == 800 - 90 || cut.y + 90 <= 800)
    }

    @Test func thinStrokesStayLegibleWhenSmall() throws {
        // One line of eight is white: an eighth of the cover, of which at least a quarter is kept.
        var indices = [UInt8](repeating: 0, count: 64 * 64)
        for x in 0..<64 { for y in stride(from: 0, to: 64, by: 8) { indices[y * 64 + x] = 1 } }
        let image = SubtitleImage(
            width: 64, height: 64, indices: indices, palette: [0, 0xFFFF_FFFF], x: 0, y: 0,
            canvasSize: PixelSize(width: 64, height: 64),
            isForced: false
        ).image
        let small = SubtitleScaler.scaled(image, width: 8, height: 8)
        let mean = small.pixels.reduce(0) { $0 + Int($1 >> 24) } / 64
        #expect(mean >= 56 && mean <= 80)
        #expect(small.pixels.allSatisfy { $0 >> 24 >= $0 & 255 })
    }

    @Test func blendingIsThatOfTheFormula() {
        for front in [(0, 0), (255, 255), (128, 100), (1, 1), (254, 3)] as [(UInt32, UInt32)] {
            for back in [0, 1, 127, 254, 255] as [UInt32] {
                let (alpha, value) = front
                let over = SubtitleLayer.over(
                    alpha << 24 | value << 16 | value << 8 | value, 0xFF00_0000 | back << 16 | back << 8 | back)
                let exact = Double(value) + Double(back) * Double(255 - alpha) / 255
                for shift in [0, 8, 16] as [UInt32] { #expect(abs(Double(over >> shift & 255) - exact) <= 1) }
                #expect(over >> 24 == 255)
            }
        }
    }
}
