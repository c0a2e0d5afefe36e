import AetherCore
import AetherEngine
import AetherRender

/// The Video tab's image: the frame and its planes in grey, its histogram and its waveform, and of a high dynamic range its tone curve. Pure.
enum LevelsMontage {
    /// Six places, two beside one another; under them one as wide as both for a tone curve.
    private static let columns = 2, rows = 3
    private static let colours = [RasterImage.rgb(230, 230, 230), RasterImage.rgb(90, 140, 255), RasterImage.rgb(255, 90, 90)]
    private static let gap = 4

    /// The place of an image in the montage; nil behind the last. The seventh is there only with a tone curve.
    static func place(_ number: Int, in box: PixelSize, hasTone: Bool = false) -> (x: Int, y: Int, width: Int, height: Int)? {
        guard (0..<columns * Self.rows + (hasTone ? 1 : 0)).contains(number) else { return nil }
        let rows = Self.rows + (hasTone ? 1 : 0)
        let width = (box.width - gap) / columns, height = (box.height - (rows - 1) * gap) / rows
        guard width >= 8, height >= 8 else { return nil }
        let isWide = number == columns * Self.rows
        return (
            number % columns * (width + gap), number / columns * (height + gap), isWide ? 2 * width + gap : width, height
        )
    }

    /// Where a size lies in a place, as large as fits, in the middle.
    static func fitted(_ size: PixelSize, in place: (x: Int, y: Int, width: Int, height: Int))
        -> (x: Int, y: Int, width: Int, height: Int)
    {
        let scale = min(Double(place.width) / Double(max(1, size.width)), Double(place.height) / Double(max(1, size.height)))
        let width = max(1, Int(Double(size.width) * scale)), height = max(1, Int(Double(size.height) * scale))
        return (place.x + (place.width - width) / 2, place.y + (place.height - height) / 2, width, height)
    }

    /// The point of the frame, both 0...1, at a point of the montage, as shares of it too; nil beside its images of the frame.
    static func point(
        x: Double, y: Double, of size: PixelSize, in box: PixelSize, hasTone: Bool = false
    ) -> (x: Double, y: Double)? {
        let (column, row) = (x * Double(box.width), y * Double(box.height))
        for number in 0..<4 {
            guard let place = place(number, in: box, hasTone: hasTone) else { continue }
            let image = fitted(size, in: place)
            let (across, down) = (
                (column - Double(image.x)) / Double(image.width), (row - Double(image.y)) / Double(image.height)
            )
            if (0..<1).contains(across), (0..<1).contains(down) { return (across, down) }
        }
        return nil
    }

    /// Draws it.
    static func image(_ look: FrameLook, in box: PixelSize) -> RasterImage? {
        guard let frame = look.image, let levels = look.levels, box.width > 0, box.height > 0 else { return nil }
        var canvas = RasterImage(width: box.width, height: box.height)
        let hasTone = look.hasToneCurve
        func put(_ image: RasterImage, _ number: Int) {
            guard let place = place(number, in: box, hasTone: hasTone) else { return }
            // All have the frame's shape, whatever the shape of their own pixels.
            let target = fitted(frame.size, in: place)
            canvas.draw(image.scaled(to: PixelSize(width: target.width, height: target.height)), at: (target.x, target.y))
        }
        put(frame, 0)
        for component in levels.grid.indices { put(levels.plane(component), 1 + component) }
        func draw(_ number: Int, _ image: (_ width: Int, _ height: Int) -> RasterImage) {
            guard let place = place(number, in: box, hasTone: hasTone) else { return }
            canvas.draw(image(place.width, place.height), at: (place.x, place.y))
        }
        draw(4) { histogram(levels, $0, $1) }
        draw(5) { waveform(levels, $0, $1) }
        if let colour = look.colour { draw(6) { ToneGraph(colour).image(width: $0, height: $1) } }
        return canvas
    }

    /// A curve for each component over the 256 levels; the height is the root of the count, so that rare levels are seen.
    static func histogram(_ levels: FrameLevels, _ width: Int, _ height: Int) -> RasterImage {
        var image = RasterImage(width: width, height: height, fill: RasterImage.rgb(16, 16, 16))
        for (component, counts) in levels.histogram.enumerated() {
            let most = Double(max(1, counts.max() ?? 1)).squareRoot()
            for x in 0..<width {
                let first = x * 256 / width, last = max(first + 1, (x + 1) * 256 / width)
                let count = counts[first..<min(256, last)].max() ?? 0
                let top = Int((Double(count).squareRoot() / most * Double(height - 1)).rounded())
                // Luma is filled, the others are lines.
                for y in component == 0 ? 0...top : top...top where component > 0 || count > 0 {
                    let colour = component == 0 ? RasterImage.rgb(120, 120, 120) : colours[component]
                    image.pixels[(height - 1 - y) * width + x] = colour
                }
            }
        }
        return image
    }

    /// For each column of the frame how bright its pixels are, the brightest on top.
    static func waveform(_ levels: FrameLevels, _ width: Int, _ height: Int) -> RasterImage {
        var image = RasterImage(width: width, height: height, fill: RasterImage.rgb(16, 16, 16))
        let most = Double(max(1, levels.waveform.max() ?? 1))
        for x in 0..<width {
            let column = x * FrameLevels.waveColumns / width
            for y in 0..<height {
                let level = (height - 1 - y) * FrameLevels.waveLevels / height
                let count = levels.waveform[column * FrameLevels.waveLevels + level]
                guard count > 0 else { continue }
                let share = 0.25 + 0.75 * (Double(count) / most).squareRoot()
                image.pixels[y * width + x] = RasterImage.rgb(UInt8(60 * share), UInt8(255 * share), UInt8(120 * share))
            }
        }
        return image
    }
}

extension FrameLook {
    /// There is a tone curve that can be drawn.
    var hasToneCurve: Bool { colour?.curve.isEmpty == false }
}

extension FrameView {
    /// Draws what was found as it was asked.
    init(_ request: FrameRequest, _ look: FrameLook, number: Int) {
        var image = request.wish.wantsLevels ? LevelsMontage.image(look, in: request.wish.box) : nil
        if image == nil, var frame = look.image, let size = look.size {
            if request.drawsMap, let map = look.quantisers { FrameOverlay.draw(map, of: size, over: &frame) }
            if request.drawsVectors { FrameOverlay.draw(look.vectors, of: size, over: &frame) }
            image = frame
        }
        let renderers = request.wish.wantsLevels ? look.image.map { RendererCost.measure($0) } ?? [] : []
        self.init(request: request, look: look, trouble: "", image: image, number: number, renderers: renderers)
    }
}
