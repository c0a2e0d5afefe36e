import AetherCore
import AetherTestSupport
import CFFmpeg
import Testing

@testable import AetherMedia

/// Measures the time that converting scaled planes to sRGB takes by itself, without the scaling. Prints the figures; the limits leave room
/// for slow machines.
@Suite(.serialized, .enabled(if: !Sanitizer.isOn, "the sanitizer makes code slow")) struct ToneMappingCostTests {
    /// Planes of smooth light with some noise, neutral chroma swinging by a third.
    private static func planes(_ count: Int) -> [UInt16] {
        var noise = Noise(state: 7)
        return (0..<count * 3 + 8).map { index in
            let plane = index / count, at = index % count
            let slope = at * 40000 / count
            return UInt16(plane == 0 ? 8000 + slope + Int(noise.next() % 4000) : 22000 + (at * 7 + plane * 991) % 21000)
        }
    }

    @Test(arguments: [(160, 90, 1.0), (1200, 675, 12.0)], ["PQ", "HLG", "Dolby Vision"])
    func takesAFewMilliseconds(_ picture: (width: Int, height: Int, aim: Double), _ kind: String) throws {
        let frame = videoFrame(AV_PIX_FMT_YUV420P10LE, 16, 16, space: AVCOL_SPC_BT2020_NCL, range: AVCOL_RANGE_MPEG) {
            _, _, _ in
            512
        }
        frame.pointer.pointee.color_trc = kind == "HLG" ? AVCOL_TRC_ARIB_STD_B67 : AVCOL_TRC_SMPTE2084
        frame.pointer.pointee.color_primaries = AVCOL_PRI_BT2020
        let layout = try FrameLayout(UnsafePointer(frame.pointer))
        let count = picture.width * picture.height, source = Self.planes(count)
        var stage = LightStage(), output = [UInt32](repeating: 0, count: count), costs: [Double] = []
        // With a luma curve of three pieces and chroma that depends on all components, as encoders write it.
        let mapping = UnitWriter.profile5(curves: UnitWriter.bentCurves)
        let way =
            kind == "Dolby Vision" ? LightStage.Way.dolbyVision(mapping) : stage.way(of: UnsafePointer(frame.pointer), layout)
        for _ in 0..<25 {
            var planes = source
            let began = CPUTime.ofThread
            planes.withUnsafeMutableBufferPointer { planes in
                output.withUnsafeMutableBufferPointer { output in
                    guard let p = planes.baseAddress, let q = output.baseAddress else { return }
                    stage.convert(way, layout, depth: 10, .auto, p, count: count, into: q)
                }
            }
            costs.append((CPUTime.ofThread - began).milliseconds)
        }
        costs.sort()
        print("tone mapping alone, \(kind), \(picture.width)x\(picture.height): median \(costs[12]) ms, p95 \(costs[23]) ms")
        #expect(costs[0] < picture.aim * 3)
    }
}
