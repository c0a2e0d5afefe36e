import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherMedia

/// Codecs of older files, and of cutting rooms, against ffmpeg's own frames. WMV3, Indeo and RealVideo 3 and 4 have no encoder here.
@Suite struct OlderFormatsTests {
    struct Recipe: Sendable, CustomTestStringConvertible {
        let codec, ext: String
        let arguments: [String]
        /// As libavcodec calls what comes out.
        let name: String
        var testDescription: String { "\(codec) in \(ext)" }

        init(_ codec: String, _ ext: String, _ arguments: [String] = [], name: String? = nil) {
            (self.codec, self.ext, self.arguments, self.name) = (codec, ext, arguments, name ?? codec)
        }
    }

    static let recipes = [
        Recipe("wmv1", "wmv"), Recipe("wmv1", "avi"), Recipe("wmv2", "wmv"), Recipe("msmpeg4", "avi", name: "msmpeg4v3"),
        Recipe("msmpeg4", "avi", ["-tag:v", "DIV3"], name: "msmpeg4v3"), Recipe("msmpeg4v2", "avi"), Recipe("rv10", "rm"),
        Recipe("rv20", "rm"), Recipe("cinepak", "avi", ["-pix_fmt", "rgb24"]), Recipe("cinepak", "mov", ["-pix_fmt", "rgb24"]),
        Recipe("prores_ks", "mov", ["-profile:v", "hq", "-pix_fmt", "yuv422p10le"], name: "prores"),
        Recipe("prores_ks", "mkv", ["-profile:v", "4444", "-pix_fmt", "yuva444p10le"], name: "prores"),
        Recipe("dnxhd", "mov", ["-profile:v", "dnxhr_lb", "-pix_fmt", "yuv422p"]),
        Recipe("dnxhd", "mxf", ["-s", "1280x720", "-b:v", "60M", "-pix_fmt", "yuv422p", "-frames:v", "3"]),
        Recipe("flv1", "flv"), Recipe("svq1", "mov", ["-pix_fmt", "yuv410p"]), Recipe("mjpeg", "avi", ["-pix_fmt", "yuvj422p"]),
    ]

    @Test(arguments: recipes) func decodeToTheFramesThatFFmpegHas(_ recipe: Recipe) throws {
        let path = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=256x128:r=25:d=0.6", "-g", "6", "-threads", "1", "-c:v",
                recipe.codec,
            ] + recipe.arguments, ext: recipe.ext)
        try compare(path, count: recipe.arguments.contains("-frames:v") ? 3 : 15)
        let demuxer = try Demuxer(try reading(path), options: OpenOptions(analysis: .full), interrupt: Interrupt())
        #expect(demuxer.info.decodable(.video).map(\.codecName) == [recipe.name])
    }

    private func compare(_ path: String, count: Int) throws {
        let ours = try DecodedSource(path)
        let reference = try Fixtures.run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "framemd5", "-"])
        let frames = String(decoding: reference.output, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { String($0.split(separator: ",").last?.drop { $0 == " " } ?? "") }
        #expect(frames.count == count)
        #expect(ours.pictures == frames)
        #expect(ours.damageCount == 0)
        let times = ours.times.map { $0?.nanoseconds ?? -1 }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(times)")
    }

    /// DivX 5 had no place in AVI for frames that are shown later than they are decoded: it put each B-frame behind the frame that it needs, into
    /// one chunk, and an empty one in its own place.
    @Test func packedFramesInAVIAreAllShownInOrder() throws {
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=1", "-threads", "1", "-g", "12", "-bf", "1", "-c:v", "mpeg4"],
            ext: "avi")
        var demuxer = try Demuxer(try reading(path), options: OpenOptions(analysis: .full), interrupt: Interrupt())
        let chunks = try DecodedSource.allPackets(&demuxer).map { $0.bytes(limit: 1 << 20) }
        let packed = PackedFrames.avi(PackedFrames.packed(chunks), width: 160, height: 96, rate: 25)
        #expect(chunks.count == 25)
        let folder = try TemporaryFolder()
        let file = folder.path("packed.avi")
        try Data(packed).write(to: URL(fileURLWithPath: file))
        try compare(file, count: 25)
    }
}
