import AetherCore
import Testing

@testable import AetherMedia

@Suite struct CrossfeedTests {
    private func fed(_ samples: [Float], isOn: Bool = true) -> [Float] {
        var crossfeed = Crossfeed(sampleRate: 48_000, isOn: isOn), samples = samples
        samples.withUnsafeMutableBufferPointer { crossfeed.apply(to: $0) }
        return samples
    }

    @Test func anEarHearsALittleOfTheOthersBass() {
        // A constant at the left alone.
        let out = fed((0..<9600).map { $0 % 2 == 0 ? 0.5 : 0 })
        #expect(abs(out[9598] - 0.335) < 0.01 && abs(out[9599] - 0.165) < 0.01)
    }

    @Test func whatIsInTheMiddleKeepsItsLevel() {
        let out = fed([Float](repeating: 0.5, count: 9600))
        #expect(abs(out[9598] - 0.5) < 0.01 && abs(out[9599] - 0.5) < 0.01)
    }

    @Test func offIsUntouchedAndAChangeMakesNoJump() {
        let input = (0..<2000).map { Float($0 % 7) / 10 }
        #expect(fed(input, isOn: false) == input)
        var crossfeed = Crossfeed(sampleRate: 48_000, isOn: false)
        crossfeed.set(true)
        var samples = [Float](repeating: 0, count: 4800)
        for frame in 0..<2400 { samples[frame * 2] = 0.5 }
        samples.withUnsafeMutableBufferPointer { crossfeed.apply(to: $0) }
        for frame in 1..<2400 { #expect(abs(samples[frame * 2] - samples[frame * 2 - 2]) < 0.005) }
    }

    @Test func nonsenseIsNotHeardForEver() {
        #expect(fed([.nan, .infinity] + [Float](repeating: 0.1, count: 200)).dropFirst(2).allSatisfy { $0.isFinite })
    }
}

@Suite struct TurnedOrientationTests {
    private let image = RasterImage(width: 3, height: 2, pixels: [1, 2, 3, 4, 5, 6])

    private func view(_ rotation: Int, _ flip: VideoView.Flip = .none) -> VideoView {
        var view = VideoView()
        (view.rotation, view.flip) = (rotation, flip)
        return view
    }

    /// A person's turn comes behind what the file asks for, whatever that is.
    @Test func aPersonsTurnComesBehindTheFiles() {
        for turn in QuarterTurn.allCases {
            for isMirrored in [false, true] {
                let stated = Orientation(turn: turn, isMirrored: isMirrored)
                for rotation in [0, 90, 180, 270] {
                    for flip in VideoView.Flip.allCases {
                        var expected = image.oriented(stated).turned(QuarterTurn(rawValue: rotation) ?? .none)
                        if flip == .horizontal { expected = expected.oriented(Orientation(isMirrored: true)) }
                        if flip == .vertical { expected = expected.turned(.half).oriented(Orientation(isMirrored: true)) }
                        if flip == .both { expected = expected.turned(.half) }
                        let turned = image.oriented(stated.turned(by: view(rotation, flip)))
                        #expect(turned == expected, "\(turn) \(isMirrored) \(rotation) \(flip)")
                    }
                }
            }
        }
    }

    @Test func panscanGoesFromFitToFill() {
        func size(_ panscan: Double, _ fit: VideoView.Fit = .fit) -> (PixelSize, FrameRegion?) {
            var view = VideoView(fit: fit)
            view.panscan = panscan
            let place = FrameFit(
                stream: PixelSize(width: 200, height: 100), box: PixelSize(width: 100, height: 100), view: view)
            return (place.fit, place.region)
        }
        #expect(size(0).0 == PixelSize(width: 100, height: 50) && size(0).1 == nil)
        #expect(size(0.5).0 == PixelSize(width: 100, height: 75) && size(0.5).1.map { abs($0.width - 133) <= 1 } == true)
        #expect(size(1).0 == size(0, .fill).0 && size(1).1 == size(0, .fill).1)
    }
}
