import AetherCore
import AetherTestSupport
import CFFmpeg
import Testing

@testable import AetherMedia

/// Pictures of palettes, which AVI and QuickTime hand over once.
@Suite struct PaletteTests {
    private static func film(_ ext: String, _ codec: String) throws -> String {
        let palette = "split[a][b];[a]palettegen=reserve_transparent=0[p];[b][p]paletteuse=dither=none"
        return try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=2", "-vf", palette, "-c:v", codec, "-pix_fmt",
                codec == "qtrle" ? "gray" : "pal8", "-g", "1",
            ],
            ext: ext)
    }

    private static func picture(_ demuxer: inout Demuxer, _ parameters: CodecParameters) throws -> RasterImage {
        var decoder = try VideoDecoder(parameters, threadCount: 1)
        _ = try decoder.send(try demuxer.read(epoch: Epoch()))
        guard let frame = try decoder.receive() else { throw MediaError(.decodeFailed, "decode") }
        var scaler = RasterScaler()
        return try scaler.scale(frame, to: PixelSize(width: 64, height: 48))
    }

    @Test(arguments: [("mov", "rawvideo"), ("mov", "qtrle"), ("avi", "rawvideo")])
    func aDecoderThatBeginsAnywhereHasItsColours(_ ext: String, _ codec: String) throws {
        var demuxer = try Demuxer(try reading(Self.film(ext, codec)), interrupt: Interrupt())
        let stream = try #require(demuxer.info.decodable(.video).first)
        demuxer.select([stream.index])
        // Before anything was read, then back from further on.
        try demuxer.seek(to: .zero, stream: stream.index)
        let first = try Self.picture(&demuxer, stream.parameters)
        #expect(Set(first.pixels).count > 5)
        try demuxer.seek(to: .seconds(1), stream: stream.index)
        #expect(Set(try Self.picture(&demuxer, stream.parameters).pixels).count > 5)
        try demuxer.seek(to: .zero, stream: stream.index)
        #expect(try Self.picture(&demuxer, stream.parameters) == first)
    }
}
