import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherMedia

/// Frames of 2 MB and more are decoded into memory of our own; they must be those that ffmpeg decodes into its own.
@Suite(.serialized) struct FrameMemoryTests {
    struct Large: Sendable, CustomTestStringConvertible {
        let size: String, format: String, codec: [String]
        var testDescription: String { "\(codec[0]) \(size) \(format)" }

        /// A size that has to be cut, 10 bits, three planes of full size, two planes, one, RGB, an alpha plane.
        static let all = [
            Large(size: "1918x1078", format: "yuv420p", codec: ["libx264", "-preset", "ultrafast", "-bf", "2"]),
            Large(
                size: "1920x800", format: "yuv420p10le",
                codec: ["libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:pools=none:frame-threads=1"]),
            Large(size: "1366x768", format: "yuv444p", codec: ["libx264", "-preset", "ultrafast", "-qp", "0"]),
            Large(size: "1290x900", format: "yuv422p", codec: ["mjpeg", "-strict", "unofficial"]),
            Large(size: "1290x910", format: "yuv444p16le", codec: ["ffv1"]),
            Large(size: "1930x1200", format: "gray", codec: ["ffv1"]), Large(size: "1022x770", format: "rgb24", codec: ["png"]),
            Large(size: "1022x770", format: "yuva444p10le", codec: ["ffv1"]),
            Large(size: "1920x1088", format: "yuv420p", codec: ["mpeg2video", "-bf", "2"]),
            Large(size: "1922x1090", format: "yuv420p", codec: ["libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"]),
        ]

        func clip() throws -> String {
            try Fixtures.clip(
                ["-f", "lavfi", "-i", "testsrc2=s=\(size):r=10:d=0.8", "-pix_fmt", format, "-g", "5", "-threads", "1", "-c:v"]
                    + codec, ext: "mkv")
        }
    }

    @Test(arguments: Large.all) func largeFramesAreThoseOfFFmpeg(_ large: Large) throws {
        let path = try large.clip()
        let reference = try Fixtures.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5", "-"])
        let frames = String(decoding: reference.output, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "" }
        #expect(frames.count >= 7)
        for threads in [1, 4] { #expect(try DecodedSource(path, threadCount: threads).pictures == frames, "\(threads) threads") }
    }

    /// A frame outlives its decoder; its memory goes with it, and that of the frames before it at once. In a process of its own: others decode, too.
    @Test func memoryGoesWithTheLastFrame() async {
        await #expect(processExitsWith: .success) {
            let path = try Large.all[0].clip()
            let frame = try FrameMemoryTests.third(path)
            #expect(MediaBalance.frameMemory.current == 1)
            #expect(DecodedSource.digest(frame) == (try DecodedSource(path).pictures)[2])
            FrameMemoryTests.drop(frame)
            #expect(MediaBalance.frameMemory.current == 0)
        }
    }

    private static func drop(_ frame: consuming DecodedFrame) {}

    /// The third frame of a video, whose decoder has ended.
    private static func third(_ path: String) throws -> DecodedFrame {
        let reader = try #require(try MediaLocation.file(path).openReader())
        var demuxer = try Demuxer(.reader(reader, name: path), options: OpenOptions(), interrupt: Interrupt())
        let stream = try #require(demuxer.info.decodable(.video).first)
        demuxer.select([stream.index])
        var decoder = try VideoDecoder(stream.parameters, threadCount: 2), count = 0
        for packet in try DecodedSource.allPackets(&demuxer) {
            _ = try decoder.send(packet)
            while let frame = try decoder.receive() {
                count += 1
                if count == 3 { return frame }
            }
        }
        throw MediaError(.endOfMedia, "decode")
    }
}
