import AetherCore
import CFFmpeg
import Foundation
import Testing

@testable import AetherMedia

/// The exact area mean in double precision, for comparison: plane value over a box of the luma grid.
private struct Reference {
    let frame: [[Double]]
    let widths: [Int], heights: [Int]

    func mean(_ plane: Int, _ x0: Double, _ x1: Double, _ y0: Double, _ y1: Double) -> Double {
        let w = Double(widths[plane]), h = Double(heights[plane])
        let (a, b, c, d) = (min(x0, w - 0.01), min(max(x1, x0 + 0.001), w), min(y0, h - 0.01), min(max(y1, y0 + 0.001), h))
        var sum = 0.0, area = 0.0
        for y in Int(max(0, c))..<min(heights[plane], Int(d.rounded(.up))) {
            let wy = min(Double(y + 1), d) - max(Double(y), c)
            for x in Int(max(0, a))..<min(widths[plane], Int(b.rounded(.up))) {
                let weight = wy * (min(Double(x + 1), b) - max(Double(x), a))
                sum += weight * frame[plane][y * widths[plane] + x]
                area += weight
            }
        }
        return sum / area
    }
}

struct MatrixCase: CustomTestStringConvertible, Sendable {
    let name: String
    let space: UInt32
    let isFull: Bool
    let format: Int32
    let isNoise: Bool
    var testDescription: String { "\(name) \(isFull ? "full" : "limited") format \(format) \(isNoise ? "noise" : "gradient")" }

    static let all: [MatrixCase] = {
        let spaces: [(String, AVColorSpace)] = [
            ("601", AVCOL_SPC_SMPTE170M), ("709", AVCOL_SPC_BT709), ("2020", AVCOL_SPC_BT2020_NCL), ("240M", AVCOL_SPC_SMPTE240M),
            ("FCC", AVCOL_SPC_FCC), ("YCgCo", AVCOL_SPC_YCGCO), ("GBR", AVCOL_SPC_RGB),
        ]
        let formats = [
            AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUV444P, AV_PIX_FMT_YUV420P10LE, AV_PIX_FMT_YUV444P16LE,
        ]
        var cases: [MatrixCase] = []
        for (name, space) in spaces {
            for isFull in [false, true] {
                for format in formats {
                    cases.append(
                        MatrixCase(
                            name: name, space: space.rawValue, isFull: isFull, format: format.rawValue,
                            isNoise: cases.count % 2 == 0))
                }
            }
        }
        return cases
    }()
}

@Suite struct RasterScalerTests {
    /// Textbook conversion in double precision from codes of a depth.
    private func rgb(_ c: (Double, Double, Double), _ space: AVColorSpace, _ isFull: Bool, _ depth: Int) -> (
        Double, Double, Double
    ) {
        let top = Double((1 << depth) - 1), step = Double(1 << (depth - 8)), half = Double(1 << (depth - 1))
        let y = isFull ? c.0 / top : (c.0 - 16 * step) / (219 * step)
        func chroma(_ v: Double) -> Double { isFull ? (v - half) / top : (v - half) / (224 * step) }
        let (u, v) = (chroma(c.1), chroma(c.2))
        func luma(_ v: Double) -> Double { isFull ? v / top : (v - 16 * step) / (219 * step) }
        let weights: [AVColorSpace: (Double, Double)] = [
            AVCOL_SPC_SMPTE170M: (0.299, 0.114), AVCOL_SPC_BT709: (0.2126, 0.0722), AVCOL_SPC_BT2020_NCL: (0.2627, 0.0593),
            AVCOL_SPC_SMPTE240M: (0.212, 0.087), AVCOL_SPC_FCC: (0.30, 0.11),
        ]
        func clip(_ v: Double) -> Double { max(0, min(255, v * 255)) }
        if space == AVCOL_SPC_YCGCO {
            // H.273, equations 68 to 70: the differences are of codes, with luma's scale.
            let scale = isFull ? 1 : 224.0 / 219
            return (clip(y - (u - v) * scale), clip(y + u * scale), clip(y - (u + v) * scale))
        }
        if space == AVCOL_SPC_RGB { return (clip(luma(c.2)), clip(luma(c.0)), clip(luma(c.1))) }
        let (kr, kb) = weights[space]!
        let r = y + 2 * (1 - kr) * v, b = y + 2 * (1 - kb) * u
        return (clip(r), clip((y - kr * r - kb * b) / (1 - kr - kb)), clip(b))
    }

