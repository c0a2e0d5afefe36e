import Glibc

/// The way of a frame's codes through light to sRGB: what the tables of `LightConverter` are made from. Pure.
struct LightPlan: Equatable {
    /// From components, as shares of 65536, to codes of 0...1.
    var matrix: Matrix3
    var offset: SIMD3<Double>
    /// The first and third code are differences to the second, luma, which is made of light.
    var luma: LightLuma?
    var transfer: TransferCurve
    /// From the light of cones to that of red, green and blue.
    var cones: Matrix3?
    var primaries: ColourPrimaries
    /// nil for the usual range.
    var tone: ToneCurve?

    /// BT.2100's cones, of BT.2020's red, green and blue.
    private static let cones2100 = Matrix3(
        [1688.0 / 4096, 2146.0 / 4096, 262.0 / 4096], [683.0 / 4096, 2951.0 / 4096, 462.0 / 4096],
        [99.0 / 4096, 309.0 / 4096, 3688.0 / 4096])
    /// A little of each cone's light is given to the others before it is coded.
    private static let crosstalk = Matrix3([0.92, 0.04, 0.04], [0.04, 0.92, 0.04], [0.04, 0.04, 0.92])

    /// The way of a frame by its own word, from components of `depth` bits.
    init(_ layout: FrameLayout, depth: Int, tone: ToneCurve?) {
        (matrix, offset) = ColourMatrix.decoding(layout.matrix, isFullRange: layout.isFullRange, depth: depth)
        transfer = layout.transfer
        if case .constantLuminance(let red, let blue) = layout.matrix {
            luma = LightLuma(red: red, blue: blue, transfer: transfer)
        }
        primaries = layout.primaries
        if case .iCtCp = layout.matrix {
            cones = LightPlan.cones2100.inverse
            primaries = .bt2020
        }
        self.tone = layout.transfer.isHighDynamicRange ? tone : nil
    }

    /// The way of a frame behind the reshaping of Dolby Vision, whose cones are BT.2100's without the crosstalk.
    init(_ mapping: DolbyVisionMapping, tone: ToneCurve?) {
        matrix = mapping.toCodes
        offset = -(mapping.toCodes * mapping.zero)
        transfer = .pq
        primaries = .bt2020
        cones = (LightPlan.cones2100.inverse ?? .identity) * LightPlan.crosstalk * mapping.toCones
        self.tone = tone
    }

    /// BT.2100's system gamma of HLG less one, at 1000 cd/m², and that peak.
    static let hlgExponent = 0.2, hlgPeak = 1000.0

    /// One pixel in double precision, components as shares of 65536: what the tables have to be near to. sRGB, 0...1.
    func exact(_ components: SIMD3<Double>) -> SIMD3<Double> {
        var light = light(components)
        if tone != nil { light = toned(light) }
        light = primaries.conversion(to: .bt709) * light
        light = LightPlan.intoGamut(light)
        return SIMD3(TransferCurve.sRGB(light.x), TransferCurve.sRGB(light.y), TransferCurve.sRGB(light.z))
    }

    /// Red, green and blue of one pixel of a high dynamic range, in cd/m².
    func nits(_ components: SIMD3<Double>) -> SIMD3<Double> { nits(ofLight: light(components)) }

    /// Light of red, green and blue as the transfer function gives it.
    private func light(_ components: SIMD3<Double>) -> SIMD3<Double> {
        var code = matrix * components + offset
        var light: SIMD3<Double>
        if let luma {
            code = SIMD3(code.y + luma.redStep(code.x), code.y, code.y + luma.blueStep(code.z))
            light = SIMD3(luma.curve.light(code.x), 0, luma.curve.light(code.z))
            light.y = (luma.curve.light(code.y) - luma.red * light.x - luma.blue * light.z) / luma.green
            if luma.isOfCamera { light = SIMD3(luma.shown(light.x), luma.shown(light.y), luma.shown(light.z)) }
        } else {
            light = SIMD3(transfer.light(code.x), transfer.light(code.y), transfer.light(code.z))
        }
        if let cones { light = cones * light }
        return light
    }

    private func nits(ofLight light: SIMD3<Double>) -> SIMD3<Double> {
        guard transfer == .hlg else { return light * 10000 }
        let luminance = max(0, (primaries.toXYZ.y * light).sum())
        return light * (LightPlan.hlgPeak * (luminance > 0 ? pow(luminance, LightPlan.hlgExponent) : 0))
    }

    /// Light of a high dynamic range as shares of the surface's white.
    private func toned(_ light: SIMD3<Double>) -> SIMD3<Double> {
        guard let tone else { return light }
        let nits = nits(ofLight: light), top = nits.max()
        return top > 0 ? nits * (tone.map(top) / top / ToneCurve.white) : nits / ToneCurve.white
    }

    /// Moves colours that are too saturated towards grey of their own luminance, and dims those that are then too bright: hue stays. (Colours that
    /// are only too bright would turn pale if they were moved towards grey: NTSC's red became pink.)
    static func intoGamut(_ light: SIMD3<Double>) -> SIMD3<Double> {
        let grey = max((SIMD3(0.2126, 0.7152, 0.0722) * light).sum(), 0)
        var light = light
        if light.min() < 0 { light = SIMD3(repeating: grey) + (light - grey) * (grey / (grey - light.min())) }
        return light.max() > 1 ? light / light.max() : light
    }
}
