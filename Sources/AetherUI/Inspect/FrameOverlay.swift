import AetherCore
import AetherEngine

/// The marks that are drawn over a frame: motion vectors and quantisers. Pure.
enum FrameOverlay {
    /// From a frame that was shown before, and from one that is shown later.
    private static let earlier = RasterImage.rgb(255, 220, 0), later = RasterImage.rgb(255, 64, 255)

    /// Draws the motion vectors of a frame of `size` pixels over its image: from where a block was taken to where it is, with a dot there.
    /// Of those that would lie upon one another one is drawn.
    static func draw(_ vectors: [MotionVector], of size: PixelSize, over image: inout RasterImage) {
        guard size.width > 0, size.height > 0, image.width > 0, image.height > 0 else { return }
        let across = Double(image.width) / Double(size.width), down = Double(image.height) / Double(size.height)
        // Eight pixels of the image apart.
        let columns = image.width / 8 + 1
        var taken = [Bool](repeating: false, count: columns * (image.height / 8 + 1))
        for vector in vectors where vector.x != vector.fromX || vector.y != vector.fromY {
            let x = Int(Double(vector.x) * across), y = Int(Double(vector.y) * down)
            guard x >= 0, y >= 0, x < image.width, y < image.height, !taken[y / 8 * columns + x / 8] else { continue }
            taken[y / 8 * columns + x / 8] = true
            let colour = vector.isFromLater ? later : earlier
            let fromX = Int((Double(vector.fromX) * across).rounded()), fromY = Int((Double(vector.fromY) * down).rounded())
            line(fromX, fromY, x, y, colour, &image)
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] { put(x + dx, y + dy, colour, &image) }
        }
    }

    /// Tints an image by the quantisers of its frame: blue where it was coded finest, red where coarsest.
    static func draw(_ map: QuantiserMap, of size: PixelSize, over image: inout RasterImage) {
        guard !map.values.isEmpty, size.width > 0, size.height > 0 else { return }
        let span = Double(max(1, map.most - map.least))
        for y in 0..<image.height {
            for x in 0..<image.width {
                let value = map.value(x: x * size.width / image.width, y: y * size.height / image.height)
                let share = min(1, max(0, Double(value - map.least) / span))
                let place = y * image.width + x, pixel = image.pixels[place]
                let red = (pixel & 255) / 2 + UInt32(127 * share), green = (pixel >> 8 & 255) / 2
                let blue = (pixel >> 16 & 255) / 2 + UInt32(127 * (1 - share))
                image.pixels[place] = RasterImage.rgb(UInt8(red), UInt8(green), UInt8(blue))
            }
        }
    }

    private static func put(_ x: Int, _ y: Int, _ colour: UInt32, _ image: inout RasterImage) {
        guard x >= 0, y >= 0, x < image.width, y < image.height else { return }
        image.pixels[y * image.width + x] = colour
    }

    /// Bresenham's line; no longer than the image is wide and high together, whatever the file says.
    private static func line(_ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int, _ colour: UInt32, _ image: inout RasterImage) {
        let dx = abs(x1 - x0), dy = -abs(y1 - y0), stepX = x0 < x1 ? 1 : -1, stepY = y0 < y1 ? 1 : -1
        guard dx - dy <= image.width + image.height else { return }
        var (x, y, error) = (x0, y0, dx + dy)
        while true {
            put(x, y, colour, &image)
            if x == x1, y == y1 { return }
            let twice = 2 * error
            if twice >= dy { (error, x) = (error + dy, x + stepX) }
            if twice <= dx { (error, y) = (error + dx, y + stepY) }
        }
    }
}
