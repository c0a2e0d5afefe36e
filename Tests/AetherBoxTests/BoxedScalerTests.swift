import AetherCore
import AetherTestSupport
import Testing

@testable import AetherBox
@testable import AetherMedia

/// libswscale in a box: the same images, and workers that break.
@Suite(.enabled(if: !Sanitizer.isOn, "a sanitizer takes more memory and calls than the box has")) struct BoxedScalerTests {
    /// Decodes a clip of 48 × 32 pixels in a box, or in this process, and hands each frame over.
    private func eachFrame(
        _ format: String, count: Int, decodedIn box: DecoderBox? = nil, _ body: (borrowing DecodedFrame) throws -> Void
    ) throws {
        let codec = format == "pal8" || format == "rgb48be" ? "png" : "rawvideo"
        let clip = try Fixtures.clip(
            [
                "-f", "lavfi", "-i", "testsrc2=size=48x32:rate=25", "-frames:v", "\(count)", "-c:v", codec, "-pix_fmt", format,
            ], ext: "nut")
        var demuxer = try BoxedFixture.demuxer(clip, box: nil)
        let stream = try #require(demuxer.info.streams.first { $0.kind == .video })
        let packets = try BoxedFixture.packets(&demuxer)
        let boxed = try box?.openVideo(stream.parameters, threadCount: 1, effort: DecodeEffort())
        var plain = try VideoDecoder(stream.parameters, threadCount: 1), frames = 0
        for packet in packets {
            _ = try boxed?.send(packet) ?? plain.send(packet)
            while let frame = try boxed == nil ? plain.receive() : boxed?.receive() {
                frames += 1
                try body(frame)
            }
        }
        #expect(frames == count, "\(format)")
    }

    private static let sizes = [(200, 150), (48, 32), (20, 12), (900, 600), (3, 1), (48, 32)].map {
        PixelSize(width: $0, height: $1)
    }

    /// Formats that our own scaler does not read, and those that are enlarged, by one scaler after the other size.
    @Test(
        arguments: [
            "yuv420p", "yuv422p10le", "nv12", "yuyv422", "rgb24", "rgba", "gray", "gray16le", "ya8", "yuva420p", "pal8",
            "rgb48be",
            "gbrp10le",
        ], [false, true])
    func imagesAreTheSame(_ format: String, _ isLent: Bool) throws {
        var boxed = RasterScaler(in: BoxedFixture.box), plain = RasterScaler(in: nil)
        try eachFrame(format, count: 2, decodedIn: isLent ? BoxedFixture.box : nil) { frame in
            if isLent { #expect(BoxedFixture.box.pools.place(of: frame) != nil) }
            for size in Self.sizes {
                let image = try boxed.scale(frame, to: size), expected = try plain.scale(frame, to: size)
                let isSame = image == expected
                #expect(isSame, "\(format) at \(size.width)")
            }
        }
    }

    /// The one worker of a scaler breaks at its second frame: the first time the frame is scaled by another one, the second time it is left out,
    /// and after the third no other worker is started.
    @Test(arguments: ["scalecrash-2-2", "scalelie-2-2"]) func frameThatEndsTwoWorkersIsLeftOut(_ fault: String) throws {
        let (box, folder) = try BoxedFixture.breaking(fault)
        defer { withExtendedLifetime(folder) {} }
        var boxed = RasterScaler(in: box), plain = RasterScaler(in: nil), results: [String] = []
        try eachFrame("rgb24", count: 6) { frame in
            let size = PixelSize(width: 100, height: 80), expected = try plain.scale(frame, to: size)
            do throws(MediaError) {
                results.append(try boxed.scale(frame, to: size) == expected ? "same" : "other")
            } catch {
                results.append("\(error.code)")
            }
        }
        #expect(results == ["same", "same", "decodeFailed", "same", "decodeFailed", "decodeFailed"])
    }

    @Test(arguments: [
        (PixelSize(width: 1, height: 1), ScaleOrder.Form.packed, 128 * 3), (PixelSize(width: 64, height: 5), .yuv, 128 * 7 * 3),
        (PixelSize(width: 66, height: 2), .deepRGBA, 256 * 4 * 4),
        (PixelSize(width: 8192, height: 4608), .deepYUV, (16384 + 64) * 4610 * 3),
    ])
    func ordersComeBackFromTheirRecords(_ size: PixelSize, _ form: ScaleOrder.Form, _ bytes: Int) throws {
        let order = ScaleOrder(form, size: size, chromaSite: form == .yuv ? .init(x: -64, y: 128) : nil)
        #expect(order.byteCount == bytes)
        var record = RecordWriter()
        order.put(to: &record)
        var reader = RecordReader(record.bytes)
        #expect(ScaleOrder(&reader) == order && reader.isWhole)
        for cut in 0..<record.bytes.count {
            var short = RecordReader(Array(record.bytes.prefix(cut)))
            #expect(ScaleOrder(&short) == nil)
        }
    }

    /// A record of a size that no target has, or of no known form, is no order.
    @Test func ordersThatNoScalerHasAreNone() {
        for (form, width, height) in [(7, 1, 1), (0, 0, 1), (0, 1, 8193), (0, 8192, 8192)] as [(UInt8, UInt32, UInt32)] {
            var record = RecordWriter()
            record.put(form)
            record.put(width)
            record.put(height)
            record.put(false)
            var reader = RecordReader(record.bytes)
            #expect(ScaleOrder(&reader) == nil, "\(form) \(width) \(height)")
        }
    }
}
