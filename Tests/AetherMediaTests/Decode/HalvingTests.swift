import AetherCore
import AetherTestSupport
import Testing

@testable import AetherMedia

/// Decoding at a half or a quarter of the size.
@Suite struct HalvingTests {
    /// Lossless JPEG has the name of the codec that can, and cannot.
    @Test(arguments: [("mjpeg", 32), ("ljpeg", 64)]) func whatCannotBeHalvedIsDecodedWhole(_ codec: String, _ width: Int) throws {
        let clip = try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=5:d=1", "-c:v", codec, "-pix_fmt", "yuvj420p"], ext: "avi")
        var demuxer = try Demuxer(try reading(clip), interrupt: Interrupt())
        let stream = try #require(demuxer.info.decodable(.video).first)
        demuxer.select([stream.index])
        var decoder = try VideoDecoder(stream.parameters, threadCount: 1, effort: DecodeEffort(halvings: 1))
        for _ in 0..<3 {
            _ = try decoder.send(try demuxer.read(epoch: Epoch()))
            guard let frame = try decoder.receive() else {
                Issue.record("no picture")
                return
            }
            #expect(frame.width == width)
        }
        #expect(decoder.damageCount == 0)
    }
}
