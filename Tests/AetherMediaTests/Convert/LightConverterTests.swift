import AetherCore
import CFFmpeg
import Foundation
import Testing

@testable import AetherMedia

/// The tables against double precision: other primaries, other curves, PQ and HLG in each matrix, range and depth.
@Suite struct LightConverterTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        var space = AVCOL_SPC_BT2020_NCL.rawValue
        var primaries = AVCOL_PRI_BT2020.rawValue
        var transfer = AVCOL_TRC_SMPTE2084.rawValue
        var isFull = false
        var format = AV_PIX_FMT_YUV444P10LE.rawValue
        var tone = ToneCurve.bt2390(peak: 1000)
        var testDescription: String { name }

        static let all: [Case] = [
            Case(name: "PQ 10 bit, 1000"), Case(name: "PQ 12 bit", format: AV_PIX_FMT_YUV444P12LE.rawValue),
            Case(name: "PQ 8 bit", format: AV_PIX_FMT_YUV444P.rawValue), Case(name: "PQ full range", isFull: true),
            Case(name: "PQ 4000", tone: .bt2390(peak: 4000)), Case(name: "PQ 10000", tone: .bt2390(peak: 10000)),
            Case(name: "PQ Hable", tone: .hable(peak: 1000)), Case(name: "PQ clipped", tone: .clip),
            Case(name: "PQ of BT.709", space: AVCOL_SPC_BT709.rawValue, primaries: AVCOL_PRI_BT709.rawValue),
            Case(name: "PQ of P3", primaries: AVCOL_PRI_SMPTE432.rawValue),
            Case(name: "PQ ICtCp", space: AVCOL_SPC_ICTCP.rawValue),
            Case(name: "PQ constant luminance", space: AVCOL_SPC_BT2020_CL.rawValue),
            Case(name: "HLG", transfer: AVCOL_TRC_ARIB_STD_B67.rawValue),
            Case(name: "HLG full range", transfer: AVCOL_TRC_ARIB_STD_B67.rawValue, isFull: true),
            Case(name: "HLG ICtCp", space: AVCOL_SPC_ICTCP.rawValue, transfer: AVCOL_TRC_ARIB_STD_B67.rawValue),
            Case(name: "2020 SDR", transfer: AVCOL_TRC_BT2020_10.rawValue),
            Case(
                name: "2020 SDR constant luminance", space: AVCOL_SPC_BT2020_CL.rawValue, transfer: AVCOL_TRC_BT2020_10.rawValue),
            Case(
                name: "170M", space: AVCOL_SPC_SMPTE170M.rawValue, primaries: AVCOL_PRI_SMPTE170M.rawValue,
                transfer: AVCOL_TRC_SMPTE170M.rawValue, format: AV_PIX_FMT_YUV444P.rawValue),
            Case(
                name: "470BG, gamma 2.8", space: AVCOL_SPC_BT470BG.rawValue, primaries: AVCOL_PRI_BT470BG.rawValue,
                transfer: AVCOL_TRC_GAMMA28.rawValue, format: AV_PIX_FMT_YUV444P.rawValue),
            Case(name: "470M, gamma 2.2", primaries: AVCOL_PRI_BT470M.rawValue, transfer: AVCOL_TRC_GAMMA22.rawValue),
            Case(name: "linear", primaries: AVCOL_PRI_BT709.rawValue, transfer: AVCOL_TRC_LINEAR.rawValue),
            Case(name: "film, logarithmic", primaries: AVCOL_PRI_FILM.rawValue, transfer: AVCOL_TRC_LOG.rawValue),
        ]
    }

    @Test(arguments: Case.all) func tablesAreNearDoublePrecision(_ test: Case) throws {
        let format = AVPixelFormat(rawValue: test.format)
        let depth = Int(av_pix_fmt_desc_get(format)!.pointee.comp.0.depth)
        let frame = videoFrame(
            format, 64, 64, space: AVColorSpace(rawValue: test.space), range: test.isFull ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        ) { _, _, _ in 0 }
        frame.pointer.pointee.color_primaries = AVColorPrimaries(rawValue: test.primaries)
        frame.pointer.pointee.color_trc = AVColorTransferCharacteristic(rawValue: test.transfer)
        let layout = try FrameLayout(UnsafePointer(frame.pointer))
        #expect(layout.needsLight)
        let plan = LightPlan(layout, depth: depth, tone: test.tone)
        var converter = LightConverter()
        converter.prepare(plan)
        // Colours that can be: a walk through codes around grey, and all of noise, of which most are outside every gamut.
        var noise = Noise(state: 5)
        let count = 30001
        var planes = [UInt16](repeating: 0, count: count * 4 + 8)
        for index in 0..<count {
            let luma = noise.next() % (1 << depth)
            let spread = index % 3 == 0 ? 1 << depth : 1 << (depth - 2)
            for plane in 0..<3 {
                let middle = plane == 0 ? Int(luma) : 1 << (depth - 1)
                let code = plane == 0 ? middle : middle + Int(noise.next() % UInt64(spread)) - Int(spread) / 2
                planes[plane * count + index] = UInt16(min(max(code, 0), (1 << depth) - 1)) << (16 - UInt16(depth))
            }
        }
        var pixels = [UInt32](repeating: 0, count: count)
        converter.convert(planes, count: count, into: &pixels)
        var worst = 0.0, sum = 0.0, levels = 0.0
        for index in 0..<count {
            let components =
                SIMD3(Double(planes[index]), Double(planes[index + count]), Double(planes[index + 2 * count])) / 65536
            let want = plan.exact(components)
            let off = (want - colour(pixels[index])) * 255
            levels += max(abs(off.x), abs(off.y), abs(off.z))
            let difference = deltaE2000(want, colour(pixels[index]))
            worst = max(worst, difference)
            sum += difference
        }
        print("light: \(test.name): ΔE2000 mean \(sum / Double(count)), worst \(worst); \(levels / Double(count)) levels")
        #expect(sum / Double(count) < 0.4)
        // The smallest channel of a colour at the border of the gamut is a difference of large ones.
        #expect(levels / Double(count) < 1.5)
    }

    @Test func greyStaysGrey() throws {
        for transfer in [AVCOL_TRC_SMPTE2084, AVCOL_TRC_ARIB_STD_B67, AVCOL_TRC_BT2020_10] {
            let frame = videoFrame(AV_PIX_FMT_YUV420P10LE, 256, 64, space: AVCOL_SPC_BT2020_NCL, range: AVCOL_RANGE_MPEG) {
                plane, x, _ in
                plane == 0 ? 64 + x * 876 / 255 : 512
            }
            frame.pointer.pointee.color_trc = transfer
            frame.pointer.pointee.color_primaries = AVCOL_PRI_BT2020
            var scaler = RasterScaler()
            let image = try scaler.scale(frame, to: PixelSize(width: 128, height: 32))
            var last: UInt32 = 0
            for x in 0..<128 {
                let pixel = image[x, 7]
                let (r, g, b) = (pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255)
                #expect(r.distance(to: g).magnitude <= 1 && g.distance(to: b).magnitude <= 1)
                #expect(g >= last)
                last = g
            }
            #expect(image[0, 0] & 255 <= 2 && last >= 253)
        }
    }

    @Test func aBrightColourKeepsItsHue() {
        // Orange of 4000 cd/m² in BT.2020: every channel is scaled by the same, so the ratios in light stay.
        let curve = ToneCurve.bt2390(peak: 4000)
        let light = SIMD3(4000.0, 1600, 400)
        let factor = curve.map(light.max()) / light.max()
        #expect(abs(light.x * factor - ToneCurve.white) < 1e-6)
        let mapped = LightPlan.intoGamut(ColourPrimaries.bt2020.conversion(to: .bt709) * (light * factor / ToneCurve.white))
        #expect(mapped.x > mapped.y && mapped.y > mapped.z && mapped.max() <= 1 && mapped.min() >= 0)
    }
}
