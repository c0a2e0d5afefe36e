/// The Dolby Vision metadata of one scene: how the components are reshaped, and which colours they then stand for. All as shares of the
/// whole code range. Pure; checked when made.
struct DolbyVisionMapping: Equatable, Sendable {
    /// A stretch of one component's curve.
    enum Piece: Equatable, Sendable {
        /// Of the component itself, by rising power.
        case polynomial(SIMD3<Double>)
        /// Of all three and their products, up to three powers of them: y u v yu yv uv yuv.
        case mixed(constant: Double, [SIMD8<Double>])

        /// Coefficients that encoders write are below 100; single precision bears these.
        var isSane: Bool {
            func isSmall(_ value: Double) -> Bool { abs(value) <= 65536 }
            switch self {
            case .polynomial(let k): return isSmall(k.x) && isSmall(k.y) && isSmall(k.z)
            case .mixed(let constant, let weights):
                return isSmall(constant) && 1...3 ~= weights.count
                    && weights.allSatisfy { weight in (0..<8).allSatisfy { isSmall(weight[$0]) } }
            }
        }
    }

    /// The reshaping of one component.
    struct Curve: Equatable, Sendable {
        /// The ends of the pieces, rising; one more than pieces. What lies outside is cut.
        var pivots: [Double]
        var pieces: [Piece]

        /// Leaves the component as it is.
        static let identity = Curve()

        /// Checks what a file says; nil where no curve can be made of it.
        init?(pivots: [Double], pieces: [Piece]) {
            guard 1...8 ~= pieces.count, pivots.count == pieces.count + 1,
                zip(pivots, pivots.dropFirst()).allSatisfy({ $0 <= $1 }),
                pivots.allSatisfy({ (0...1).contains($0) }), pieces.allSatisfy(\.isSane)
            else { return nil }
            (self.pivots, self.pieces) = (pivots, pieces)
        }

        private init() { (pivots, pieces) = ([0, 1], [.polynomial([0, 1, 0])]) }

        /// The piece that a value falls into.
        func piece(at value: Double) -> Int {
            var index = 0
            while index + 1 < pieces.count, value >= pivots[index + 1] { index += 1 }
            return index
        }

        var isMixed: Bool {
            pieces.contains {
                if case .mixed = $0 { true } else { false }
            }
        }
    }

    var curves: (Curve, Curve, Curve)
    /// From reshaped components less `zero` to PQ codes: of cones, or of what `toCones` takes.
    var toCodes: Matrix3
    var zero: SIMD3<Double>
    /// From the light of those codes to that of cones.
    var toCones: Matrix3
    /// The brightest and darkest of the source, as PQ codes of 0...1; nil where it does not say.
    var peakCode: Double?

    static func == (a: DolbyVisionMapping, b: DolbyVisionMapping) -> Bool {
        a.curves == b.curves && a.toCodes == b.toCodes && a.zero == b.zero && a.toCones == b.toCones && a.peakCode == b.peakCode
    }

    /// The source's peak in cd/m².
    var peak: Double? { peakCode.map(PerceptualQuantizer.nits) }

    /// The products that a mixed piece weighs, for one power; the eighth is nothing.
    static func products(_ c: SIMD3<Double>) -> SIMD8<Double> {
        SIMD8(c.x, c.y, c.z, c.x * c.y, c.x * c.z, c.y * c.z, c.x * c.y * c.z, 0)
    }

    /// The reshaped components of one pixel, in double precision.
    func reshaped(_ c: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(value(curves.0, c.x, c), value(curves.1, c.y, c), value(curves.2, c.z, c))
    }

    private func value(_ curve: Curve, _ own: Double, _ all: SIMD3<Double>) -> Double {
        let bounded = min(max(own, curve.pivots.first ?? 0), curve.pivots.last ?? 1)
        switch curve.pieces[curve.piece(at: bounded)] {
        case .polynomial(let k): return min(max(k.x + (k.y + k.z * bounded) * bounded, 0), 1)
        case .mixed(let constant, let weights):
            var sum = constant
            let once = DolbyVisionMapping.products(all)
            var power = once
            for weight in weights {
                sum += (weight * power).sum()
                power *= once
            }
            return min(max(sum, 0), 1)
        }
    }
}
