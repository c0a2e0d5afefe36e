import AetherCore
import AetherEngine
import AetherMedia
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherServe

/// Serving over real connections, to ffmpeg and to a client of our own.
@Suite struct ServingTests {
    private static let clip = [
        "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=14", "-f", "lavfi", "-i", "sine=440:d=14:r=48000", "-c:v", "libx264", "-g",
        "50",
        "-bf", "2", "-preset", "ultrafast",
    ]

    private func hashes(_ source: String) throws -> [Substring] {
        let result = try Fixtures.run(
            "ffmpeg", ["-hide_banner", "-loglevel", "error", "-i", source, "-map", "0:v:0", "-f", "framemd5", "-"])
        return String(decoding: result.output, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: ",").last
        }
    }

    private func audioBytes(_ source: String) throws -> Int {
        try Fixtures.run("ffmpeg", ["-hide_banner", "-loglevel", "error", "-i", source, "-map", "0:a:0", "-f", "s16le", "-"])
            .output.count
    }

    @Test(arguments: ["mkv", "mp4", "ts"])
    func ffmpegDecodesEveryFrameAndSampleOfTheSource(_ container: String) throws {
        let path = try Fixtures.clip(Self.clip + ["-c:a", "ac3"], ext: container)
        let serving = try ServedClip(path)
        let master = serving.server.address + "master.m3u8"
        let expected = try hashes(path)
        #expect(expected.count == 350)
        #expect(try hashes(master) == expected)
        // FFmpeg reads no edit of a fragmented file for AC-3: it plays the 256 samples, two bytes each, that MP4 says are a warm-up.
        let extra = container == "mp4" ? 512 : 0
        #expect(try audioBytes(master) == audioBytes(path) + extra)
    }

    @Test func bytesOfASegmentAreTheSameInAnyOrderOfAsking() throws {
        let path = try Fixtures.clip(Self.clip + ["-c:a", "libopus"], ext: "mkv")
        let names = (0..<4).flatMap { ["0/\($0).m4s", "1/\($0).m4s"] }
        let forwards = try ServedClip(path), backwards = try ServedClip(path)
        let first = try names.map { try forwards.bytes($0) }
        let second = try names.reversed().map { try backwards.bytes($0) }.reversed()
        #expect(first == Array(second) && first.allSatisfy { !$0.isEmpty })
    }

    @Test func theMasterSaysWhatIsServed() throws {
        let path = try Fixtures.clip(Self.clip + ["-c:a", "libopus"], ext: "mkv")
        let master = String(decoding: try ServedClip(path).bytes("master.m3u8"), as: UTF8.self)
        #expect(master.contains("CODECS=\"avc1.") && master.contains(",ec-3\"") && master.contains("RESOLUTION=160x90"))
        #expect(master.contains("FRAME-RATE=25.000") && master.contains("VIDEO-RANGE=SDR") && master.contains("CHANNELS=\"1\""))
        let browser = String(decoding: try ServedClip(path, bridge: .aac).bytes("master.m3u8"), as: UTF8.self)
        #expect(browser.contains("mp4a.40.2") && browser.contains("CHANNELS=\"2\""))
    }

    private func lines(_ texts: [DecodedSubtitle]) -> [Substring] {
        String(decoding: SubtitleSegment.bytes(texts, origin: .zero), as: UTF8.self).split(separator: "\n").dropFirst(2).map {
            $0
        }
    }

    @Test func linesOfATextStayLines() {
        let runs = [SubtitleTextRun("One & all", isItalic: true), SubtitleTextRun("\n\nTwo\n")]
        let text = DecodedSubtitle(start: .seconds(1), end: .seconds(2), body: .richText(runs))
        #expect(lines([text]) == ["00:00:01.000 --> 00:00:02.000", "<i>One &amp; all</i>", "Two"])
    }

    @Test func aCaptionGoesWhenItIsTakenAway() {
        let texts = [
            DecodedSubtitle(start: .seconds(1), end: nil, lines: ["One"]),
            DecodedSubtitle(start: .seconds(2), end: nil, lines: []),
            DecodedSubtitle(start: .seconds(4), end: nil, lines: ["Two"]),
        ]
        #expect(lines(texts).filter { $0.contains("-->") } == ["00:00:01.000 --> 00:00:02.000", "00:00:04.000 --> 00:00:09.000"])
    }

    @Test func hostileRequestsGetAStatusAndNothingElse() throws {
        let path = try Fixtures.clip(Self.clip + ["-c:a", "aac"], ext: "mp4")
        let serving = try ServedClip(path), root = serving.server.address
        #expect(try serving.status([root + "../../etc/passwd"]) == "404")
        #expect(try serving.status([root + "0/4000.m4s"]) == "404" && serving.status([root + "77/0.m4s"]) == "404")
        #expect(try serving.status(["-H", "Host: evil.example", root]) == "421")
        #expect(try serving.status(["-X", "DELETE", root]) == "405" && serving.status(["-d", "x", root]) == "405")
        #expect(try serving.status(["-H", "X: " + String(repeating: "x", count: 20_000), root]) == "431")
        #expect(try serving.status([root]) == "200" && serving.status(["-I", root]) == "200")
    }

    @Test func videoThatHLSCannotCarryIsRefusedInASentence() throws {
        let path = try Fixtures.clip(["-f", "lavfi", "-i", "testsrc2=s=64x64:d=1", "-c:v", "mpeg2video"], ext: "mkv")
        let source = ServedSource(.location(.file(path)), name: "old.mkv")
        let error = #expect(throws: MediaError.self) { _ = try source.waitUntilOpened() }
        #expect(error?.reason.contains("HLS cannot carry its video (mpeg2video); --transcode") ?? false)
    }
}
