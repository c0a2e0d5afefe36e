import AetherCore
import AetherMedia
import AetherTestSupport
import Testing

@testable import AetherEngine

/// Subtitles are drawn into the pixels of the film, and come off again.
@Suite struct StandingFrameTests {
    private func noise(_ width: Int, _ height: Int, seed: UInt64) -> RasterImage {
        var random = SeededRandom(seed: seed)
        return RasterImage(
            width: width, height: height,
            pixels: (0..<width * height).map { _ in 0xFF00_0000 | UInt32.random(in: 0...0xFF_FFFF, using: &random) })
    }

    private func layer(_ random: inout SeededRandom) -> SubtitleLayer {
        let width = Int.random(in: 1...40, using: &random), height = Int.random(in: 1...20, using: &random)
        var image = RasterImage(width: width, height: height, fill: 0)
        for index in image.pixels.indices {
            let alpha = [0, 0, 64, 255][Int.random(in: 0...3, using: &random)], level = UInt32(alpha / 2)
            image.pixels[index] = UInt32(alpha) << 24 | level << 16 | level << 8 | level
        }
        return SubtitleLayer(
            x: Int.random(in: -30...70, using: &random), y: Int.random(in: -20...50, using: &random), image: image)
    }

    private func picture(_ image: RasterImage) -> StandingFrame {
        StandingFrame(QueuedFrame(pts: .zero, end: .seconds(1), epoch: Epoch(1), image: image))
    }

    @Test(arguments: 0..<20) func whateverLayOnItItIsAsIfItHadNotBeen(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed) + 1)
        let film = noise(64, 48, seed: 7)
        let neutral = AdjustmentTable(ColourAdjustment()), dark = AdjustmentTable(ColourAdjustment(brightness: -20))
        var standing = picture(film)
        for _ in 0..<12 {
            let layers = (0..<Int.random(in: 0...4, using: &random)).map { _ in layer(&random) }
            let colours = Bool.random(using: &random) ? neutral : dark
            var expected = colours.applied(to: film)
            for layer in layers { layer.blend(onto: &expected) }
            #expect(standing.drawn(with: layers, in: colours) == expected)
        }
        #expect(standing.drawn(with: [], in: neutral) == film)
    }

    /// A picture of the film with subtitles costs what they cover, not a copy of 3 MB.
    @Test func noImageIsCopiedForItsSubtitles() {
        var random = SeededRandom(seed: 3)
        let layers = [layer(&random), layer(&random)]
        func place(_ image: borrowing RasterImage) -> UnsafePointer<UInt32>? {
            image.pixels.withUnsafeBufferPointer { $0.baseAddress }
        }
        var state = PipelineState()
        state.begin(Epoch(1), plan: SeekPlan(target: .zero, landing: .exact))
        func queue() -> UnsafePointer<UInt32>? {
            let image = noise(64, 48, seed: 9)
            state.append(QueuedFrame(pts: .zero, end: .seconds(1), epoch: Epoch(1), image: image))
            return place(image)
        }
        let before = queue()
        var standing: StandingFrame?
        if let frame = state.popFrame() { standing = StandingFrame(frame) }
        let shown = standing?.drawn(with: layers, in: AdjustmentTable(ColourAdjustment()))
        #expect(shown.flatMap { place($0) } == before && before != nil)
    }
}
