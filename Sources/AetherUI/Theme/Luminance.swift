import AetherCore
import Glibc

/// The luminance of colours, and their contrast (WCAG 2.2, relative luminance and contrast ratio).
enum Luminance {
    /// 0 … 1; nil where a colour is the terminal's own and so unknown.
    static func of(_ color: CellColor) -> Double? {
        color.isRGB ? of(LinearColor(color)) : nil
    }

    static func of(_ color: LinearColor) -> Double { 0.2126 * color.red + 0.7152 * color.green + 0.0722 * color.blue }

    /// 1 … 21.
    static func contrast(_ a: Double, _ b: Double) -> Double { (max(a, b) + 0.05) / (min(a, b) + 0.05) }
}

/// A colour in amounts of light, 0 … 1 (IEC 61966-2-1 without its curve).
struct LinearColor: Equatable {
    var red, green, blue: Double

    init(red: Double, green: Double, blue: Double) { (self.red, self.green, self.blue) = (red, green, blue) }

    /// Of a colour of 24 bits; of others what their number happens to hold.
    init(_ color: CellColor) {
        func linear(_ value: UInt8) -> Double {
            let part = Double(value) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        self.init(red: linear(color.red), green: linear(color.green), blue: linear(color.blue))
    }

    static func gray(_ light: Double) -> LinearColor { LinearColor(red: light, green: light, blue: light) }

    /// The nearest colour of 24 bits.
    var cellColor: CellColor {
        func code(_ light: Double) -> UInt8 {
            let light = min(max(light, 0), 1)
            let part = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
            return UInt8((part * 255).rounded())
        }
        return .rgb(code(red), code(green), code(blue))
    }

    /// A mix: `share` of another colour, the rest of this one.
    func mixed(with other: LinearColor, _ share: Double) -> LinearColor {
        func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * share }
        return LinearColor(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }

    /// The same hue with so much luminance: darker ones are scaled, lighter ones take in white where scaling would leave the gamut.
    func lit(_ luminance: Double) -> LinearColor {
        let own = Luminance.of(self)
        guard own > 0.0001 else { return .gray(luminance) }
        let factor = luminance / own
        let scaled = LinearColor(red: red * factor, green: green * factor, blue: blue * factor)
        let peak = max(scaled.red, scaled.green, scaled.blue)
        guard peak > 1 else { return scaled }
        // Towards the gray of the same luminance until the largest channel fits.
        return scaled.mixed(with: .gray(luminance), (peak - 1) / (peak - luminance))
    }
}