    @Test(arguments: MatrixCase.all) func areaAverageMatchesTheExactMean(_ test: MatrixCase) throws {
        let (width, height, target) = (167, 121, PixelSize(width: 41, height: 23))
        let format = AVPixelFormat(rawValue: test.format), space = AVColorSpace(rawValue: test.space)
        let descriptor = av_pix_fmt_desc_get(format)!.pointee
        let depth = Int(descriptor.comp.0.depth)
        let (sx, sy) = (Int(descriptor.log2_chroma_w), Int(descriptor.log2_chroma_h))
        let widths = [width, -((-width) >> sx), -((-width) >> sx)], heights = [height, -((-height) >> sy), -((-height) >> sy)]
        var noise = Noise(state: 7)
        var planes: [[Double]] = [[], [], []]
        for plane in 0..<3 {
            for y in 0..<heights[plane] {
                for x in 0..<widths[plane] {
                    let ramp = Double(x + y * (plane + 1)) / Double(widths[plane] + heights[plane] * (plane + 1))
                    let peak = Double((1 << depth) - 1)
                    planes[plane].append((test.isNoise ? Double(noise.next() % (1 << depth)) : ramp * peak).rounded(.down))
                }
            }
        }
        let frame = videoFrame(format, width, height, space: space, range: test.isFull ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG) {
            plane, x, y in Int(planes[plane][y * widths[plane] + x])
        }
        frame.pointer.pointee.color_primaries = AVCOL_PRI_BT709
        var scaler = RasterScaler()
        let image = try scaler.scale(frame, to: target)
        let reference = Reference(frame: planes, widths: widths, heights: heights)
        var squares = 0.0
        for y in 0..<target.height {
            for x in 0..<target.width {
                let box = (
                    Double(x * width) / 41, Double((x + 1) * width) / 41, Double(y * height) / 23, Double((y + 1) * height) / 23
                )
                func chroma(_ plane: Int) -> Double {
                    let (fx, fy, shift) = (Double(1 << sx), Double(1 << sy), sx == 1 ? 0.25 : 0)
                    return reference.mean(plane, box.0 / fx + shift, box.1 / fx + shift, box.2 / fy, box.3 / fy)
                }
                let c = (reference.mean(0, box.0, box.1, box.2, box.3), chroma(1), chroma(2))
                let want = rgb(c, space, test.isFull, depth)
                let pixel = image[x, y]
                squares += pow(Double(pixel & 255) - want.0, 2) + pow(Double(pixel >> 8 & 255) - want.1, 2)
                squares += pow(Double(pixel >> 16 & 255) - want.2, 2)
                #expect(pixel >> 24 == 255)
            }
        }
        let psnr = 10 * log10(255 * 255 / (squares / Double(target.width * target.height * 3)))
        #expect(psnr >= 48, "PSNR \(psnr)")
    }

    @Test(arguments: [
        (1, 1, 1, 1), (1, 1, 7, 5), (3, 3, 2, 2), (3, 3, 1, 1), (5, 7, 64, 3), (641, 3, 2, 2), (2, 700, 1, 9), (33, 17, 21, 11),
    ])
    func oddSizesKeepAFlatColour(_ w: Int, _ h: Int, _ tw: Int, _ th: Int) throws {
        let formats = [
            AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUV422P10LE, AV_PIX_FMT_YUV410P, AV_PIX_FMT_NV12, AV_PIX_FMT_GRAY8,
            AV_PIX_FMT_YUV420P10BE,
            AV_PIX_FMT_YUVA420P,
        ]
        for format in formats {
            let deep = av_pix_fmt_desc_get(format)!.pointee.comp.0.depth > 8
            let isBig = format == AV_PIX_FMT_YUV420P10BE
            let frame = videoFrame(format, w, h, space: AVCOL_SPC_BT709, range: AVCOL_RANGE_MPEG) { plane, _, _ in
                if plane == 3 { return 255 }
                let code = plane == 0 ? 126 : 128
                return isBig ? Int(UInt16(code * 4).byteSwapped) : deep ? code * 4 : code
            }
            var scaler = RasterScaler()
            let image = try scaler.scale(frame, to: PixelSize(width: tw, height: th))
            // (126 - 16) / 219 × 255
            for pixel in image.pixels {
                for shift in [0, 8, 16] {
                    #expect(abs(Int(pixel >> UInt32(shift) & 255) - 128) <= 1, "format \(format.rawValue)")
                }
            }
        }
    }

