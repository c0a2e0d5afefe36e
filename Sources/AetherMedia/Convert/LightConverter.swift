import AetherCore
import Glibc

/// Converts planes through light to sRGB by a `LightPlan`: matrix, table, tone, gamut, table, four pixels at a time. Keeps the tables of
/// the last plan; 8 ns a pixel, no memory per frame.
struct LightConverter {
    /// Steps of the table from code to light: a 12-bit code of PQ is below what the eye tells apart.
    private static let steps = 4095
    private var kernelPlan: LightPlan?
    private var lightKey: LightKey?
    private var gainTone: ToneCurve?
    private var light = [Float](repeating: 0, count: steps + 2)
    /// The factor of a pixel by its largest component, and of HLG's system gamma by luminance or of a camera's light by each component.
    private var gain = [Float](repeating: 1, count: LightAxis.wide.count)
    private var system = [Float](repeating: 1, count: LightAxis.wide.count)
    private var kernel = LightKernel()

    private struct LightKey: Equatable {
        let transfer: TransferCurve
        let hasTone: Bool
        let luma: LightLuma?
    }

    init() {}

    /// Makes the tables for a plan, those that differ from the last one's. `forLooking`: what `histogram` needs.
    mutating func prepare(_ next: LightPlan, forLooking: Bool = false) {
        let key = LightKey(transfer: next.transfer, hasTone: next.tone != nil, luma: next.luma)
        if key != lightKey { fillLight(key) }
        if !forLooking, let tone = next.tone, tone != gainTone {
            for index in gain.indices {
                let nits = LightAxis.wide.value(index) * ToneCurve.white
                gain[index] = Float(tone.map(nits) / nits)
            }
            gainTone = tone
        }
        if next != kernelPlan {
            kernel = LightKernel(next, steps: Double(LightConverter.steps))
            kernelPlan = next
        }
    }

    private mutating func fillLight(_ key: LightKey) {
        // White is 1: 203 cd/m² of PQ. HLG's light is still the scene's.
        let unit = key.transfer == .pq && key.hasTone ? 10000 / ToneCurve.white : 1
        let curve = key.luma?.curve ?? .of(key.transfer)
        for index in light.indices {
            light[index] = Float(curve.light(Double(index) / Double(LightConverter.steps)) * unit)
        }
        if let luma = key.luma, luma.isOfCamera {
            for index in system.indices {
                let light = LightAxis.wide.value(index)
                system[index] = Float(luma.shown(light) / light)
            }
        }
        if key.transfer == .hlg {
            for index in system.indices {
                let luminance = LightAxis.wide.value(index)
                system[index] = Float(pow(luminance, LightPlan.hlgExponent) * LightPlan.hlgPeak / ToneCurve.white)
            }
        }
        lightKey = key
    }

    /// Converts three planes of `count` 16-bit components that follow one another. Three components behind the last are read.
    func convert(_ planes: UnsafePointer<UInt16>, count: Int, into output: UnsafeMutablePointer<UInt32>) {
        withKernel { kernel.run(planes, count, output, $0) }
    }

    /// The distribution of light over each `step`th pixel, before tone mapping.
    func histogram(_ planes: UnsafePointer<UInt16>, count: Int, step: Int) -> LightHistogram {
        var histogram = LightHistogram()
        withKernel { tables in
            for index in stride(from: 0, to: count, by: max(1, step)) {
                let light = kernel.light(planes + index, count, tables)
                histogram.note(nits: Double(light) * ToneCurve.white)
            }
        }
        return histogram
    }

    private func withKernel(_ body: (LightKernel.Tables) -> Void) {
        light.withUnsafeBufferPointer { light in
            gain.withUnsafeBufferPointer { gain in
                system.withUnsafeBufferPointer { system in
                    LightKernel.codes.withUnsafeBufferPointer { codes in
                        guard let a = light.baseAddress, let b = gain.baseAddress, let c = system.baseAddress,
                            let d = codes.baseAddress
                        else { return }
                        body(LightKernel.Tables(light: a, gain: b, system: c, codes: d, wide: .wide, fine: .codes))
                    }
                }
            }
        }
    }
}

/// A table over light that is as fine in shadows as in highlights: the exponent and the first bits of the fraction of a `Float` are the
/// index.
struct LightAxis {
    let octaves: Int
    /// Bits of the fraction.
    let bits: Int
    /// The shift of a pattern, and its base after that.
    let shift, base: UInt32
    let lower, upper: Float

    init(lowest: Int, octaves: Int, bits: Int) {
        (self.octaves, self.bits) = (octaves, bits)
        shift = UInt32(23 - bits)
        base = UInt32(127 + lowest) << UInt32(bits)
        lower = Float(sign: .plus, exponent: lowest, significand: 1)
        upper = Float(sign: .plus, exponent: lowest + octaves, significand: 1)
    }

    /// For factors, 2^-16 to 64 of white: 128 steps an octave are 0.4 % of light each.
    static let wide = LightAxis(lowest: -16, octaves: 22, bits: 7)
    /// For sRGB codes, 2^-14 (a fifth of the first code) to 1: 256 steps an octave are 0.3 of a code at most.
    static let codes = LightAxis(lowest: -14, octaves: 14, bits: 8)

    /// The last stands for the upper end itself.
    var count: Int { octaves << bits + 1 }

    /// The middle of a step; the upper end for the last.
    func value(_ index: Int) -> Double {
        if index >= octaves << bits { return Double(upper) }
        let pattern = (UInt32(index) + base) << shift | 1 << (shift - 1)
        return Double(Float(bitPattern: pattern))
    }
}
