public import AetherCore

/// Brings a subtitle that is a picture to the size of the film as it is shown.
public enum SubtitleScaler {
    /// The subtitle on a picture of that size, whose pixels are `pixelAspect` wide to high; nil where nothing of it would be seen.
    ///
    /// The canvas is laid over the picture. Where their shapes differ (a film cut to 2.39:1 with subtitles for 16:9) widths are matched and
    /// the heights centred, and what would lie beside the picture is moved onto it.
    public static func layer(_ subtitle: SubtitleImage, on target: PixelSize, pixelAspect: Double) -> SubtitleLayer? {
        let canvas = subtitle.canvasSize
        guard target.width > 0, target.height > 0, canvas.width > 0, canvas.height > 0, subtitle.width > 0, subtitle.height > 0 else {
            return nil
        }
        let across = Double(target.width) / Double(canvas.width)
        var down = Double(target.height) / Double(canvas.height), top = Double(subtitle.y) * down
        // Discs' own pixels are not square (720×576 for 16:9): shapes that differ by less than that are the same picture.
        let square = across * pixelAspect
        if square / down > 1.4 || square / down < 1 / 1.4 || canvas.height > 600 && abs(square / down - 1) > 0.05 {
            top = (Double(target.height) - Double(canvas.height) * square) / 2 + Double(subtitle.y) * square
            down = square
        }
        let width = min(target.width, max(1, Int((Double(subtitle.width) * across).rounded())))
        let height = min(target.height, max(1, Int((Double(subtitle.height) * down).rounded())))
        let x = min(max(0, Int((Double(subtitle.x) * across).rounded())), target.width - width)
        let y = min(max(0, Int(top.rounded())), target.height - height)
        return SubtitleLayer(x: x, y: y, image: scaled(subtitle.image, width: width, height: height))
    }

    /// A tent filter as wide as the step, at least two pixels: bilinear where it grows. Where it shrinks to less than half, strokes thinner
    /// than a pixel would fade: their cover is raised by up to 2, so that they stay as dark or light as they were.
    static func scaled(_ image: RasterImage, width: Int, height: Int) -> RasterImage {
        if width == image.width, height == image.height { return image }
        let columns = taps(from: image.width, to: width), rows = taps(from: image.height, to: height)
        var narrow = [SIMD4<Float>](repeating: .zero, count: width * image.height)
        for y in 0..<image.height {
            for x in 0..<width {
                var sum = SIMD4<Float>.zero
                for (offset, weight) in columns[x].weights.enumerated() {
                    sum += Self.parts(image.pixels[y * image.width + columns[x].first + offset]) * weight
                }
                narrow[y * width + x] = sum
            }
        }
        let shrink = Float(max(1, min(2, 0.5 * Double(image.height) / Double(height))))
        var result = RasterImage(width: width, height: height, fill: 0)
        for y in 0..<height {
            for x in 0..<width {
                var sum = SIMD4<Float>.zero
                for (offset, weight) in rows[y].weights.enumerated() { sum += narrow[(rows[y].first + offset) * width + x] * weight }
                let gain = sum.w > 0 ? min(shrink, 255 / sum.w) : 1
                result.pixels[y * width + x] = Self.packed(sum * gain)
            }
        }
        return result
    }

    private static func parts(_ pixel: UInt32) -> SIMD4<Float> {
        SIMD4(Float(pixel & 255), Float(pixel >> 8 & 255), Float(pixel >> 16 & 255), Float(pixel >> 24))
    }

    private static func packed(_ parts: SIMD4<Float>) -> UInt32 {
        let whole = SIMD4<UInt32>(parts.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)).rounded(.toNearestOrEven))
        return whole.x | whole.y << 8 | whole.z << 16 | whole.w << 24
    }

    private static func taps(from source: Int, to target: Int) -> [(first: Int, weights: [Float])] {
        let step = Double(source) / Double(target), reach = max(1, step)
        return (0..<target).map { index in
            let centre = (Double(index) + 0.5) * step - 0.5
            let first = max(0, Int((centre - reach).rounded(.up))), last = min(source - 1, Int((centre + reach).rounded(.down)))
            let raw = (first...max(first, last)).map { max(0, 1 - abs(Double($0) - centre) / reach) }
            let sum = raw.reduce(0, +)
            return (first, raw.map { Float(sum > 0 ? $0 / sum : 1 / Double(raw.count)) })
        }
    }
}
