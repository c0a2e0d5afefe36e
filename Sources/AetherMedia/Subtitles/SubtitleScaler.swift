public import AetherCore

/// Brings bitmap subtitles to the size of the video as it is shown.
public enum SubtitleScaler {
    /// The subtitle on a frame of that size, whose pixels are `pixelAspect` wide to high; nil where nothing of it would be seen.
    ///
    /// The canvas is laid over the frame. Where their shapes differ (a video cut to 2.39:1 with subtitles for 16:9) widths are matched and
    /// the heights centred, and what would lie beside the frame is moved onto it.
    public static func layer(_ subtitle: SubtitleImage, on target: PixelSize, pixelAspect: Double) -> SubtitleLayer? {
        let canvas = subtitle.canvasSize
        guard target.width > 0, target.height > 0, canvas.width > 0, canvas.height > 0, subtitle.width > 0, subtitle.height > 0
        else {
            return nil
        }
        let across = Double(target.width) / Double(canvas.width)
        var down = Double(target.height) / Double(canvas.height), top = Double(subtitle.y) * down
        // Discs' own pixels are not square (720×576 for 16:9): shapes that differ by less than that are the same frame.
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
        let columns = Taps(from: image.width, to: width), rows = Taps(from: image.height, to: height)
        let narrow = narrowed(image, columns, width: width)
        let shrink = Float(max(1, min(2, 0.5 * Double(image.height) / Double(height))))
        var result = RasterImage(width: width, height: height, fill: 0)
        narrow.withUnsafeBufferPointer { narrow in
            result.pixels.withUnsafeMutableBufferPointer { pixels in
                for y in 0..<height {
                    let first = rows.first[y], weights = y * rows.count
                    for x in 0..<width {
                        var sum = SIMD4<Float>.zero
                        for offset in 0..<rows.count {
                            sum += narrow[(first + offset) * width + x] * rows.weights[weights + offset]
                        }
                        guard sum.w > 0 else { continue }
                        pixels[y * width + x] = packed(sum * min(shrink, 255 / sum.w))
                    }
                }
            }
        }
        return result
    }

    /// Scaled in width only.
    private static func narrowed(_ image: RasterImage, _ columns: Taps, width: Int) -> [SIMD4<Float>] {
        var narrow = [SIMD4<Float>](repeating: .zero, count: width * image.height)
        narrow.withUnsafeMutableBufferPointer { narrow in
            image.pixels.withUnsafeBufferPointer { pixels in
                // Taken apart once for each pixel, not for each tap that it is in.
                var row = [SIMD4<Float>](repeating: .zero, count: image.width)
                row.withUnsafeMutableBufferPointer { row in
                    columns.weights.withUnsafeBufferPointer { weights in
                        for y in 0..<image.height {
                            for x in 0..<image.width { row[x] = parts(pixels[y * image.width + x]) }
                            for x in 0..<width {
                                var sum = SIMD4<Float>.zero
                                let first = columns.first[x]
                                for offset in 0..<columns.count {
                                    sum += row[first + offset] * weights[x * columns.count + offset]
                                }
                                narrow[y * width + x] = sum
                            }
                        }
                    }
                }
            }
        }
        return narrow
    }

    private static func parts(_ pixel: UInt32) -> SIMD4<Float> {
        SIMD4(Float(pixel & 255), Float(pixel >> 8 & 255), Float(pixel >> 16 & 255), Float(pixel >> 24))
    }

    private static func packed(_ parts: SIMD4<Float>) -> UInt32 {
        // Never negative: rounding is adding a half. Of scalars: the conversion of vectors is not inlined.
        func byte(_ value: Float) -> UInt32 { UInt32(min(value + 0.5, 255)) }
        return byte(parts.x) | byte(parts.y) << 8 | byte(parts.z) << 16 | byte(parts.w) << 24
    }

    /// The pixels that each target pixel is made of: `count` from `first` on, those without weight included.
    private struct Taps {
        let count: Int
        private(set) var first: [Int] = []
        private(set) var weights: [Float] = []

        init(from source: Int, to target: Int) {
            let step = Double(source) / Double(target), reach = max(1, step)
            count = min(source, Int((2 * reach).rounded(.up)) + 1)
            for index in 0..<target {
                let centre = (Double(index) + 0.5) * step - 0.5
                let start = min(max(0, Int((centre - reach).rounded(.up))), source - count)
                let raw = (start..<start + count).map { max(0, 1 - abs(Double($0) - centre) / reach) }
                let sum = raw.reduce(0, +)
                first.append(start)
                weights += raw.map { Float(sum > 0 ? $0 / sum : 1 / Double(count)) }
            }
        }
    }
}
