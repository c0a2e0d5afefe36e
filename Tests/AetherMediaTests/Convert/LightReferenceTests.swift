import AetherCore
import CFFmpeg
import Foundation
import Testing

@testable import AetherMedia

/// PQ and HLG against zscale (zimg), whose arithmetic is its own. Nothing brighter than white, so that no curve comes in between.
@Suite struct LightReferenceTests {
    private static let width = 256, height = 64

    /// Codes of colours of 0...203 cd/m², all hues, inside BT.709.
    private static func codes(_ transfer: TransferCurve) -> [[Int]] {
        var planes: [[Int]] = [[], [], []]
        let toSource = ColourPrimaries.bt709.conversion(to: .bt2020)
        for y in 0..<height {
            for x in 0..<width {
                let hue = Double(y) / Double(height) * 2 * .pi, level = pow(Double(x) / 255, 3)
                let tint = SIMD3(0.55 + 0.4 * cos(hue), 0.55 + 0.4 * cos(hue - 2.1), 0.55 + 0.4 * cos(hue + 2.1))
                let light = toSource * (tint * level * 0.98)
                let code: SIMD3<Double>
                if transfer == .pq {
                    code = SIMD3(
                        PerceptualQuantizer.code(nits: light.x * 203), PerceptualQuantizer.code(nits: light.y * 203),
                        PerceptualQuantizer.code(nits: light.z * 203))
                } else {
                    let luminance = max((ColourPrimaries.bt2020.toXYZ.y * light).sum() * 0.203, 1e-9)
                    let scene = light * 0.203 * pow(luminance, 1 / 1.2 - 1)
                    func code1(_ e: Double) -> Double {
                        e <= 1.0 / 12 ? (3 * max(e, 0)).squareRoot() : 0.17883277 * log(12 * e - 0.28466892) + 0.55991073
                    }
                    code = SIMD3(code1(scene.x), code1(scene.y), code1(scene.z))
                }
                let luma = 0.2627 * code.x + 0.6780 * code.y + 0.0593 * code.z
                planes[0].append(Int((64 + 876 * luma).rounded()))
                planes[1].append(Int((512 + 896 * (code.z - luma) / 1.8814).rounded()))
                planes[2].append(Int((512 + 896 * (code.x - luma) / 1.4746).rounded()))
            }
        }
        return planes
    }

    @Test(arguments: ["smpte2084", "arib-std-b67"]) func agreesWithZscale(_ name: String) throws {
        let (width, height) = (Self.width, Self.height)
        let planes = Self.codes(name == "smpte2084" ? .pq : .hlg)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("aether-light-\(UUID().uuidString).yuv")
        defer { do { try FileManager.default.removeItem(at: file) } catch { Issue.record(error) } }
        var bytes: [UInt8] = []
        for code in planes.flatMap({ $0 }) { bytes += [UInt8(code & 255), UInt8(code >> 8)] }
        try Data(bytes).write(to: file)
        let tags = "setparams=color_primaries=bt2020:color_trc=\(name):colorspace=bt2020nc:range=tv"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "yuv444p10le", "-s", "\(width)x\(height)", "-i", file.path,
            "-vf",
            "\(tags),zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,zscale=t=iec61966-2-1:m=gbr:r=full,format=gbrp16le,format=rgb48le",
            "-f", "rawvideo", "-",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let reference = [UInt8](pipe.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        try #require(process.terminationStatus == 0 && reference.count == width * height * 6)

        let frame = videoFrame(AV_PIX_FMT_YUV444P10LE, width, height, space: AVCOL_SPC_BT2020_NCL, range: AVCOL_RANGE_MPEG) {
            planes[$0][$2 * width + $1]
        }
        frame.pointer.pointee.color_trc = name == "smpte2084" ? AVCOL_TRC_SMPTE2084 : AVCOL_TRC_ARIB_STD_B67
        frame.pointer.pointee.color_primaries = AVCOL_PRI_BT2020
        var scaler = RasterScaler()
        scaler.toneMapping = .off
        let image = try scaler.scale(frame, to: PixelSize(width: width, height: height))
        let distance = FrameDistance(image, words: reference, perPixel: 3)
        print("zscale: \(name): \(distance)")
        // zimg gives each channel of HLG its own system gamma, where BT.2100 has one factor of luminance for all three.
        #expect(distance.mean < (name == "smpte2084" ? 0.5 : 2))
    }
}
