import AetherCore
import AetherTestSupport
import CBoxTrial
import Foundation
import Testing

@testable import AetherBox
@testable import AetherMedia

/// Subtitles that are decoded and drawn in a box are those that come without.
@Suite(.enabled(if: !Sanitizer.isOn, "a sanitizer takes more memory and calls than the box has")) struct BoxedSubtitleTests {
    private static let script = """
        1
        00:00:01,000 --> 00:00:02,500
        <i>First</i> line
        second line

        2
        00:00:03,000 --> 00:00:04,000
        {\\an8}Top & bottom

        3
        00:00:05,000 --> 00:00:06,000
        <font color="#ff0000">Red</font> words

        """

    @Test(arguments: [
        "Привет, как дела? Это обычный русский текст.", "Zażółć gęślą jaźń, mówię cicho.", "これは字幕のテストです。こんにちは", "plain", "",
    ])
    func theCharacterSetOfATextIsGuessedAlike(_ text: String) {
        for encoding in [String.Encoding.utf8, .windowsCP1251, .windowsCP1250, .shiftJIS, .utf16] {
            guard let bytes = text.data(using: encoding).map({ Array($0) }) else { continue }
            #expect(BoxedFixture.box.characterSet(of: bytes) ?? "" == CharacterSetGuess.here(bytes) ?? "", "\(encoding)")
        }
    }

    @Test func aTextThatEndsItsReaderHasNoCharacterSet() throws {
        let (box, folder) = try BoxedFixture.breaking("guesscrash-2-2")
        let text = Array("Привет, как дела?".data(using: .windowsCP1251) ?? Data())
        let names = (0..<3).map { _ in box.characterSet(of: text) }
        #expect(names[0] == "WINDOWS-1251" && names[1] == nil && names[2] == names[0], "\(folder.url.path): \(names)")
    }

    /// A file of these texts in a codec.
    private func file(_ codec: String, _ container: String, in folder: TemporaryFolder) throws -> String {
        let source = folder.path("source.srt"), path = folder.path("texts.\(container)")
        try Self.script.write(toFile: source, atomically: true, encoding: .utf8)
        let made = try Fixtures.run("ffmpeg", ["-v", "error", "-i", source, "-c:s", codec, path])
        try #require(made.status == 0, "\(String(decoding: made.errors, as: UTF8.self))")
        return path
    }

    /// The subtitles of a file, decoded in `box`; the demuxer is in this process. Flushed once in between.
    private func subtitles(
        _ path: String, box: (any MediaBox)?
    ) throws -> (texts: [DecodedSubtitle], damage: Int, error: MediaError?) {
        var demuxer = try BoxedFixture.demuxer(path, box: nil, analysis: .full)
        let stream = try #require(demuxer.info.streams.first { $0.kind == .subtitle })
        var record = RecordWriter()
        ParametersRecord.put(stream.parameters, to: &record)
        var reader = RecordReader(record.bytes)
        let parameters = ParametersRecord.parameters(&reader, box: box)
        let room = SubtitleRoom()
        var decoder = try SubtitleDecoder(parameters, room: room), texts: [DecodedSubtitle] = []
        // Another one of the same process changes nothing.
        var other = try SubtitleDecoder(parameters, teletextPage: 888, room: room)
        do throws(MediaError) {
            for packet in try BoxedFixture.packets(&demuxer) {
                texts += try decoder.decode(packet)
                other.flush()
            }
        } catch {
            return (texts, decoder.damageCount, error)
        }
        return (texts, decoder.damageCount, nil)
    }

    @Test(arguments: [("subrip", "mkv"), ("ass", "mkv"), ("mov_text", "mp4"), ("webvtt", "webm")])
    func textsAreAlike(_ codec: String, _ container: String) throws {
        let folder = try TemporaryFolder()
        let path = try file(codec, container, in: folder)
        let here = try subtitles(path, box: nil), there = try subtitles(path, box: BoxedFixture.box)
        #expect(here.texts.count == 3 && there.error == nil)
        #expect(there.texts == here.texts && there.damage == here.damage)
    }

    @Test func decoderThatBreaksOnceLosesThatText() throws {
        let folder = try TemporaryFolder()
        let path = try file("subrip", "mkv", in: folder)
        let (box, link) = try BoxedFixture.breaking("textcrash-2900-3100")
        defer { withExtendedLifetime(link) {} }
        let (texts, damage, error) = try subtitles(path, box: box)
        #expect(error == nil && damage == 1)
        #expect(texts.map(\.start) == [.seconds(1), .seconds(5)])
    }

    @Test func decoderThatBreaksAlwaysIsGivenUpWithOneSentence() throws {
        let folder = try TemporaryFolder()
        let path = try file("subrip", "mkv", in: folder)
        let (box, link) = try BoxedFixture.breaking("textlie-0-9000")
        defer { withExtendedLifetime(link) {} }
        let (texts, _, error) = try subtitles(path, box: box)
        #expect(texts.isEmpty)
        #expect(error?.description == "cannot decode subtitles: its decoder said what makes no sense")
    }

    // MARK: - Scripts

    private static let header = """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 640
        PlayResY: 360

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, \
        StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
        Style: Default,DejaVu Sans,30,&H00FFFFFF,&H000000FF,&H00000000,&H80000000,-1,0,0,0,100,100,0,0,1,2,1,2,10,10,20,1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        """

    /// The layers of some times, drawn in `box`.
    private func layers(box: (any MediaBox)?, times: [Double], look: SubtitleLook = SubtitleLook()) throws -> [SubtitleLayer?] {
        var renderer = try ASSRenderer(header: Self.header, fonts: [], box: box)
        renderer.setFrame(PixelSize(width: 640, height: 360), pixelAspect: 1, storage: nil)
        renderer.setLook(look, isScript: true)
        let events = [
            ("0,Default,,0,0,0,,A line of text", 0.0, 4.0), ("1,Default,,0,0,0,,{\\an7\\pos(40,30)\\frz10}Sign", 1, 5),
            ("1,Default,,0,0,0,,{\\an5\\pos(320,180)\\k50}ka{\\k50}ra{\\k100}oke", 2, 6),
        ]
        for (number, event) in events.enumerated() {
            let isTaken = renderer.add(event.0, number: number, start: .seconds(event.1), end: .seconds(event.2))
            #expect(isTaken)
        }
        return times.map { renderer.layer(at: .seconds($0)) }
    }

    @Test func scriptsAreDrawnAlike() throws {
        let times = [0.5, 0.6, 1.5, 2.2, 2.7, 3.5, 4.5, 5.5, 7]
        let here = try layers(box: nil, times: times)
        #expect(here.prefix(8).allSatisfy { $0 != nil } && here.last == .some(nil))
        #expect(try layers(box: BoxedFixture.box, times: times) == here)
        var look = SubtitleLook()
        (look.font, look.size, look.colour, look.overridesScripts) = ("DejaVu Serif", 24, 0xFFE000, true)
        let looked = try layers(box: nil, times: times, look: look)
        #expect(looked != here)
        #expect(try layers(box: BoxedFixture.box, times: times, look: look) == looked)
    }

    @Test func fontsOfTheSystemAreFound() throws {
        // A font that is not the fallback draws other letters.
        func drawn(_ font: String) throws -> SubtitleLayer? {
            let header = Self.header.replacing("DejaVu Sans", with: font)
            var renderer = try ASSRenderer(header: header, fonts: [], box: BoxedFixture.box)
            renderer.setFrame(PixelSize(width: 640, height: 360), pixelAspect: 1, storage: nil)
            _ = renderer.add("0,Default,,0,0,0,,Wider words", number: 1, start: .zero, end: .seconds(1))
            return renderer.layer(at: .zero)
        }
        let sans = try drawn("DejaVu Sans")
        #expect(sans != nil)
        #expect(try drawn("DejaVu Sans Mono") != sans)
    }

    @Test func rendererThatBreaksOnceGoesOn() throws {
        let (box, link) = try BoxedFixture.breaking("drawcrash-2-2")
        defer { withExtendedLifetime(link) {} }
        // The second frame ends the worker; it is the first one of the worker in its place.
        let times = [0.5, 1.5], here = try layers(box: nil, times: times)
        #expect(try layers(box: box, times: times) == here)
    }

    @Test func rendererThatBreaksAlwaysIsGivenUp() throws {
        let (box, link) = try BoxedFixture.breaking("drawcrash-1-1")
        defer { withExtendedLifetime(link) {} }
        #expect(try layers(box: box, times: [0.5, 1.5]) == [nil, nil])
    }

    // MARK: - The worker that reads fonts

    private func attempt(_ attack: trial) throws(BoxFault) -> Int32 {
        var worker = try BoxWorker(
            path: BoxTests.program, arguments: ["fonts", NSTemporaryDirectory()], patience: .seconds(60))
        return Int32(try worker.answer(to: BoxMessage(.trial, [UInt8(attack.rawValue)])).bytes.first ?? 255)
    }

    @Test(.enabled(if: BoxTests.hasFilters, "the kernel has no seccomp filters"))
    func filesThatAreNoFontsAreRefused() throws {
        var worker = try BoxWorker(path: BoxTests.program, arguments: ["fonts", ""], patience: .seconds(60))
        let parts = try worker.parts()
        #expect(try attempt(TRIAL_OPEN) == (parts.contains(.landlock) ? EACCES : 0))
        #expect(try attempt(TRIAL_WRITE_FILE) == EACCES)
        #expect(!FileManager.default.fileExists(atPath: "/tmp/aether-box-trial"))
        #expect(try attempt(TRIAL_OPEN_FONTS) == 0)
        #expect(try attempt(TRIAL_EXECUTABLE_MEMORY) == EACCES)
    }

    @Test(
        .enabled(if: BoxTests.hasFilters, "the kernel has no seccomp filters"),
        arguments: [TRIAL_SOCKET, TRIAL_CONNECT, TRIAL_EXEC, TRIAL_FORK, TRIAL_KILL_PARENT, TRIAL_PTRACE])
    func attackEndsTheWorkerThatReadsFonts(_ attack: trial) {
        #expect(throws: BoxFault.ended) { _ = try attempt(attack) }
    }

    /// Fonts are not read by a worker that does not draw.
    @Test(.enabled(if: BoxTests.hasFilters, "the kernel has no seccomp filters"))
    func fontsAreRefusedElsewhere() throws {
        var worker = try BoxWorker(path: BoxTests.program, patience: .seconds(60))
        #expect(try worker.answer(to: BoxMessage(.trial, [UInt8(TRIAL_OPEN_FONTS.rawValue)])).bytes == [UInt8(EACCES)])
    }
}
