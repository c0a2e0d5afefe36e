import AetherCore
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherEngine

@Suite struct TextRecognitionTests {
    /// A program that says what it was given, in place of the real one.
    private func program(_ script: String, in folder: TemporaryFolder) throws -> Tesseract {
        let path = folder.path("tesseract")
        try ProgramFile.write(script, to: path)
        let found = try #require(Tesseract.find(in: "relative:/nowhere:" + folder.path("")))
        // With patience that no busy machine uses up.
        return Tesseract(path: found.path, patience: .seconds(60))
    }

    /// The picture is larger than what the system holds for it.
    @Test func aProgramThatDoesNotReadIsGivenUp() throws {
        let folder = try TemporaryFolder()
        let path = try program("exec sleep 600", in: folder).path
        let large = SubtitleImage(
            width: 2000, height: 1000, indices: [UInt8](repeating: 1, count: 2_000_000), palette: [0, 0xFFFF_FFFF], x: 0, y: 0,
            canvasSize: PixelSize(width: 2000, height: 1000), isForced: false)
        let text = Tesseract(path: path, patience: .milliseconds(300)).text(in: try #require(GreyBitmap(large)), language: nil)
        #expect(text.isEmpty)
    }

    private func cue(_ id: Int, y: Int = 500, canvas: PixelSize = PixelSize(width: 720, height: 576)) -> SubtitleCue {
        let image = SubtitleImage(
            width: 40, height: 20, indices: [UInt8](repeating: 1, count: 800), palette: [0, 0xFFFF_FFFF], x: 100, y: y,
            canvasSize: canvas,
            isForced: false)
        return SubtitleCue(id: id, track: TrackID(.container, 2), start: .zero, end: .seconds(1), body: .image(image))
    }

    private func picture() throws -> GreyBitmap {
        guard case .image(let image) = cue(1).body else { throw CancellationError() }
        return try #require(GreyBitmap(image))
    }

    @Test func aImageIsDarkOnLightAndLarge() throws {
        let picture = try picture()
        #expect((picture.width, picture.height) == (100, 60))
        #expect(picture.pixels[0] == 255 && picture.pixels[30 * 100 + 50] <= 1)
        #expect(String(decoding: picture.pgm.prefix(14), as: UTF8.self) == "P5\n100 60\n255\n" && picture.pgm.count == 6014)
    }

    @Test func theProgramGetsTheImageAndTheLanguage() throws {
        let folder = try TemporaryFolder()
        let tesseract = try program("echo \"$@\" \"$OMP_THREAD_LIMIT\"; wc -c", in: folder)
        #expect(
            tesseract.text(in: try picture(), language: "deu").split(whereSeparator: \.isWhitespace).joined(separator: " ")
                == "- - --psm 6 -l deu 1 6014")
        // A text that is no language code is no argument.
        #expect(!tesseract.text(in: try picture(), language: "--x").contains("-l"))
    }

    @Test func aLanguageItDoesNotKnowIsLeftOut() throws {
        let folder = try TemporaryFolder()
        let tesseract = try program("[ $# -eq 4 ] && echo default", in: folder)
        #expect(tesseract.text(in: try picture(), language: "xxx") == "default\n")
    }

    /// It dies before it has read, says nothing, or has been stopped: no text, and no signal for us.
    @Test(arguments: ["exit 1", "exec <&-; exit 0", "kill -9 $$"]) func aProgramThatFailsIsNoText(_ script: String) throws {
        let folder = try TemporaryFolder()
        let tesseract = try program(script, in: folder)
        #expect(tesseract.text(in: try picture(), language: nil) == "")
        tesseract.stop()
        #expect(tesseract.text(in: try picture(), language: nil) == "")
    }

    @Test(
        arguments: [(" Hello  |\n\n", "Hello I"), ("a\u{1B}[31m\n\u{C}b", "a[31m\nb"), ("\n \u{C}", nil)] as [(String, String?)])
    func whatItSaysIsSafeText(_ text: String, _ lines: String?) {
        #expect(TextRecognition.body(text)?.lines.joined(separator: "\n") == lines)
    }

    @Test(arguments: [(500, nil), (20, 8), (240, 5)] as [(Int, Int?)]) func aTextStandsWhereItsImageStood(
        _ y: Int, _ alignment: Int?
    ) {
        guard case .image(let image) = cue(1, y: y).body else { return }
        #expect(TextRecognition.placement(image)?.alignment == alignment)
    }

    static let demands: [(RasterDemand, Bool)] = [
        (RasterDemand(box: PixelSize(width: 160, height: 90), pixelAspect: 1, burning: .images), true),
        (RasterDemand(box: PixelSize(width: 160, height: 239), pixelAspect: 1, burning: .images), true),
        (RasterDemand(box: PixelSize(width: 400, height: 240), pixelAspect: 1, burning: .images), false),
        (RasterDemand(box: PixelSize(width: 160, height: 90), pixelAspect: 1, burning: .styled), false),
        (RasterDemand(box: PixelSize(width: 160, height: 90), pixelAspect: 1, burning: .none), false),
        (RasterDemand(box: nil, pixelAspect: 1, burning: .images), false),
    ]

