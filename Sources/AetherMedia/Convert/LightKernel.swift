/// The kernel of `LightConverter`: its work per pixel, in single precision.
struct LightKernel {
    typealias Vector = SIMD4<Float>

    /// Memory of the tables, valid for one call.
    struct Tables {
        let light, gain, system: UnsafePointer<Float>
        let codes: UnsafePointer<UInt8>
        /// Of gain and system, and of codes.
        let wide, fine: LightAxis
    }

    /// A matrix and what is added behind it, each number four times: so it is read straight from memory.
    private struct Affine {
        var x = Row(), y = Row(), z = Row()

        init() {}

        init(_ m: Matrix3, _ offset: SIMD3<Double> = .zero) {
            x = Row(m.x, offset.x)
            y = Row(m.y, offset.y)
            z = Row(m.z, offset.z)
        }
    }

    private struct Row {
        var a = Vector(), b = Vector(), c = Vector(), constant = Vector()

        init() {}

        init(_ k: SIMD3<Double>, _ offset: Double) {
            (a, b, c) = (Vector(repeating: Float(k.x)), Vector(repeating: Float(k.y)), Vector(repeating: Float(k.z)))
            constant = Vector(repeating: Float(offset))
        }

        @inline(__always) func of(_ x: Vector, _ y: Vector, _ z: Vector) -> Vector { a * x + b * y + (c * z + constant) }
    }

    /// sRGB codes by light.
    static let codes: [UInt8] = (0..<LightAxis.codes.count).map {
        UInt8((TransferCurve.sRGB(LightAxis.codes.value($0)) * 255).rounded())
    }

    private var toIndex = Affine()
    private var cones = Affine()
    private var toSRGB = Affine()
    private var luminance = Vector()
    private var steps: Float = 0
    /// Of red, green and blue in luma that is made of light, and how far differences reach below and above it.
    private var weights = Vector(), redSteps = (Float(0), Float(0)), blueSteps = (Float(0), Float(0))
    private(set) var hasLightLuma = false
    private(set) var isOfCamera = false
    private(set) var hasCones = false
    private(set) var isHLG = false
    private(set) var hasTone = false

    init() {}

    /// The plan in single precision; indices of the table of light go up to `steps`.
    init(_ plan: LightPlan, steps: Double) {
        self.steps = Float(steps)
        toIndex = Affine(plan.matrix * Matrix3(diagonal: SIMD3(repeating: steps / 65536)), plan.offset * steps)
        cones = Affine(plan.cones ?? .identity)
        toSRGB = Affine(plan.primaries.conversion(to: .bt709))
        luminance = Vector(SIMD4(plan.primaries.toXYZ.y, 0))
        if let luma = plan.luma {
            hasLightLuma = true
            isOfCamera = luma.isOfCamera
            weights = Vector(Float(luma.red), Float(1 / luma.green), Float(luma.blue), 0)
            redSteps = (Float(luma.redFactors.0), Float(luma.redFactors.1))
            blueSteps = (Float(luma.blueFactors.0), Float(luma.blueFactors.1))
        }
        hasCones = plan.cones != nil
        isHLG = plan.transfer == .hlg && plan.tone != nil
        hasTone = plan.tone != nil
    }

    // MARK: Vectors

    @inline(__always) private static func load(_ p: UnsafePointer<UInt16>) -> Vector {
        Vector(Float(p[0]), Float(p[1]), Float(p[2]), Float(p[3]))
    }

    @inline(__always) private static func least(_ a: Vector, _ b: Vector) -> Vector { a.replacing(with: b, where: b .< a) }
    @inline(__always) private static func most(_ a: Vector, _ b: Vector) -> Vector { a.replacing(with: b, where: b .> a) }

    /// Numbers of 0...2^22 rounded, without a conversion that can trap: adding 2^23 leaves them in the low bits.
    @inline(__always) private static func rounded(_ v: Vector) -> SIMD4<UInt32> {
        unsafeBitCast(v + 8_388_608, to: SIMD4<UInt32>.self) & 0x007F_FFFF
    }

    @inline(__always) private static func gather(_ table: UnsafePointer<Float>, _ index: SIMD4<UInt32>) -> Vector {
        Vector(table[Int(index.x)], table[Int(index.y)], table[Int(index.z)], table[Int(index.w)])
    }

    @inline(__always) private static func index(_ axis: LightAxis, _ v: Vector) -> SIMD4<UInt32> {
        let bounded = least(most(v, Vector(repeating: axis.lower)), Vector(repeating: axis.upper))
        let bits = unsafeBitCast(bounded, to: SIMD4<UInt32>.self)
        return bits &>> SIMD4(repeating: axis.shift) &- SIMD4(repeating: axis.base)
    }

    @inline(__always) private func lit(_ code: Vector, _ tables: Tables) -> Vector {
        let bounded = LightKernel.least(LightKernel.most(code, .zero), Vector(repeating: steps))
        return LightKernel.gather(tables.light, LightKernel.rounded(bounded))
    }

    // MARK: Frames