    @Test func aNegativeStrideTurnsTheFrameUpsideDown() throws {
        let fill = { (plane: Int, x: Int, y: Int) -> Int in plane == 0 ? 16 + y * 3 + x % 5 : 128 }
        let upright = videoFrame(AV_PIX_FMT_YUV444P, 64, 64, fill: fill)
        let flipped = videoFrame(AV_PIX_FMT_YUV444P, 64, 64) { fill($0, $1, 63 - $2) }
        let frame = flipped.pointer
        frame.pointee.data.0 = frame.pointee.data.0.map { $0 + 63 * Int(frame.pointee.linesize.0) }
        frame.pointee.data.1 = frame.pointee.data.1.map { $0 + 63 * Int(frame.pointee.linesize.1) }
        frame.pointee.data.2 = frame.pointee.data.2.map { $0 + 63 * Int(frame.pointee.linesize.2) }
        frame.pointee.linesize = (-frame.pointee.linesize.0, -frame.pointee.linesize.1, -frame.pointee.linesize.2, 0, 0, 0, 0, 0)
        for size in [PixelSize(width: 16, height: 16), PixelSize(width: 100, height: 80)] {
            var scaler = RasterScaler()
            let (a, b) = (try scaler.scale(upright, to: size), try scaler.scale(flipped, to: size))
            #expect(a == b)
        }
    }

    @Test func packedFramesAreBlendedOverBlack() throws {
        let frame = videoFrame(AV_PIX_FMT_RGBA, 20, 20) { _, x, _ in [200, 100, 50, 128][x % 4] }
        var scaler = RasterScaler()
        let image = try scaler.scale(frame, to: PixelSize(width: 20, height: 20))
        let pixel = image[3, 3]
        #expect(pixel == RasterImage.rgb(100, 50, 25))
    }

    @Test func planarRGBKeepsItsColours() throws {
        // FFmpeg's order of planes is G, B, R.
        let frame = videoFrame(AV_PIX_FMT_GBRP, 64, 64) { plane, _, _ in [10, 20, 30][plane] }
        var scaler = RasterScaler()
        #expect(
            try scaler.scale(frame, to: PixelSize(width: 8, height: 8))
                == RasterImage(width: 8, height: 8, fill: RasterImage.rgb(30, 10, 20)))
    }

    @Test(arguments: [(0, 10), (10, 0), (-1, 5), (8193, 1), (1, 8193), (Int.max, Int.max)])
    func refusesTargetsOutOfBounds(_ width: Int, _ height: Int) {
        let frame = videoFrame(AV_PIX_FMT_YUV420P, 16, 16) { _, _, _ in 128 }
        var scaler = RasterScaler()
        var code: MediaError.Code?
        do throws(MediaError) { _ = try scaler.scale(frame, to: PixelSize(width: width, height: height)) } catch {
            code = error.code
        }
        #expect(code == .unsupported)
    }

    /// In a process of its own: the count is one of all tests of this one.
    @Test func leavesNoContextBehind() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<3 {
                var scaler = RasterScaler()
                let frame = videoFrame(AV_PIX_FMT_NV12, 32, 32) { _, _, _ in 128 }
                _ = try scaler.scale(frame, to: PixelSize(width: 8, height: 8))
                _ = try scaler.scale(frame, to: PixelSize(width: 9, height: 9))
            }
            #expect(MediaBalance.contexts.current == 0)
        }
    }
}

/// Where chroma lies among luma.
@Suite struct ChromaSiteTests {
    /// A slope of blueness over x, sampled as the format wants it: one sample for each `share` pixels, at the first of them or in their middle.
    private func slope(_ format: AVPixelFormat, share: Int, isCentred: Bool = false) -> DecodedFrame {
        let location = isCentred ? AVCHROMA_LOC_CENTER : AVCHROMA_LOC_UNSPECIFIED
        return videoFrame(format, 128, 32, space: AVCOL_SPC_SMPTE170M, location: location) { plane, x, _ in
            plane == 0 ? 120 : plane == 2 ? 128 : 64 + x * share + (isCentred ? (share - 1) / 2 : 0)
        }
    }

    private func distance(_ a: borrowing DecodedFrame, _ b: borrowing DecodedFrame, _ size: PixelSize) throws -> Int {
        var first = RasterScaler(), second = RasterScaler()
        let one = try first.scale(a, to: size), two = try second.scale(b, to: size)
        var worst = 0
        // Sides are continued flat by the one and sloped by the other.
        for x in size.width / 8..<size.width - size.width / 8 {
            let (p, q) = (one[x, size.height / 2], two[x, size.height / 2])
            for shift in [UInt32(0), 8, 16] { worst = max(worst, abs(Int(p >> shift & 255) - Int(q >> shift & 255))) }
        }
        return worst
    }

    /// In full size by libswscale, smaller by areas.
    @Test(arguments: [(128, 32), (32, 8)]) func liesAtTheFirstOfTwoOrFourPixels(_ width: Int, _ height: Int) throws {
        let size = PixelSize(width: width, height: height)
        for (format, share) in [(AV_PIX_FMT_YUV422P, 2), (AV_PIX_FMT_YUV411P, 4)] {
            #expect(try distance(slope(format, share: share), slope(AV_PIX_FMT_YUV444P, share: 1), size) <= 2)
        }
    }
}
