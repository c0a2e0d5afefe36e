import AetherCore
import AetherTestSupport
import Foundation
import Testing

@testable import AetherMedia

/// Sample entries of MP4 whose names say Dolby Vision: what they hold is one of the usual codecs, and is decoded as such.
@Suite struct SampleEntryTests {
    private static let encoders: [String: [String]] = [
        "av01": ["libaom-av1", "-usage", "realtime", "-cpu-used", "8"],
        "hvc1": [
            "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:pools=none:frame-threads=1", "-tag:v", "hvc1",
        ],
        "avc1": ["libx264", "-preset", "veryfast"],
    ]

    @Test(arguments: [("av01", "dav1"), ("hvc1", "dvh1"), ("hvc1", "dvhe"), ("avc1", "dva1"), ("avc1", "dvav")])
    func decodeAsTheCodecThatTheyHold(_ usual: String, _ name: String) throws {
        let encoder = try #require(Self.encoders[usual])
        let path = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=1", "-pix_fmt", "yuv420p", "-g", "12", "-threads", "1", "-c:v"]
                + encoder,
            ext: "mp4")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let table = try #require(bytes.range(of: Data("stsd".utf8)))
        let entry = try #require(bytes.range(of: Data(usual.utf8), in: table.upperBound..<bytes.endIndex))
        bytes.replaceSubrange(entry, with: Data(name.utf8))
        let folder = try TemporaryFolder()
        let patched = folder.path("a.mp4")
        try bytes.write(to: URL(fileURLWithPath: patched))

        let ours = try DecodedSource(patched)
        #expect(ours.pictures.count == 25)
        #expect(ours.pictures == (try DecodedSource(path)).pictures)
        for analysis in [OpenOptions.Analysis.playback, .full] {
            let demuxer = try Demuxer(try reading(patched), options: OpenOptions(analysis: analysis), interrupt: Interrupt())
            let codec = ["av01": "av1", "hvc1": "hevc", "avc1": "h264"][usual]
            #expect(demuxer.info.streams.map(\.codecName) == [codec])
            #expect(demuxer.info.decodable(.video).first?.size == PixelSize(width: 160, height: 90))
        }
    }
}
