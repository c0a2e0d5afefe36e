import AetherCore
import CFFmpeg
import Foundation
import Testing

@testable import AetherMedia

/// Constant luminance against the standard's own equations.
@Suite struct LightLumaTests {
    /// BT.2020-2, table 4: what a camera makes of light.
    private static func camera(_ light: Double) -> Double { light < 0.018054 ? 4.5 * light : 1.0993 * pow(light, 0.45) - 0.0993 }

    @Test func stepsAreThoseOfTheStandard() {
        let luma = LightLuma(red: 0.2627, blue: 0.0593, transfer: .display)
        #expect(abs(luma.redFactors.0 - 1.7184) < 0.0005 && abs(luma.redFactors.1 - 0.9936) < 0.0005)
        #expect(abs(luma.blueFactors.0 - 1.9404) < 0.0005 && abs(luma.blueFactors.1 - 1.5816) < 0.0005)
    }

    /// Camera, matrix, 12 bits, and back: the codes of red, green and blue that went in, which are what is shown.
    @Test func coloursComeBack() throws {
        let values = [0.0, 0.05, 0.25, 0.5, 0.75, 1]
        var wanted: [SIMD3<Double>] = [], planes: [[Int]] = [[], [], []]
        for r in values {
            for g in values {
                for b in values {
                    let luma = Self.camera(0.2627 * r + 0.6780 * g + 0.0593 * b)
                    let code = SIMD3(Self.camera(r), Self.camera(g), Self.camera(b))
                    let blue = (code.z - luma) / (code.z < luma ? 1.9404 : 1.5816),
                        red = (code.x - luma) / (code.x < luma ? 1.7184 : 0.9936)
                    planes[0].append(Int((luma * 3504 + 256).rounded()))
                    planes[1].append(Int((blue * 3584 + 2048).rounded()))
                    planes[2].append(Int((red * 3584 + 2048).rounded()))
                    wanted.append(code)
                }
            }
        }
        let frame = videoFrame(AV_PIX_FMT_YUV444P12LE, wanted.count, 1, space: AVCOL_SPC_BT2020_CL, range: AVCOL_RANGE_MPEG) {
            planes[$0][$1 + $2 * wanted.count]
        }
        // Its primaries are those of what is shown, so that nothing but the matrix is seen.
        frame.pointer.pointee.color_primaries = AVCOL_PRI_BT709
        frame.pointer.pointee.color_trc = AVCOL_TRC_BT709
        var scaler = RasterScaler()
        let image = try scaler.scale(frame, to: .init(width: wanted.count, height: 1))
        var worst = 0.0, sum = 0.0
        for (want, pixel) in zip(wanted, image.pixels) {
            let off = want * 255 - colour(pixel) * 255
            let largest = max(abs(off.x), abs(off.y), abs(off.z))
            // Green that is nearly nothing beside a bright red hangs on the last bit of 12.
            if want.min() > 0.15 { worst = max(worst, largest) }
            sum += largest
        }
        #expect(worst <= 1.5, "\(worst)")
        #expect(sum / Double(wanted.count) <= 1.5, "\(sum / Double(wanted.count))")
    }
}