    @Test(arguments: demands.indices) func onlySmallPicturesAreRead(_ index: Int) throws {
        let (demand, isWanted) = Self.demands[index]
        let recognition = TextRecognition(demand: { demand }, changed: {})
        #expect(recognition.isWanted == isWanted)
    }

    @Test func whatIsWantedIsReadOnceAndShownAsText() throws {
        let folder = try TemporaryFolder()
        let tesseract = try program("cat >/dev/null; echo x >> \(folder.path("runs")); echo Words", in: folder)
        let count = Monitor(0)
        let demand = Self.demands[0].0
        let recognition = TextRecognition(demand: { demand }, changed: { count.update { $0 += 1 } })
        let thread = WorkerThread(name: "ocr") { recognition.run(tesseract) }
        let (first, second) = (cue(1), cue(2, y: 10))
        #expect(recognition.text(of: first) == nil)
        recognition.want(first)
        recognition.want(second)
        recognition.want(first)
        let done = count.wait(until: SystemTime().now() + .seconds(60)) { $0 == 2 ? true : nil }
        #expect(done == true)
        recognition.want(first)
        let text = try #require(recognition.text(of: second))
        #expect(text.lines == ["Words"] && text.placement?.alignment == 8 && text.id == 2 && text.start == second.start)
        recognition.stop()
        thread.join()
        #expect(try String(contentsOfFile: folder.path("runs"), encoding: .utf8).count == 4)
        // After the end nothing is wanted, and pictures are pictures.
        #expect(!recognition.isWanted && recognition.text(of: first) == nil)
    }

    /// The program waits to be told: the cue is wanted again while it is read.
    @Test func whatIsReadIsNotReadOnceMore() throws {
        let folder = try TemporaryFolder(), begun = folder.path("begun"), goOn = folder.path("go")
        for path in [begun, goOn] { try #require(mkfifo(path, 0o600) == 0) }
        let tesseract = try program(
            "cat >/dev/null; echo x >> \(folder.path("runs")); echo > \(begun); read x < \(goOn); echo Words", in: folder)
        let count = Monitor(0), demand = Self.demands[0].0
        let recognition = TextRecognition(demand: { demand }, changed: { count.update { $0 += 1 } })
        let thread = WorkerThread(name: "ocr") { recognition.run(tesseract) }
        recognition.want(cue(1))
        for number in 1...2 {
            _ = try FileHandle(forReadingAtPath: begun)?.readToEnd()
            recognition.want(cue(2, y: 10))
            // The newest is read first: it would be this one again.
            recognition.want(cue(1))
            try FileHandle(forWritingAtPath: goOn)?.write(contentsOf: Data("\n".utf8))
            #expect(count.wait(until: SystemTime().now() + .seconds(60)) { $0 == number ? true : nil } == true)
        }
        #expect(recognition.text(of: cue(2, y: 10)) != nil)
        recognition.stop()
        thread.join()
        #expect(try String(contentsOfFile: folder.path("runs"), encoding: .utf8).count == 4)
    }

    @Test func stoppingBreaksOffWhatHangs() throws {
        let folder = try TemporaryFolder()
        let tesseract = try program("echo started > \(folder.path("fifo")); exec sleep 1000", in: folder)
        try #require(mkfifo(folder.path("fifo"), 0o600) == 0)
        let demand = Self.demands[0].0
        let recognition = TextRecognition(demand: { demand }, changed: {})
        let thread = WorkerThread(name: "ocr") { recognition.run(tesseract) }
        recognition.want(cue(1))
        // Blocks until the program runs.
        let fifo = try #require(FileHandle(forReadingAtPath: folder.path("fifo")))
        #expect(try fifo.readToEnd() == Data("started\n".utf8))
        recognition.stop()
        thread.join()
    }

    /// The real one, on a picture of the corpus.
    private static let corpus = Fixtures.shared?.appendingPathComponent("corpus")

    @Test(
        .enabled(
            if: corpus != nil && Tesseract.find(in: "/usr/bin:/usr/local/bin") != nil,
            "the shared corpus or tesseract is not here"))
    func tesseractReadsADisc() throws {
        let path = try #require(Self.corpus).appendingPathComponent("androidx/mkv/sample_with_pgs_subtitles.mkv").path
        let stream = try #require(
            try SubtitleFile(location: .file(path), formatHint: nil, frameRate: nil, interrupt: Interrupt()).read().first)
        let tesseract = try #require(Tesseract.find(in: "/usr/bin:/usr/local/bin"))
        let body = try #require(stream.subtitles.first { $0.body != nil }?.body)
        guard case .image(let image) = body else { return }
        let text = tesseract.text(in: try #require(GreyBitmap(image)), language: nil)
        #expect(TextRecognition.body(text)?.lines == ["This is the first subtitle."])
    }
}
