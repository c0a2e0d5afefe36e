import AetherCore
import AetherTestSupport
import CFFmpeg
import Foundation
import Testing

@testable import AetherMedia

/// PQ and HLG up to their peaks against libplacebo, run by ffmpeg on a software Vulkan (Debian's mesa-vulkan-drivers). Compared like with like:
/// the knee of BT.2390 as the standard has it (0.5, libplacebo's own default is 1.0), by the largest component, without crosstalk and
/// without measuring, and saturated colours cut at the border, which ours does not do.
@Suite struct LibplaceboReferenceTests {
    private static let width = 256, height = 64

    /// Whether this machine can run it.
    static let isThere: Bool = {
        do {
            let filter = "format=yuv420p,hwupload,libplacebo,hwdownload,format=yuv420p"
            return try Fixtures.run(
                "ffmpeg",
                ["-v", "quiet", "-init_hw_device", "vulkan=vk:0", "-filter_hw_device", "vk", "-f", "lavfi", "-i"]
                    + ["color=s=64x64:d=0.1", "-vf", filter, "-frames:v", "1", "-f", "null", "-"]
            ).status == 0
        } catch {
            return false
        }
    }()

    struct Case: CustomTestStringConvertible, Sendable {
        let transfer: String
        let peak: Double
        let isWide: Bool
        var testDescription: String { "\(transfer) \(Int(peak)) cd/m², \(isWide ? "BT.2020" : "BT.709")" }

        static let all: [Case] =
            [600, 1000, 4000].flatMap { peak in
                [false, true].map { Case(transfer: "smpte2084", peak: peak, isWide: $0) }
            } + [false, true].map { Case(transfer: "arib-std-b67", peak: 1000, isWide: $0) }
    }

    /// Light in cd/m² of BT.2020: from black to the peak, all hues in two saturations, and a band of grey.
    private static func light(_ x: Int, _ y: Int, _ test: Case) -> SIMD3<Double> {
        let hue = Double(y) / Double(height) * 2 * .pi, saturation = y < 8 ? 0.0 : y % 8 < 4 ? 1 : 0.5
        func tint(_ shift: Double) -> Double { 1 + saturation * 0.45 * (cos(hue - shift) - 1) }
        let level = PerceptualQuantizer.nits(Double(x) / Double(width - 1) * PerceptualQuantizer.code(nits: test.peak))
        let own = SIMD3(tint(0), tint(2.1), tint(4.2)) * level
        return test.isWide ? own : ColourPrimaries.bt709.conversion(to: .bt2020) * own
    }

    private static func code(_ light: SIMD3<Double>, _ test: Case) -> SIMD3<Double> {
        if test.transfer == "smpte2084" {
            return SIMD3(
                PerceptualQuantizer.code(nits: light.x), PerceptualQuantizer.code(nits: light.y),
                PerceptualQuantizer.code(nits: light.z))
        }
        let luminance = max((ColourPrimaries.bt2020.toXYZ.y * light).sum() / 1000, 1e-9)
        let scene = light / 1000 * pow(luminance, 1 / 1.2 - 1)
        func curve(_ value: Double) -> Double {
            let e = min(max(value, 0), 1)
            return e <= 1.0 / 12 ? (3 * e).squareRoot() : 0.17883277 * log(12 * e - 0.28466892) + 0.55991073
        }
        return SIMD3(curve(scene.x), curve(scene.y), curve(scene.z))
    }

    /// A film of one picture in 12 bits, coded without loss, with its peak in its metadata.
    private static func film(_ test: Case, _ base: String) throws -> String {
        var planes: [[UInt8]] = [[], [], []]
        for y in 0..<height {
            for x in 0..<width {
                let c = code(light(x, y, test), test)
                let luma = 0.2627 * c.x + 0.6780 * c.y + 0.0593 * c.z
                let parts = [256 + 3504 * luma, 2048 + 3584 * (c.z - luma) / 1.8814, 2048 + 3584 * (c.x - luma) / 1.4746]
                for (plane, part) in parts.enumerated() {
                    let word = Int(part.rounded())
                    planes[plane] += [UInt8(word & 255), UInt8(word >> 8)]
                }
            }
        }
        try Data(planes.flatMap { $0 }).write(to: URL(fileURLWithPath: base + ".yuv"))
        defer { unlink(base + ".yuv") }
        var settings = "lossless=1:log-level=0:colorprim=bt2020:colormatrix=bt2020nc:transfer=\(test.transfer)"
        if test.transfer == "smpte2084" {
            let display = "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(\(Int(test.peak) * 10000),1)"
            settings += ":hdr10=1:master-display=\(display):max-cll=\(Int(test.peak)),200"
        }
        let tags = ["-color_primaries", "bt2020", "-color_trc", test.transfer, "-colorspace", "bt2020nc", "-color_range", "tv"]
        let result = try Fixtures.run(
            "ffmpeg",
            ["-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv444p12le", "-s", "\(width)x\(height)", "-r", "24"]
                + ["-i", base + ".yuv"] + tags + [
                    "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", settings, base + ".mkv",
                ])
        guard result.status == 0 else { throw Fixtures.Failure(description: String(decoding: result.errors, as: UTF8.self)) }
        return base + ".mkv"
    }

    @Test(.enabled(if: isThere, "no Vulkan for ffmpeg's libplacebo"), arguments: Case.all)
    func agreesWithLibplacebo(_ test: Case) throws {
        let base = FileManager.default.temporaryDirectory.appendingPathComponent("aether-placebo-\(UUID().uuidString)").path
        let path = try Self.film(test, base)
        defer { unlink(path) }
        let settings = [
            "format=rgba64le", "color_primaries=bt709", "color_trc=iec61966-2-1", "tonemapping=bt.2390", "tonemapping_param=0.5",
            "tonemapping_mode=max", "tonemapping_crosstalk=0", "gamut_mode=clip", "peak_detect=0", "dithering=none",
            "tonemapping_lut_size=1024",
        ]
        let result = try Fixtures.run(
            "ffmpeg",
            ["-v", "error", "-init_hw_device", "vulkan=vk:0", "-filter_hw_device", "vk", "-i", path, "-frames:v", "1"] + [
                "-vf", "hwupload,libplacebo=\(settings.joined(separator: ":")),hwdownload,format=rgba64le", "-f", "rawvideo", "-",
            ])
        let reference = [UInt8](result.output)
        try #require(reference.count == Self.width * Self.height * 8)

        var demuxer = try Demuxer(try reading(path), interrupt: Interrupt())
        let stream = try #require(demuxer.info.decodable(.video).first)
        demuxer.select([stream.index])
        var decoder = try VideoDecoder(stream.parameters, threadCount: 1)
        for packet in try DecodedSource.allPackets(&demuxer).prefix(1) { _ = try decoder.send(packet) }
        _ = try decoder.send(nil)
        let received = try decoder.receive()
        let image: RasterImage
        if let frame = received {
            var scaler = RasterScaler()
            image = try scaler.scale(frame, to: PixelSize(width: Self.width, height: Self.height))
        } else {
            throw Fixtures.Failure(description: "no picture in \(path)")
        }
        let distance = FrameDistance(image, words: reference, perPixel: 4)
        print("libplacebo: \(test): \(distance)")
        #expect(distance.mean < 2)
    }
}
