import AetherCore
import CFFmpeg
import Foundation
import Testing

@testable import AetherMedia

/// Every pixel format that libswscale writes and reads: flat colours come back at each size, without range, depth or transparency getting
/// between.
@Suite struct EveryFormatTests {
    private static let width = 256, height = 96

    private static var formats: [AVPixelFormat] {
        var formats: [AVPixelFormat] = []
        var descriptor = av_pix_fmt_desc_next(nil)
        while let found = descriptor {
            let format = av_pix_fmt_desc_get_id(found)
            // libswscale writes grey of floating point in limited range, and white without the part of X′Y′Z′ above 1.
            let isOff = [AV_PIX_FMT_GRAYF32LE, AV_PIX_FMT_GRAYF32BE, AV_PIX_FMT_XYZ12LE, AV_PIX_FMT_XYZ12BE].contains(format)
            if !isOff, sws_isSupportedInput(format) != 0, sws_isSupportedOutput(format) != 0 { formats.append(format) }
            descriptor = av_pix_fmt_desc_next(found)
        }
        return formats
    }

    /// A frame of one colour, by libswscale: limited range in Y′CbCr, and where formats have a byte that stands for nothing, 0 in it.
    private static func flat(_ colour: SIMD3<Int>, _ format: AVPixelFormat) throws -> DecodedFrame {
        let source = videoFrame(AV_PIX_FMT_GBRP, width, height) { plane, _, _ in [colour.y, colour.z, colour.x][plane] }
        let frame = try #require(av_frame_alloc())
        (frame.pointee.format, frame.pointee.width, frame.pointee.height) = (format.rawValue, Int32(width), Int32(height))
        try #require(av_frame_get_buffer(frame, 0) >= 0)
        let context = try #require(
            sws_getContext(
                Int32(width), Int32(height), AV_PIX_FMT_GBRP, Int32(width), Int32(height), format,
                SWS_POINT | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, nil, nil, nil))
        defer { sws_freeContext(context) }
        try #require(sws_scale_frame(context, frame, source.pointer) >= 0)
        frame.pointee.colorspace = AVCOL_SPC_SMPTE170M
        frame.pointee.color_primaries = AVCOL_PRI_BT709
        let empty = [AV_PIX_FMT_0RGB, AV_PIX_FMT_RGB0, AV_PIX_FMT_0BGR, AV_PIX_FMT_BGR0]
        if let place = empty.firstIndex(of: format), let bytes = frame.pointee.data.0 {
            let offset = place % 2 == 0 ? 0 : 3
            for y in 0..<height {
                for x in 0..<width { bytes[y * Int(frame.pointee.linesize.0) + x * 4 + offset] = 0 }
            }
        }
        return DecodedFrame(taking: frame, pts: nil, duration: nil)
    }

    private static func mean(_ image: RasterImage) -> SIMD3<Double> {
        image.pixels.reduce(SIMD3<Double>.zero) {
            $0 + SIMD3(Double($1 & 255), Double($1 >> 8 & 255), Double($1 >> 16 & 255))
        } / Double(image.pixels.count)
    }

    @Test func flatColoursComeBackAtEverySize() throws {
        let formats = Self.formats
        #expect(formats.count > 150)
        for format in formats {
            let name = String(cString: av_get_pix_fmt_name(format))
            let descriptor = try #require(av_pix_fmt_desc_get(format)?.pointee)
            let components = [descriptor.comp.0, descriptor.comp.1, descriptor.comp.2]
            let depth = Int(components.prefix(Int(min(3, descriptor.nb_components))).map(\.depth).min() ?? 8)
            let isGray =
                descriptor.nb_components <= 2 && descriptor.flags & UInt64(AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BAYER) == 0
            for colour in [SIMD3(255, 255, 255), SIMD3(0, 0, 0), SIMD3(255, 0, 0), SIMD3(64, 128, 192)] {
                let isExtreme = colour.x == colour.y
                // Libswscale dithers into few bits; and a mosaic of single colours is not flat.
                let isFlat =
                    isExtreme || depth >= 8 && descriptor.flags & UInt64(AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_PAL) == 0
                guard isFlat, isExtreme || !isGray else { continue }
                let frame = try Self.flat(colour, format)
                let want = SIMD3(Double(colour.x), Double(colour.y), Double(colour.z))
                for size in [(256, 96), (128, 48), (20, 10), (5, 2), (2, 1), (1, 96)] {
                    var scaler = RasterScaler()
                    let got = Self.mean(try scaler.scale(frame, to: PixelSize(width: size.0, height: size.1)))
                    let off = max(abs(got.x - want.x), abs(got.y - want.y), abs(got.z - want.z))
                    #expect(off <= 3, "\(name) \(colour) at \(size.0)×\(size.1): \(got)")
                }
            }
        }
    }

    /// As much of a picture as four and three bits hold.
    @Test(arguments: [
        AV_PIX_FMT_RGB444LE.rawValue, AV_PIX_FMT_BGR444BE.rawValue, AV_PIX_FMT_RGB8.rawValue, AV_PIX_FMT_BGR8.rawValue,
    ])
    func whiteOfFewBitsIsWhite(_ format: Int32) throws {
        let frame = try Self.flat(SIMD3(255, 255, 255), AVPixelFormat(format))
        var scaler = RasterScaler()
        #expect(Self.mean(try scaler.scale(frame, to: PixelSize(width: 64, height: 24))) == SIMD3(255, 255, 255))
    }

    /// Red, green and blue go by the range that they name, enlarged as well as shrunk, in planes as well as packed.
    @Test(arguments: [
        AV_PIX_FMT_RGB24.rawValue, AV_PIX_FMT_GBRP.rawValue, AV_PIX_FMT_GBRP10LE.rawValue, AV_PIX_FMT_RGB48LE.rawValue,
    ])
    func limitedRangeOfRGBIsSeen(_ number: Int32) throws {
        let format = AVPixelFormat(number)
        let descriptor = try #require(av_pix_fmt_desc_get(format)?.pointee)
        for (code, level) in [(16, 0), (235, 255), (126, 128), (0, 0), (255, 255)] {
            // libswscale widens 8 bits to 16 by 257, and ranges of 16 bits by 256.
            let frame = videoFrame(format, 64, 48, range: AVCOL_RANGE_MPEG) { _, _, _ in
                code << (Int(descriptor.comp.0.depth) - 8)
            }
            for size in [PixelSize(width: 64, height: 48), PixelSize(width: 200, height: 150), PixelSize(width: 16, height: 12)] {
                var scaler = RasterScaler()
                let got = Self.mean(try scaler.scale(frame, to: size))
                #expect(abs(got.x - Double(level)) <= 1 && abs(got.y - Double(level)) <= 1, "\(code) at \(size.width): \(got)")
            }
        }
    }
}
