import AetherCore
import AetherEngine
import Glibc

/// A tone curve and what it does to a frame: light of the source to the right, light of the surface to the top, both by their logarithms; below
/// it how much of the frame is that bright, in warm colours what is shown darker than it is. Pure.
struct ToneGraph {
    private let colour: FrameColour

    /// The surface's light at the top: twice its white.
    private static let top = 400.0
    private static let ground = RasterImage.rgb(16, 16, 16), grid = RasterImage.rgb(52, 52, 52)
    static let straight = RasterImage.rgb(90, 90, 90), line = RasterImage.rgb(240, 240, 240)
    static let kept = RasterImage.rgb(60, 110, 170), dimmed = RasterImage.rgb(210, 120, 40)
    static let brightest = RasterImage.rgb(255, 210, 60)

    init(_ colour: FrameColour) { self.colour = colour }

    /// The share of the width of a light of the source, 0...1.
    static func across(_ nits: Double) -> Double {
        let ends = FrameColour.lightEnds
        guard nits > ends.lowerBound else { return 0 }
        return min(1, log(nits / ends.lowerBound) / log(ends.upperBound / ends.lowerBound))
    }

    /// The share of the height of a light of the surface, 0...1.
    static func up(_ nits: Double) -> Double {
        let least = FrameColour.lightEnds.lowerBound
        guard nits > least else { return 0 }
        return min(1, log(nits / least) / log(top / least))
    }

    func image(width: Int, height: Int) -> RasterImage {
        var image = RasterImage(width: width, height: height, fill: Self.ground)
        guard width >= 8, height >= 8 else { return image }
        func column(_ nits: Double) -> Int { min(width - 1, Int(Self.across(nits) * Double(width))) }
        func row(_ nits: Double) -> Int { height - 1 - min(height - 1, Int(Self.up(nits) * Double(height))) }
        // Steps of ten, and the surface's white.
        for nits in [0.1, 1, 10, 100, 1000] {
            for y in 0..<height { image[column(nits), y] = Self.grid }
        }
        for x in 0..<width { image[x, row(Self.white)] = Self.grid }
        bars(&image, width, height)
        if let brightest = colour.brightest {
            for y in stride(from: 0, to: height, by: 2) { image[column(brightest.nits), y] = Self.brightest }
        }
        var last: Int?
        for x in 0..<width {
            let ends = FrameColour.lightEnds, share = (Double(x) + 0.5) / Double(width)
            let nits = ends.lowerBound * pow(ends.upperBound / ends.lowerBound, share)
            if nits <= Self.top { image[x, row(nits)] = Self.straight }
            // Without gaps where it is steep.
            let y = row(shown(nits))
            for place in min(last ?? y, y)...max(last ?? y, y) { image[x, place] = Self.line }
            last = y
        }
        return image
    }

    /// The surface's white, as the curve ends there.
    private static let white = 203.0

    /// How much of the frame is so bright: the root of it, so that little is seen.
    private func bars(_ image: inout RasterImage, _ width: Int, _ height: Int) {
        let lights = colour.lights
        guard let most = lights.max(), most > 0 else { return }
        for x in 0..<width {
            let step = min(lights.count - 1, x * lights.count / width)
            guard lights[step] > 0 else { continue }
            let share = (Double(lights[step]) / Double(most)).squareRoot()
            let ends = FrameColour.lightEnds
            let nits = ends.lowerBound * pow(ends.upperBound / ends.lowerBound, (Double(step) + 0.5) / Double(lights.count))
            let fill = shown(nits) < 0.9 * nits ? Self.dimmed : Self.kept
            for y in (height - max(1, Int(share * Double(height) * 0.6)))..<height { image[x, y] = fill }
        }
    }

    /// Between the points of the curve by the straight line.
    private func shown(_ nits: Double) -> Double {
        let curve = colour.curve
        guard let behind = curve.firstIndex(where: { $0.nits >= nits }) else { return curve.last?.shown ?? nits }
        guard behind > 0 else { return curve[0].nits > 0 ? nits * curve[0].shown / curve[0].nits : nits }
        let (a, b) = (curve[behind - 1], curve[behind])
        return a.shown + (b.shown - a.shown) * (nits - a.nits) / max(1e-9, b.nits - a.nits)
    }
}