    @inline(__always) private func lightOf(
        _ p: UnsafePointer<UInt16>, _ count: Int, _ tables: Tables
    ) -> (Vector, Vector, Vector) {
        let (a, b, c) = (LightKernel.load(p), LightKernel.load(p + count), LightKernel.load(p + 2 * count))
        let x = toIndex.x.of(a, b, c), y = toIndex.y.of(a, b, c), z = toIndex.z.of(a, b, c)
        var red: Vector, green: Vector, blue: Vector
        if hasLightLuma {
            let redStep = x * Vector(repeating: redSteps.1).replacing(with: redSteps.0, where: x .< 0)
            let blueStep = z * Vector(repeating: blueSteps.1).replacing(with: blueSteps.0, where: z .< 0)
            (red, blue) = (lit(y + redStep, tables), lit(y + blueStep, tables))
            green = (lit(y, tables) - red * weights.x - blue * weights.z) * weights.y
            if isOfCamera {
                red *= LightKernel.gather(tables.system, LightKernel.index(tables.wide, red))
                green *= LightKernel.gather(tables.system, LightKernel.index(tables.wide, LightKernel.most(green, -green)))
                blue *= LightKernel.gather(tables.system, LightKernel.index(tables.wide, blue))
            }
        } else {
            (red, green, blue) = (lit(x, tables), lit(y, tables), lit(z, tables))
        }
        if hasCones {
            let (l, m, s) = (red, green, blue)
            red = cones.x.of(l, m, s)
            green = cones.y.of(l, m, s)
            blue = cones.z.of(l, m, s)
        }
        if isHLG {
            let bright = red * luminance.x + green * luminance.y + blue * luminance.z
            let factor = LightKernel.gather(tables.system, LightKernel.index(tables.wide, bright))
            red *= factor
            green *= factor
            blue *= factor
        }
        return (red, green, blue)
    }

    /// The largest component of one pixel, as a share of white.
    func light(_ p: UnsafePointer<UInt16>, _ count: Int, _ tables: Tables) -> Float {
        let (r, g, b) = lightOf(p, count, tables)
        return max(r.x, g.x, b.x)
    }

    /// Converts planes of `count` components. What the plan asks for is asked again for each four pixels: branches that always go the
    /// same way cost less than a function for each combination.
    @inline(never) func run(
        _ planes: UnsafePointer<UInt16>, _ count: Int, _ output: UnsafeMutablePointer<UInt32>, _ tables: Tables
    ) {
        var i = 0
        while i < count {
            var (r, g, b) = lightOf(planes + i, count, tables)
            if hasTone {
                let top = LightKernel.most(r, LightKernel.most(g, b))
                let factor = LightKernel.gather(tables.gain, LightKernel.index(tables.wide, top))
                r *= factor
                g *= factor
                b *= factor
            }
            var red = toSRGB.x.of(r, g, b), green = toSRGB.y.of(r, g, b), blue = toSRGB.z.of(r, g, b)
            fit(&red, &green, &blue)
            let x = LightKernel.index(tables.fine, red), y = LightKernel.index(tables.fine, green),
                z = LightKernel.index(tables.fine, blue)
            @inline(__always) func pixel(_ lane: Int) -> UInt32 {
                let (rc, gc, bc) = (tables.codes[Int(x[lane])], tables.codes[Int(y[lane])], tables.codes[Int(z[lane])])
                return 0xFF00_0000 | UInt32(bc) &<< 16 | UInt32(gc) &<< 8 | UInt32(rc)
            }
            if count &- i >= 4 {
                (output[i], output[i + 1], output[i + 2], output[i + 3]) = (pixel(0), pixel(1), pixel(2), pixel(3))
            } else {
                for lane in 0..<count &- i { output[i + lane] = pixel(lane) }
            }
            i += 4
        }
    }

    /// As `LightPlan.intoGamut`. Rounding alone is left to the codes' table.
    @inline(__always) private func fit(_ red: inout Vector, _ green: inout Vector, _ blue: inout Vector) {
        let low = LightKernel.least(red, LightKernel.least(green, blue)),
            high = LightKernel.most(red, LightKernel.most(green, blue))
        // The sign bits of what is missing to either border.
        let marks = unsafeBitCast(low + 1e-5, to: SIMD4<UInt32>.self) | unsafeBitCast(1.00001 - high, to: SIMD4<UInt32>.self)
        guard (marks.x | marks.y | marks.z | marks.w) & 0x8000_0000 != 0 else { return }
        let one = Vector(repeating: 1)
        let grey = LightKernel.most(red * 0.2126 + green * 0.7152 + blue * 0.0722, .zero)
        let up = one.replacing(with: grey / (grey - low), where: low .< 0)
        // The largest after that, and what brings it to 1.
        let top = grey + (high - grey) * up
        let down = one.replacing(with: one / top, where: top .> 1)
        red = (grey + (red - grey) * up) * down
        green = (grey + (green - grey) * up) * down
        blue = (grey + (blue - grey) * up) * down
    }
}
