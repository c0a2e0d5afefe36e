/// Reshapes scaled planes as Dolby Vision says, in place: curves of one component by table, mixed ones four pixels at a time.
struct Reshaper {
    private var mapping: DolbyVisionMapping?
    /// By the upper 12 bits of a component; empty for a mixed curve.
    private var tables: [[UInt16]] = [[], [], []]
    private typealias Vector = SIMD4<Float>

    init() {}

    /// Takes another mapping; none of it for one that is known.
    private mutating func prepare(_ next: DolbyVisionMapping) {
        guard next != mapping else { return }
        let old = mapping.map { [$0.curves.0, $0.curves.1, $0.curves.2] }
        let curves = [next.curves.0, next.curves.1, next.curves.2]
        for index in 0..<3 where old?[index] != curves[index] {
            guard !curves[index].isMixed else {
                tables[index] = []
                continue
            }
            tables[index] = (0..<4096).map { step in
                let code = Double(step) / 4096
                var all = SIMD3<Double>.zero
                all[index] = code
                return UInt16(min(next.reshaped(all)[index] * 65536, 65535))
            }
        }
        mapping = next
    }

    /// Reshapes three planes of `count` components that follow one another.
    mutating func apply(_ next: DolbyVisionMapping, to planes: UnsafeMutablePointer<UInt16>, count: Int) {
        prepare(next)
        // The mixed ones first: they read all three as they were.
        let mixed = [next.curves.1, next.curves.2].enumerated().filter { $0.element.isMixed }.map { ($0.offset + 1, $0.element) }
        if next.curves.0.isMixed || mixed.contains(where: { $0.1.pieces.count != 1 }) {
            applyExactly(next, planes, count)
            return
        }
        if !mixed.isEmpty { applyMixed(mixed.map { MixedCurve($0.1, component: $0.0) }, planes, count) }
        for index in 0..<3 where !tables[index].isEmpty {
            let plane = planes + index * count
            tables[index].withUnsafeBufferPointer { table in
                for i in 0..<count {
                    let code = Int(plane[i])
                    // Between two steps by the lower four bits.
                    let low = Int(table[code >> 4]), high = Int(table[min(code >> 4 + 1, 4095)])
                    plane[i] = UInt16(truncatingIfNeeded: low + ((high - low) * (code & 15)) >> 4)
                }
            }
        }
    }

    /// Curves that no encoder was seen to write, each pixel in double precision.
    private func applyExactly(_ mapping: DolbyVisionMapping, _ planes: UnsafeMutablePointer<UInt16>, _ count: Int) {
        for i in 0..<count {
            let code = SIMD3(Double(planes[i]), Double(planes[i + count]), Double(planes[i + 2 * count])) / 65536
            let new = mapping.reshaped(code) * 65536
            for index in 0..<3 { planes[i + index * count] = UInt16(min(new[index], 65535)) }
        }
    }

    /// One piece in single precision.
    private struct MixedCurve {
        let component: Int
        let constant: Float
        let one, two, three: SIMD8<Float>

        init(_ curve: DolbyVisionMapping.Curve, component: Int) {
            self.component = component
            guard case .mixed(let constant, let weights) = curve.pieces[0] else {
                (self.constant, one, two, three) = (0, .zero, .zero, .zero)
                return
            }
            self.constant = Float(constant)
            one = weights.count > 0 ? SIMD8<Float>(weights[0]) : .zero
            two = weights.count > 1 ? SIMD8<Float>(weights[1]) : .zero
            three = weights.count > 2 ? SIMD8<Float>(weights[2]) : .zero
        }

        /// For each product p: ((three × p + two) × p + one) × p.
        @inline(__always) func value(_ p: (Vector, Vector, Vector, Vector, Vector, Vector, Vector)) -> Vector {
            @inline(__always) func term(_ p: Vector, _ i: Int) -> Vector { ((p * three[i] + two[i]) * p + one[i]) * p }
            return (term(p.0, 0) + term(p.1, 1)) + (term(p.2, 2) + term(p.3, 3)) + (term(p.4, 4) + term(p.5, 5))
                + (term(p.6, 6) + constant)
        }
    }

    private func applyMixed(_ curves: [MixedCurve], _ planes: UnsafeMutablePointer<UInt16>, _ count: Int) {
        curves.withUnsafeBufferPointer { curves in
            var i = 0
            while i < count {
                @inline(__always) func load(_ plane: Int) -> Vector {
                    let p = planes + plane * count + i
                    return Vector(Float(p[0]), Float(p[1]), Float(p[2]), Float(p[3])) * (1.0 / 65536)
                }
                let (y, u, v) = (load(0), load(1), load(2))
                let products = (y, u, v, y * u, y * v, u * v, y * u * v)
                for curve in curves {
                    let value = curve.value(products) * 65536
                    let low = value.replacing(with: 0, where: value .< 0)
                    let bounded = low.replacing(with: 65535, where: low .> 65535)
                    let bits = unsafeBitCast(bounded + 8_388_608, to: SIMD4<UInt32>.self)
                    let target = planes + curve.component * count + i
                    for lane in 0..<min(4, count - i) { target[lane] = UInt16(truncatingIfNeeded: bits[lane]) }
                }
                i += 4
            }
        }
    }
}
