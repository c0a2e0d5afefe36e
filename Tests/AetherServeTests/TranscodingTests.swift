import AetherCore
import AetherEngine
import AetherMedia
import AetherTestSupport
import Foundation
import Testing

@testable import AetherServe

@Suite struct TranscodingTests {
    private static let choices: [(String, String?, Bool, VideoChoice)] = [
        ("h264", "yuv420p", false, .copied), ("h264", nil, true, .copied), ("hevc", "yuv420p10le", true, .copied),
        ("av1", "yuv420p10le", false, .copied), ("vp9", nil, false, .copied), ("h264", "yuv420p10le", true, .transcoded),
        ("h264", "yuv422p", true, .transcoded), ("mpeg2video", "yuv420p", true, .transcoded), ("vc1", nil, true, .transcoded),
        ("vp8", nil, true, .transcoded), ("theora", nil, true, .transcoded), ("mpeg4", nil, true, .transcoded),
        ("mpeg4", nil, false, .refused(reason: "HLS cannot carry its video (mpeg4); --transcode makes it into H.264")),
        (
            "h264", "yuv420p10le", false,
            .copiedWith(notice: "H.264 as yuv420p10le plays in few clients; --transcode makes it into usual H.264")
        ),
    ]

    @Test(arguments: choices)
    func videoIsCopiedWhereClientsTakeIt(_ codec: String, _ format: String?, _ transcodes: Bool, _ choice: VideoChoice) {
        #expect(VideoChoice(codec: codec, pixelFormat: format, transcodes: transcodes) == choice)
    }

    /// Frames of one grey each, so that each says which one it is.
    private static func clip(_ arguments: [String], _ ext: String) throws -> String {
        try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "color=black:s=64x48:r=25:d=9,geq=lum='16+mod(N,200)':cb=128:cr=128", "-f", "lavfi", "-i",
                "sine=d=9:r=48000",
            ] + arguments, ext: ext)
    }

    /// The grey of each frame, as a client sees them.
    private func greys(_ source: String) throws -> [Int] {
        let result = try Fixtures.run(
            "ffmpeg",
            [
                "-v", "error", "-i", source, "-map", "0:v:0", "-vsync", "0", "-vf", "crop=16:16:16:16,scale=1:1", "-f",
                "rawvideo", "-pix_fmt", "gray", "-",
            ])
        return result.output.map { Int($0) }
    }

    /// An AVI with frames that are made of later ones says no time of showing, and is left out here.
    private static let sources: [(String, [String], String)] = [
        ("mpeg2video", ["-c:v", "mpeg2video", "-g", "12", "-bf", "2", "-q:v", "2", "-c:a", "ac3"], "ts"),
        ("mpeg4", ["-c:v", "mpeg4", "-g", "50", "-q:v", "2", "-c:a", "libmp3lame"], "avi"),
        ("vp8", ["-c:v", "libvpx", "-g", "50", "-b:v", "2M", "-c:a", "libvorbis"], "webm"),
        ("theora", ["-c:v", "libtheora", "-g", "50", "-q:v", "9", "-c:a", "libvorbis"], "mkv"),
        ("high 10", ["-c:v", "libx264", "-pix_fmt", "yuv420p10le", "-g", "50", "-bf", "2", "-crf", "10", "-c:a", "aac"], "mp4"),
    ]

    @Test(arguments: sources)
    func everyFrameOfTheSourceIsThereOnceAndInItsPlace(_ name: String, _ arguments: [String], _ ext: String) throws {
        let path = try Self.clip(arguments, ext), clip = try ServedClip(path, transcodes: true)
        let done = clip.source.state.wait(until: nil) { $0.plan.isComplete ? true : nil }
        #expect(done == true)
        let master = try clip.text("master.m3u8")
        #expect(master.contains("CODECS=\"avc1.") && master.contains("RESOLUTION=64x48"), "\(name)")
        let seen = try greys(clip.master), expected = try greys(path)
        let wrong = zip(seen, expected).enumerated().filter { abs($0.element.0 - $0.element.1) > 3 }
        #expect(seen.count == expected.count && wrong.isEmpty, "\(name): \(seen.count) of \(expected.count), \(wrong.prefix(5))")
    }

    @Test func bytesAreTheSameInAnyOrderOfAsking() throws {
        let path = try Self.clip(Self.sources[0].1, "ts")
        let forwards = try ServedClip(path, transcodes: true), backwards = try ServedClip(path, transcodes: true)
        for clip in [forwards, backwards] {
            let done = clip.source.state.wait(until: nil) { $0.plan.isComplete ? true : nil }
            #expect(done == true)
        }
        let numbers = 0..<forwards.source.plan.count
        let first = try numbers.map { try forwards.bytes("0/\($0).m4s") }
        let second = try numbers.reversed().map { try backwards.bytes("0/\($0).m4s") }.reversed()
        #expect(first == Array(second) && first.count >= 2 && first.allSatisfy { !$0.isEmpty })
    }

    @Test func interlacedVideoBecomesWholeFrames() throws {
        let path = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=64x64:r=50:d=5,interlace", "-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-g",
                "12",
                "-q:v", "2",
            ], ext: "ts")
        let clip = try ServedClip(path, transcodes: true)
        let done = clip.source.state.wait(until: nil) { $0.plan.isComplete ? true : nil }
        #expect(done == true)
        let frames = try Fixtures.run(
            "ffprobe", ["-v", "error", "-show_entries", "frame=interlaced_frame", "-of", "csv=p=0", clip.master])
        let lines = String(decoding: frames.output, as: UTF8.self).split(separator: "\n").map { $0.prefix(1) }
        #expect(lines.count == 125 && lines.allSatisfy { $0 == "0" })
    }
}
