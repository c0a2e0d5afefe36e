import AetherCore
import Glibc

/// The mapping of a source's light to a surface whose white is 203 cd/m² (BT.2408's reference white). Pure.
enum ToneCurve: Equatable {
    /// The surface's white, in cd/m².
    static let white = 203.0

    /// Cuts light that is brighter than white.
    case clip
    /// The knee of ITU-R BT.2390-8, section 5.4.1, from a source that goes up to `peak` cd/m².
    case bt2390(peak: Double)
    /// Hable's filmic curve, scaled so that the peak becomes white.
    case hable(peak: Double)
    /// The scene's own curve (ST 2094-40), then BT.2390 from the display that it was made for to ours.
    case scene(SceneCurve)

    /// cd/m² on the surface for cd/m² of the source: of the largest of red, green and blue, so that scaling all three by the same keeps
    /// the hue and leaves none above white.
    func map(_ nits: Double) -> Double {
        switch self {
        case .clip: return min(nits, ToneCurve.white)
        case .bt2390(let peak): return ToneCurve.knee(nits, from: peak, to: ToneCurve.white)
        case .hable(let peak):
            let top = max(peak, ToneCurve.white) / ToneCurve.white
            return min(ToneCurve.filmic(nits / ToneCurve.white) / ToneCurve.filmic(top), 1) * ToneCurve.white
        case .scene(let curve):
            let shown = curve.map(nits)
            // A display darker than ours: its white is white.
            if curve.target <= ToneCurve.white { return shown * ToneCurve.white / curve.target }
            return ToneCurve.knee(shown, from: curve.target, to: ToneCurve.white)
        }
    }

    /// BT.2390's EETF for black at 0: straight up to the knee, then a Hermite spline to the target's peak.
    static func knee(_ nits: Double, from peak: Double, to target: Double) -> Double {
        guard peak > target else { return min(nits, target) }
        let top = PerceptualQuantizer.code(nits: peak)
        let limit = PerceptualQuantizer.code(nits: target) / top
        let start = 1.5 * limit - 0.5
        let e = min(PerceptualQuantizer.code(nits: nits) / top, 1)
        guard e > start else { return nits }
        let t = (e - start) / (1 - start)
        let (t2, t3) = (t * t, t * t * t)
        let bent = (2 * t3 - 3 * t2 + 1) * start + (t3 - 2 * t2 + t) * (1 - start) + (3 * t2 - 2 * t3) * limit
        return PerceptualQuantizer.nits(bent * top)
    }

    private static func filmic(_ x: Double) -> Double {
        (x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.5) + 0.06) - 0.02 / 0.3
    }
}

/// The tone mapping of one scene as its maker saw it (SMPTE ST 2094-40): straight up to a knee, then a Bézier curve, from the
/// scene's brightest light to the peak of the display that it was made for.
struct SceneCurve: Equatable {
    /// cd/m², of the scene and of the display.
    var peak, target: Double
    /// The start of the curve, both 0...1 of their peaks.
    var kneeX, kneeY: Double
    /// The curve's points between its ends, 0...1, at most 15.
    var anchors: [Double]

    /// Checks what a file says; nil where no curve can be made of it.
    init?(peak: Double, target: Double, kneeX: Double, kneeY: Double, anchors: [Double]) {
        guard peak.isFinite, target.isFinite, peak >= 1, target >= 1, peak <= 10000, target <= 10000, anchors.count <= 15,
            (0..<1).contains(kneeX), (0...1).contains(kneeY), anchors.allSatisfy({ (0...1).contains($0) })
        else { return nil }
        (self.peak, self.target, self.kneeX, self.kneeY, self.anchors) = (peak, target, kneeX, kneeY, anchors)
    }

    /// cd/m² on the display that the curve was made for.
    func map(_ nits: Double) -> Double {
        let x = min(max(nits / peak, 0), 1)
        if x <= kneeX { return kneeX > 0 ? x / kneeX * kneeY * target : kneeY * target }
        return (kneeY + (1 - kneeY) * bezier((x - kneeX) / (1 - kneeX))) * target
    }

    /// De Casteljau's construction: no powers, no binomials that could grow.
    private func bezier(_ t: Double) -> Double {
        var points = [0] + anchors + [1]
        for count in stride(from: points.count - 1, to: 0, by: -1) {
            for index in 0..<count { points[index] += (points[index + 1] - points[index]) * t }
        }
        return points[0]
    }
}
