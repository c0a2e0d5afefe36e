import Foundation

@testable import AetherMedia

/// CIEDE2000 between two sRGB colours of 0...1, in double precision (Sharma, Wu, Dalal 2005).
func deltaE2000(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double {
    let (one, two) = (lab(a), lab(b))
    func chroma(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
    let meanChroma = (chroma(one.y, one.z) + chroma(two.y, two.z)) / 2
    let g = 0.5 * (1 - (pow(meanChroma, 7) / (pow(meanChroma, 7) + pow(25, 7))).squareRoot())
    let (a1, a2) = (one.y * (1 + g), two.y * (1 + g))
    let (c1, c2) = (chroma(a1, one.z), chroma(a2, two.z))
    func hue(_ a: Double, _ b: Double) -> Double {
        if a == 0, b == 0 { return 0 }
        let angle = atan2(b, a) * 180 / .pi
        return angle < 0 ? angle + 360 : angle
    }
    let (h1, h2) = (hue(a1, one.z), hue(a2, two.z))
    var turn = h2 - h1
    if c1 * c2 == 0 { turn = 0 } else if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
    let lightness = two.x - one.x, saturation = c2 - c1
    let hueStep = 2 * (c1 * c2).squareRoot() * sin(turn / 2 * .pi / 180)
    let (meanL, meanC) = ((one.x + two.x) / 2, (c1 + c2) / 2)
    var meanH = h1 + h2
    if c1 * c2 != 0 { meanH = abs(h1 - h2) <= 180 ? meanH / 2 : (meanH < 360 ? meanH + 360 : meanH - 360) / 2 }
    func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }
    let t =
        1 - 0.17 * cosine(meanH - 30) + 0.24 * cosine(2 * meanH) + 0.32 * cosine(3 * meanH + 6) - 0.20 * cosine(4 * meanH - 63)
    let sl = 1 + 0.015 * pow(meanL - 50, 2) / (20 + pow(meanL - 50, 2)).squareRoot()
    let (sc, sh) = (1 + 0.045 * meanC, 1 + 0.015 * meanC * t)
    let rotation =
        -2 * (pow(meanC, 7) / (pow(meanC, 7) + pow(25, 7))).squareRoot()
        * sin(60 * exp(-pow((meanH - 275) / 25, 2)) * .pi / 180)
    let (l, c, h) = (lightness / sl, saturation / sc, hueStep / sh)
    return (l * l + c * c + h * h + rotation * c * h).squareRoot()
}

private func lab(_ colour: SIMD3<Double>) -> SIMD3<Double> {
    func light(_ v: Double) -> Double { v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4) }
    let linear = SIMD3(light(colour.x), light(colour.y), light(colour.z))
    let xyz =
        Matrix3([0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]) * linear
    func f(_ t: Double) -> Double { t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116 }
    let (x, y, z) = (f(xyz.x / 0.95047), f(xyz.y), f(xyz.z / 1.08883))
    return SIMD3(116 * y - 16, 500 * (x - y), 200 * (y - z))
}

/// A pixel of a raster as 0...1.
func colour(_ pixel: UInt32) -> SIMD3<Double> {
    SIMD3(Double(pixel & 255), Double(pixel >> 8 & 255), Double(pixel >> 16 & 255)) / 255
}
