import CFFmpeg

/// The colours that red, green, blue and white stand for, as CIE 1931 x and y (ITU-T H.273, ColourPrimaries).
struct ColourPrimaries: Equatable {
    var red, green, blue, white: SIMD2<Double>

    private static let d65 = SIMD2(0.3127, 0.3290)
    private static let illuminantC = SIMD2(0.310, 0.316)

    static let bt709 = ColourPrimaries(red: [0.640, 0.330], green: [0.300, 0.600], blue: [0.150, 0.060], white: d65)
    static let bt2020 = ColourPrimaries(red: [0.708, 0.292], green: [0.170, 0.797], blue: [0.131, 0.046], white: d65)
    /// SMPTE 170M and 240M: 525-line television.
    static let smpte170M = ColourPrimaries(red: [0.630, 0.340], green: [0.310, 0.595], blue: [0.155, 0.070], white: d65)
    /// BT.470 B/G: 625-line television.
    static let bt470BG = ColourPrimaries(red: [0.640, 0.330], green: [0.290, 0.600], blue: [0.150, 0.060], white: d65)
    static let bt470M = ColourPrimaries(red: [0.670, 0.330], green: [0.210, 0.710], blue: [0.140, 0.080], white: illuminantC)
    static let film = ColourPrimaries(red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049], white: illuminantC)
    static let xyz = ColourPrimaries(red: [1, 0], green: [0, 1], blue: [0, 0], white: [1.0 / 3, 1.0 / 3])
    static let dciP3 = ColourPrimaries(
        red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060], white: [0.314, 0.351])
    static let displayP3 = ColourPrimaries(red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060], white: d65)
    static let ebu3213 = ColourPrimaries(red: [0.630, 0.340], green: [0.295, 0.605], blue: [0.155, 0.077], white: d65)

    /// The primaries that a stream names; nil where it names none that is known.
    init?(_ code: AVColorPrimaries) {
        switch code {
        case AVCOL_PRI_BT709: self = .bt709
        case AVCOL_PRI_BT470M: self = .bt470M
        case AVCOL_PRI_BT470BG: self = .bt470BG
        case AVCOL_PRI_SMPTE170M, AVCOL_PRI_SMPTE240M: self = .smpte170M
        case AVCOL_PRI_FILM: self = .film
        case AVCOL_PRI_BT2020: self = .bt2020
        case AVCOL_PRI_SMPTE428: self = .xyz
        case AVCOL_PRI_SMPTE431: self = .dciP3
        case AVCOL_PRI_SMPTE432: self = .displayP3
        case AVCOL_PRI_EBU3213: self = .ebu3213
        default: return nil
        }
    }

    init(red: SIMD2<Double>, green: SIMD2<Double>, blue: SIMD2<Double>, white: SIMD2<Double>) {
        (self.red, self.green, self.blue, self.white) = (red, green, blue, white)
    }

    /// White as X, Y, Z with Y = 1.
    private var whiteXYZ: SIMD3<Double> { SIMD3(white.x / white.y, 1, (1 - white.x - white.y) / white.y) }

    /// From linear light in these primaries to X, Y, Z.
    var toXYZ: Matrix3 {
        func column(_ p: SIMD2<Double>) -> SIMD3<Double> { SIMD3(p.x, p.y, 1 - p.x - p.y) }
        let columns = Matrix3(column(red), column(green), column(blue)).transposed
        guard let scales = columns.inverse.map({ $0 * whiteXYZ }) else { return .identity }
        return columns * Matrix3(diagonal: scales)
    }

    /// From linear light in these primaries to linear light in others. White stays white (Bradford's adaptation).
    func conversion(to other: ColourPrimaries) -> Matrix3 {
        if self == other { return .identity }
        let bradford = Matrix3([0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])
        guard let back = other.toXYZ.inverse, let cones = bradford.inverse else { return .identity }
        let adaptation = cones * Matrix3(diagonal: (bradford * other.whiteXYZ) / (bradford * whiteXYZ)) * bradford
        return back * adaptation * toXYZ
    }
}
