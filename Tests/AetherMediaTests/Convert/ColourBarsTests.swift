import AetherCore
import CFFmpeg
import Foundation
import Testing

@testable import AetherMedia

/// Colour bars converted by ffmpeg from RGB, brought back by us: matrix and range must be the same ones.
@Suite struct ColourBarsTests {
    private static let size = 320 * 180

    private func ffmpeg(_ arguments: [String]) throws -> [UInt8]? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ffmpeg", "-v", "error"] + arguments + ["-f", "rawvideo", "-"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let bytes = [UInt8](pipe.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        return process.terminationStatus == 0 ? bytes : nil
    }

    @Test(arguments: [("bt601", 6), ("bt709", 1), ("bt2020", 9), ("smpte240m", 7)], ["limited", "full"])
    func barsComeBackAsTheyWere(_ matrix: (String, UInt32), _ range: String) throws {
        let bars = "smptehdbars=size=320x180:duration=0.04:rate=25,format=rgb24"
        let rgb = try #require(try ffmpeg(["-f", "lavfi", "-i", bars, "-frames:v", "1", "-pix_fmt", "rgb24"]))
        let filter = "scale=out_color_matrix=\(matrix.0):out_range=\(range):flags=accurate_rnd+full_chroma_int,format=yuv444p"
        let yuv = try #require(try ffmpeg(["-f", "lavfi", "-i", "\(bars),\(filter)", "-frames:v", "1"]))
        try #require(rgb.count == Self.size * 3 && yuv.count == Self.size * 3)
        let frame = videoFrame(
            AV_PIX_FMT_YUV444P, 320, 180, space: AVColorSpace(rawValue: matrix.1),
            range: range == "full" ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        ) { plane, x, y in Int(yuv[plane * Self.size + y * 320 + x]) }
        frame.pointer.pointee.color_primaries = AVCOL_PRI_BT709
        var scaler = RasterScaler()
        let same = try scaler.scale(frame, to: PixelSize(width: 320, height: 180))
        let small = try scaler.scale(frame, to: PixelSize(width: 80, height: 45))
        var worst = 0
        for y in 0..<180 {
            for x in 0..<320 {
                for channel in 0..<3 {
                    let want = Int(rgb[(y * 320 + x) * 3 + channel])
                    worst = max(worst, abs(want - Int(same[x, y] >> UInt32(channel * 8) & 255)))
                }
            }
        }
        // 8-bit Y′CbCr in between costs two levels at most.
        #expect(worst <= 3)
        var squares = 0.0
        for y in 0..<45 {
            for x in 0..<80 {
                for channel in 0..<3 {
                    var sum = 0
                    for dy in 0..<4 { for dx in 0..<4 { sum += Int(rgb[((y * 4 + dy) * 320 + x * 4 + dx) * 3 + channel]) } }
                    squares += pow(Double(sum) / 16 - Double(small[x, y] >> UInt32(channel * 8) & 255), 2)
                }
            }
        }
        let psnr = 10 * log10(255 * 255 / (squares / (80 * 45 * 3)))
        #expect(psnr >= 46, "PSNR \(psnr)")
    }
}
