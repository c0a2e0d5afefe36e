import AetherCore
import CFFmpeg
import Testing

@testable import AetherMedia

@Suite struct OrientationTests {
    private func parsed(_ degreesClockwise: Double, hflip: Bool = false, vflip: Bool = false) -> DisplayMatrix? {
        var numbers = [Int32](repeating: 0, count: 9)
        av_display_rotation_set(&numbers, degreesClockwise)
        av_display_matrix_flip(&numbers, hflip ? 1 : 0, vflip ? 1 : 0)
        return numbers.withUnsafeBytes { DisplayMatrix($0) }
    }

    /// 1 2
    /// 3 4
    private let image = RasterImage(width: 2, height: 2, pixels: [1, 2, 3, 4])

    @Test(arguments: [
        (0.0, false, false, [1, 2, 3, 4]), (0, true, false, [2, 1, 4, 3]), (0, false, true, [3, 4, 1, 2]),
        (180, false, false, [4, 3, 2, 1]), (90, false, false, [3, 1, 4, 2]), (-90, false, false, [2, 4, 1, 3]),
        // Turned clockwise, then mirrored.
        (90, true, false, [1, 3, 2, 4]), (-90, true, false, [4, 2, 3, 1]),
    ])
    func framesStandAsTheyWereTaken(_ angle: Double, _ hflip: Bool, _ vflip: Bool, _ want: [UInt32]) throws {
        let matrix = try #require(parsed(angle, hflip: hflip, vflip: vflip))
        let orientation = Orientation(turn: QuarterTurn(degrees: matrix.clockwiseDegrees), isMirrored: matrix.isMirrored)
        #expect(image.oriented(orientation).pixels == want)
    }

    @Test func aFlatMatrixIsNone() {
        let zeros = [Int32](repeating: 0, count: 9)
        #expect(zeros.withUnsafeBytes { DisplayMatrix($0) } == nil)
        #expect([Int32](repeating: .min, count: 8).withUnsafeBytes { DisplayMatrix($0) } == nil)
        _ = [Int32](repeating: .min, count: 9).withUnsafeBytes { DisplayMatrix($0) }
    }
}

@Suite struct VideoViewTests {
    private func fit(_ view: VideoView, _ turn: QuarterTurn = .none, mirrored: Bool = false) -> FrameFit {
        FrameFit(
            stream: PixelSize(width: 1920, height: 1080), rotation: turn, box: PixelSize(width: 160, height: 120),
            isMirrored: mirrored,
            view: view)
    }

    @Test func fillCutsTheEdgesEvenly() {
        let fill = fit(VideoView(fit: .fill))
        #expect(fill.frameTarget == PixelSize(width: 160, height: 120))
        #expect(fill.region == FrameRegion(x: 240, y: 0, width: 1440, height: 1080))
    }

    @Test func fitShowsAllAndStretchToo() {
        #expect(fit(VideoView()).region == nil)
        #expect(fit(VideoView()).fit == PixelSize(width: 160, height: 90))
        let stretched = fit(VideoView(fit: .stretch))
        #expect(stretched.fit == PixelSize(width: 160, height: 120) && stretched.region == nil)
    }

    @Test func zoomAndPanChooseAPart() {
        let twice = fit(VideoView(zoom: 2))
        #expect(twice.fit == PixelSize(width: 160, height: 120))
        #expect(twice.region == FrameRegion(x: 480, y: 180, width: 960, height: 720))
        #expect(fit(VideoView(zoom: 2, panX: -1, panY: 1)).region == FrameRegion(x: 0, y: 360, width: 960, height: 720))
        #expect(fit(VideoView(zoom: 2, panX: -1), mirrored: true).region?.x == 960)
        let half = fit(VideoView(zoom: 0.5))
        #expect(half.fit == PixelSize(width: 80, height: 45) && half.region == nil)
    }

    @Test func aTurnedFrameIsCutWhereItIsSeen() {
        // Seen upright it is 1080 wide: its left edge is the frame's lower one when it is turned right.
        let turned = fit(VideoView(fit: .fill, panY: -1), .right)
        #expect(turned.frameTarget == PixelSize(width: 120, height: 160))
        #expect(turned.region.map { $0.x == 0 && $0.height == 1080 && $0.width == 810 } ?? false)
    }

    @Test func anAspectReplacesTheSources() {
        #expect(fit(VideoView(aspect: 4.0 / 3)).fit == PixelSize(width: 160, height: 120))
        #expect(fit(VideoView(aspect: 2)).fit == PixelSize(width: 160, height: 80))
        #expect(VideoView(aspect: 0).aspect == nil && VideoView(aspect: .nan).aspect == nil)
        #expect(VideoView(zoom: .nan, panX: 5).panX == 1)
    }

    @Test func aPartOfAFrameIsThatPart() throws {
        for format in [AV_PIX_FMT_YUV420P, AV_PIX_FMT_NV12, AV_PIX_FMT_YUV422P10LE, AV_PIX_FMT_RGBA, AV_PIX_FMT_GBRP] {
            let wide = av_pix_fmt_desc_get(format)!.pointee.comp.0.depth > 8
            let frame = videoFrame(format, 64, 64) { plane, x, y in
                let isChroma = plane > 0 && format != AV_PIX_FMT_GBRP
                if format == AV_PIX_FMT_RGBA { return x % 4 == 3 ? 255 : x / 4 >= 32 ? 200 : 20 }
                return isChroma ? (wide ? 512 : 128) : (x >= 32 ? 200 : 20) * (wide ? 4 : 1)
            }
            var scaler = RasterScaler()
            let right = try scaler.scale(
                frame, region: FrameRegion(x: 33, y: 10, width: 31, height: 40), to: PixelSize(width: 8, height: 8))
            for pixel in right.pixels { #expect(pixel >> 8 & 255 > 150) }
            let outside = try scaler.scale(
                frame, region: FrameRegion(x: -5, y: 90, width: 500, height: 5), to: PixelSize(width: 8, height: 8))
            #expect(outside.pixels.count == 64)
        }
    }
}

@Suite struct AdjustmentTableTests {
    private let image = RasterImage(
        width: 3, height: 1, pixels: [RasterImage.rgb(10, 20, 30), RasterImage.rgb(200, 100, 50), RasterImage.rgb(128, 128, 128)])

    @Test func noneLeavesThePicture() {
        #expect(AdjustmentTable(ColourAdjustment()).applied(to: image) == image)
    }

    @Test func withoutSaturationThereIsOnlyGrey() {
        for pixel in AdjustmentTable(ColourAdjustment(saturation: -100)).applied(to: image).pixels {
            #expect(pixel & 255 == pixel >> 8 & 255 && pixel & 255 == pixel >> 16 & 255)
        }
    }

    @Test func brightnessContrastAndGammaDoWhatTheySay() {
        func grey(_ adjustment: ColourAdjustment) -> UInt32 { AdjustmentTable(adjustment).applied(to: image)[2, 0] & 255 }
        #expect(grey(ColourAdjustment(brightness: 10)) == 154)
        #expect(grey(ColourAdjustment(brightness: 100)) == 255)
        #expect(grey(ColourAdjustment(contrast: -50)) == 64)
        #expect(grey(ColourAdjustment(contrast: -100)) == 0)
        // 0.5 to the power of 1/2.
        #expect(abs(Int(grey(ColourAdjustment(gamma: 33))) - 180) <= 2)
        #expect(ColourAdjustment(brightness: 1000, gamma: -1000) == ColourAdjustment(brightness: 100, gamma: -100))
    }
}
