import CFFmpeg
import Glibc

/// The light that a code between 0 and 1 stands for (ITU-T H.273, TransferCharacteristics).
enum TransferCurve: Equatable {
    /// The curves of cameras (BT.709, BT.601, BT.2020, SMPTE 240M) and sRGB: made to be looked at on a display as they are, so the
    /// code is the sRGB code.
    case display
    case gamma(Double)
    case linear
    /// So many decades of light on a logarithmic axis, below them black.
    case logarithmic(decades: Double)
    /// SMPTE ST 2084; 1 is 10000 cd/m².
    case pq
    /// ARIB STD-B67: light of the scene, not of a display.
    case hlg

    /// The curve that a stream names; what is unknown is a display's.
    init(_ code: AVColorTransferCharacteristic) {
        switch code {
        case AVCOL_TRC_GAMMA22: self = .gamma(2.2)
        case AVCOL_TRC_GAMMA28: self = .gamma(2.8)
        case AVCOL_TRC_SMPTE428: self = .gamma(2.6)
        case AVCOL_TRC_LINEAR: self = .linear
        case AVCOL_TRC_LOG: self = .logarithmic(decades: 2)
        case AVCOL_TRC_LOG_SQRT: self = .logarithmic(decades: 2.5)
        case AVCOL_TRC_SMPTE2084: self = .pq
        case AVCOL_TRC_ARIB_STD_B67: self = .hlg
        default: self = .display
        }
    }

    /// Whether it codes more than a usual display shows.
    var isHighDynamicRange: Bool { self == .pq || self == .hlg }

    /// The light of a code; both 0...1. What lies outside is cut.
    func light(_ code: Double) -> Double {
        let v = min(max(code, 0), 1)
        switch self {
        case .display: return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
        // DCI's X′Y′Z′ leaves room above white: 52.37 / 48.
        case .gamma(2.6): return min(1, pow(v, 2.6) * 52.37 / 48)
        case .gamma(let exponent): return pow(v, exponent)
        case .linear: return v
        case .logarithmic(let decades): return v <= 0 ? 0 : pow(10, (v - 1) * decades)
        case .pq: return PerceptualQuantizer.light(v)
        case .hlg: return v <= 0.5 ? v * v / 3 : (exp((v - 0.55991073) / 0.17883277) + 0.28466892) / 12
        }
    }

    /// The sRGB code of light; both 0...1.
    static func sRGB(_ light: Double) -> Double {
        let v = min(max(light, 0), 1)
        return v <= 0.0031308 ? v * 12.92 : 1.055 * pow(v, 1 / 2.4) - 0.055
    }
}

/// SMPTE ST 2084: codes in steps that the eye hardly tells apart, up to 10000 cd/m².
enum PerceptualQuantizer {
    private static let m1 = 2610.0 / 16384, m2 = 2523.0 / 32
    private static let c1 = 3424.0 / 4096, c2 = 2413.0 / 128, c3 = 2392.0 / 128

    /// Light as a share of 10000 cd/m².
    static func light(_ code: Double) -> Double {
        let e = pow(max(code, 0), 1 / m2)
        return pow(max(e - c1, 0) / (c2 - c3 * e), 1 / m1)
    }

    /// The code of a share of 10000 cd/m².
    static func code(_ light: Double) -> Double {
        let y = pow(max(light, 0), m1)
        return pow((c1 + c2 * y) / (1 + c3 * y), m2)
    }

    static func nits(_ code: Double) -> Double { light(code) * 10000 }
    static func code(nits: Double) -> Double { code(nits / 10000) }
}
