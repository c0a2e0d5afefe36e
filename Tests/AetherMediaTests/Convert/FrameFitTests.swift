import AetherCore
import Testing

@testable import AetherMedia

@Suite struct FrameFitTests {
    @Test(arguments: [
        // stream, sample aspect, rotation, box, raster aspect → shown
        (1920, 1080, 1.0, 0, 160, 90, 1.0, 160, 90),
        (1920, 1080, 1.0, 0, 160, 200, 1.0, 160, 90),
        (1920, 1080, 1.0, 0, 400, 90, 1.0, 160, 90),
        (720, 576, 64.0 / 45, 0, 1024, 1024, 1.0, 1024, 576),
        (1920, 1080, 1.0, 90, 90, 160, 1.0, 90, 160),
        (1920, 1080, 1.0, 0, 80, 45, 0.5, 80, 23),
        (1920, 1080, 0.0, 0, 160, 90, 1.0, 160, 90),
        (1920, 1080, 1e9, 0, 160, 90, 1.0, 160, 90),
        (1, 10000, 1.0, 0, 100, 100, 1.0, 1, 100),
        (10000, 1, 1.0, 0, 100, 100, 1.0, 100, 1),
        (0, 0, Double.nan, 0, 0, 0, Double.infinity, 1, 1),
    ]) func fits(_ q: (Int, Int, Double, Int, Int, Int, Double, Int, Int)) {
        let fit = FrameFit(
            stream: PixelSize(width: q.0, height: q.1), sampleAspect: q.2, rotation: QuarterTurn(degrees: Double(q.3)),
            box: PixelSize(width: q.4, height: q.5), rasterAspect: q.6)
        #expect(fit.fit == PixelSize(width: q.7, height: q.8))
        let turned = fit.rotation.swapsAxes
        #expect(fit.frameTarget == PixelSize(width: turned ? q.8 : q.7, height: turned ? q.7 : q.8))
    }

    /// FFmpeg tells one angle as 315 and as -45.0000001, of a stream and of a frame.
    private static let halfway = [
        (45.0, 0), (-45, 0), (315, 0), (-45.000_000_1, 0), (44.999_999_9, 0), (135, 180), (-135, 180), (225, 180), (46, 90),
        (-46, 270),
    ]

    @Test(arguments: [(0.0, 0), (89.6, 90), (-90, 270), (450, 90), (180, 180), (-1e300, 0), (.nan, 0), (359.9, 0)] + halfway)
    func roundsAnglesToQuarterTurns(_ degrees: Double, _ turn: Int) {
        if degrees == -1e300 {
            #expect(QuarterTurn(degrees: degrees).rawValue % 90 == 0)
        } else {
            #expect(QuarterTurn(degrees: degrees).rawValue == turn)
        }
    }

    @Test func turnsClockwise() {
        let image = RasterImage(width: 3, height: 2, pixels: [1, 2, 3, 4, 5, 6])
        #expect(image.turned(.right) == RasterImage(width: 2, height: 3, pixels: [4, 1, 5, 2, 6, 3]))
        #expect(image.turned(.half) == RasterImage(width: 3, height: 2, pixels: [6, 5, 4, 3, 2, 1]))
        #expect(image.turned(.left) == RasterImage(width: 2, height: 3, pixels: [3, 6, 2, 5, 1, 4]))
        #expect(image.turned(.right).turned(.left) == image)
    }
}
