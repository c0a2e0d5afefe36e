import AetherCore

/// The colour that an image is remembered by: the mean of its most colourful part, and how colourful that is. A theme can follow it.
struct FrameMood: Sendable, Equatable {
    /// In amounts of light.
    let hue: LinearColor
    /// 0 (gray) … 1.
    let strength: Double

    private static let bins = 12
    /// 1500 samples: 8 µs, and a face in the crowd does not matter.
    private static let samples = 1500

    /// Looks at an image; nil for one that is nearly black, which says nothing.
    init?(_ image: borrowing RasterImage) {
        let count = image.pixels.count
        guard count > 0 else { return nil }
        // A step that is no divisor of the usual widths: samples do not stand in columns.
        let step = max(1, count / Self.samples) | 1
        var light = [LinearColor](repeating: .gray(0), count: Self.bins), weight = [Double](repeating: 0, count: Self.bins)
        var brightness = 0.0, seen = 0.0
        for index in stride(from: 0, to: count, by: step) {
            let pixel = image.pixels[index]
            let color = LinearColor(.rgb(UInt8(pixel & 255), UInt8(pixel >> 8 & 255), UInt8(pixel >> 16 & 255)))
            let top = max(color.red, color.green, color.blue), bottom = min(color.red, color.green, color.blue)
            brightness += Luminance.of(color)
            seen += 1
            let chroma = top - bottom
            guard chroma > 0.002 else { continue }
            let bin = Self.bin(color, top, chroma)
            light[bin] = LinearColor(
                red: light[bin].red + color.red * chroma, green: light[bin].green + color.green * chroma,
                blue: light[bin].blue + color.blue * chroma)
            weight[bin] += chroma
        }
        guard brightness / seen > 0.002 else { return nil }
        let best = weight.indices.max { weight[$0] < weight[$1] } ?? 0
        guard weight[best] > 0 else {
            (hue, strength) = (.gray(0.5), 0)
            return
        }
        hue = LinearColor(
            red: light[best].red / weight[best], green: light[best].green / weight[best], blue: light[best].blue / weight[best])
        strength = min(1, weight[best] / seen * 12)
    }

    private init(hue: LinearColor, strength: Double) { (self.hue, self.strength) = (hue, strength) }

    /// One of twelve parts of the circle of hues.
    private static func bin(_ color: LinearColor, _ top: Double, _ chroma: Double) -> Int {
        let sixth: Double
        if top == color.red {
            sixth = (color.green - color.blue) / chroma
        } else if top == color.green {
            sixth = (color.blue - color.red) / chroma + 2
        } else {
            sixth = (color.red - color.green) / chroma + 4
        }
        return min(bins - 1, max(0, Int((sixth < 0 ? sixth + 6 : sixth) * 2)))
    }

    /// A part of the way to another one: colours glide.
    func gliding(to other: FrameMood, _ share: Double = 0.4) -> FrameMood {
        FrameMood(hue: hue.mixed(with: other.hue, share), strength: strength + (other.strength - strength) * share)
    }

    /// Colours of a theme in this hue. Their luminances are fixed, so that all text keeps its contrast (7 and more on the grounds).
    func tint(_ colors: ThemeColors) -> ThemeColors {
        var tinted = colors
        func shade(_ luminance: Double, colourful: Double) -> CellColor {
            LinearColor.gray(luminance).mixed(with: hue.lit(luminance), strength * colourful).cellColor
        }
        tinted[.ground] = shade(0.012, colourful: 0.7)
        tinted[.pane] = shade(0.006, colourful: 0.7)
        tinted[.text] = shade(0.82, colourful: 0.25)
        tinted[.dim] = shade(0.42, colourful: 0.4)
        tinted[.accent] = shade(0.55, colourful: 1)
        tinted[.buffered] = shade(0.14, colourful: 0.7)
        tinted[.rest] = shade(0.035, colourful: 0.7)
        return tinted
    }
}
