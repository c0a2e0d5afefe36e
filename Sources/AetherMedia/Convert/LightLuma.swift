import Glibc

/// Constant luminance: luma is the code of a sum of light, and the two other components are the differences of red and blue to it
/// (ITU-T H.273, equations for MatrixCoefficients 10 and 13). Pure.
struct LightLuma: Equatable {
    let red, blue: Double
    /// The meaning of codes as the light that was summed.
    let curve: Curve
    /// The largest differences of red and blue below and above luma, twice.
    private let redBelow, redAbove, blueBelow, blueAbove: Double

    /// The light that luma was made of.
    enum Curve: Equatable {
        /// Of a camera, by the curve of BT.709, BT.601 and BT.2020. What is shown is the code, as ever.
        case camera
        case of(TransferCurve)

        func light(_ code: Double) -> Double {
            switch self {
            case .camera:
                let v = min(max(code, 0), 1)
                return v < 0.081 ? v / 4.5 : pow((v + 0.099) / 1.099, 1 / 0.45)
            case .of(let transfer): return transfer.light(code)
            }
        }

        /// The other way round; by bisection, as not every curve has one in closed form here.
        func code(_ light: Double) -> Double {
            var low = 0.0, high = 1.0
            for _ in 0..<48 {
                let middle = (low + high) / 2
                if self.light(middle) < light { low = middle } else { high = middle }
            }
            return (low + high) / 2
        }
    }

    init(red: Double, blue: Double, transfer: TransferCurve) {
        (self.red, self.blue) = (red, blue)
        curve = transfer == .display ? .camera : .of(transfer)
        (redBelow, redAbove) = (2 * curve.code(1 - red), 2 * (1 - curve.code(red)))
        (blueBelow, blueAbove) = (2 * curve.code(1 - blue), 2 * (1 - curve.code(blue)))
    }

    var green: Double { 1 - red - blue }
    var isOfCamera: Bool { curve == .camera }

    /// The luma that a colour difference of -0.5...0.5 adds.
    func redStep(_ difference: Double) -> Double { difference * (difference < 0 ? redBelow : redAbove) }
    func blueStep(_ difference: Double) -> Double { difference * (difference < 0 ? blueBelow : blueAbove) }

    /// `redStep` and `blueStep` as factors: below and above luma.
    var redFactors: (Double, Double) { (redBelow, redAbove) }
    var blueFactors: (Double, Double) { (blueBelow, blueAbove) }

    /// The light that a display makes of a camera's light. Below zero, where a saturated green was rounded, by the same factor.
    func shown(_ light: Double) -> Double {
        let code = abs(light) < 0.018 ? 4.5 * abs(light) : 1.099 * pow(min(abs(light), 1), 0.45) - 0.099
        return light < 0 ? -TransferCurve.display.light(code) : TransferCurve.display.light(code)
    }
}
