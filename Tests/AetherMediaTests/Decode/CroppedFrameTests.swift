import AetherCore
import AetherSources
import AetherTestSupport
import CFFmpeg
import Testing

@testable import AetherMedia

/// Cropping that the sequence header asks for is applied.
@Suite struct CroppedFrameTests {
    private static func clip(_ filter: String?, _ codec: [String]) throws -> String {
        try Fixtures.clip(
            ["-f", "lavfi", "-i", "testsrc2=size=320x240:rate=5:duration=1"] + codec + (filter.map { ["-bsf:v", $0] } ?? []),
            ext: "mkv")
    }

    private struct Luma: Equatable {
        var width = 0, height = 0
        var bytes: [UInt8] = []

        /// Without that many columns and rows at the sides.
        func cut(left: Int, right: Int, top: Int, bottom: Int) -> Luma {
            var part = Luma(width: width - left - right, height: height - top - bottom)
            for row in top..<height - bottom { part.bytes += bytes[row * width + left..<row * width + width - right] }
            return part
        }
    }

    private static func first(_ path: String) throws -> Luma {
        let reader = try #require(try MediaLocation.file(path).openReader())
        var demuxer = try Demuxer(.reader(reader, name: path), interrupt: Interrupt())
        let stream = try #require(demuxer.info.decodable(.video).first)
        demuxer.select([stream.index])
        var decoder = try VideoDecoder(stream.parameters, threadCount: 1)
        for packet in try DecodedSource.allPackets(&demuxer).map(Optional.some) + [nil] {
            _ = try decoder.send(packet)
            guard let frame = try decoder.receive() else { continue }
            var luma = Luma(width: frame.width, height: frame.height)
            let plane = try #require(frame.pointer.pointee.plane(0)), stride = frame.pointer.pointee.stride(0)
            for row in 0..<frame.height {
                luma.bytes += UnsafeBufferPointer(start: plane + row * stride, count: frame.width)
            }
            return luma
        }
        return Luma()
    }

    /// Left and top by little, as no picture buffer is aligned.
    @Test(arguments: [
        ("h264", ["-c:v", "libx264", "-qp", "0", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]),
        ("hevc", ["-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-x265-params", "log-level=none"]),
    ]) func leftAndTopAreCutToThePixel(_ name: String, _ codec: [String]) throws {
        let whole = try Self.first(Self.clip(nil, codec))
        for (left, right, top, bottom) in [(32, 16, 20, 8), (2, 0, 2, 0), (6, 4, 0, 2)] {
            let filter = "\(name)_metadata=crop_left=\(left):crop_right=\(right):crop_top=\(top):crop_bottom=\(bottom)"
            let cut = try Self.first(Self.clip(filter, codec))
            #expect(cut == whole.cut(left: left, right: right, top: top, bottom: bottom), "\(name) \(left) \(top)")
        }
    }
}
