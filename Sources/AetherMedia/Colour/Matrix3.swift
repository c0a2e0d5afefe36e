/// A 3×3 matrix in double precision, by rows. For tables and plans; what runs per pixel has its own.
struct Matrix3: Equatable {
    var x, y, z: SIMD3<Double>

    static let identity = Matrix3([1, 0, 0], [0, 1, 0], [0, 0, 1])

    init(_ x: SIMD3<Double>, _ y: SIMD3<Double>, _ z: SIMD3<Double>) { (self.x, self.y, self.z) = (x, y, z) }

    /// Scales each axis.
    init(diagonal: SIMD3<Double>) { self.init([diagonal.x, 0, 0], [0, diagonal.y, 0], [0, 0, diagonal.z]) }

    var transposed: Matrix3 { Matrix3([x.x, y.x, z.x], [x.y, y.y, z.y], [x.z, y.z, z.z]) }

    static func * (m: Matrix3, v: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((m.x * v).sum(), (m.y * v).sum(), (m.z * v).sum())
    }

    static func * (a: Matrix3, b: Matrix3) -> Matrix3 {
        let columns = b.transposed
        return Matrix3(a * columns.x, a * columns.y, a * columns.z).transposed
    }

    /// The matrix that undoes this one; nil for one that nothing undoes.
    var inverse: Matrix3? {
        func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        let columns = Matrix3(cross(y, z), cross(z, x), cross(x, y))
        let determinant = (x * columns.x).sum()
        guard determinant.isFinite, abs(determinant) > 1e-12 else { return nil }
        return Matrix3(columns.x / determinant, columns.y / determinant, columns.z / determinant).transposed
    }
}
