import AetherCore
import AetherMedia

/// The frame that is on screen, and what its subtitles cover, so that they can be taken off again. A video's frames are not copied for
/// their subtitles: these are drawn into the pixels that the scaler made, of which only this value knows until they are shown.
struct StandingFrame {
    let stamp: FrameStamp
    private var image: RasterImage
    /// The pixels under the subtitles, in the order in which they were drawn.
    private var covered: [Patch] = []

    private struct Patch {
        let x, y, width: Int
        let pixels: [UInt32]
    }

    init(_ frame: consuming QueuedFrame) {
        stamp = frame.stamp
        image = frame.image
    }

    var size: PixelSize { image.size }

    /// The frame with these subtitles and in these colours, without those that it had before. Other colours than the video's want a copy:
    /// they cannot be taken back.
    mutating func drawn(with layers: [SubtitleLayer], in colours: AdjustmentTable) -> RasterImage {
        while let patch = covered.popLast() { put(patch) }
        guard colours.isNeutral else {
            var result = colours.applied(to: image)
            for layer in layers { layer.blend(onto: &result) }
            return result
        }
        for layer in layers {
            if let patch = patch(under: layer) { covered.append(patch) }
            layer.blend(onto: &image)
        }
        return image
    }

    private func patch(under layer: SubtitleLayer) -> Patch? {
        let columns = max(0, layer.x)..<max(max(0, layer.x), min(image.width, layer.x + layer.image.width))
        let rows = max(0, layer.y)..<max(max(0, layer.y), min(image.height, layer.y + layer.image.height))
        guard !columns.isEmpty, !rows.isEmpty else { return nil }
        var pixels: [UInt32] = []
        pixels.reserveCapacity(columns.count * rows.count)
        image.pixels.withUnsafeBufferPointer { source in
            for row in rows {
                pixels.append(contentsOf: source[row * image.width + columns.lowerBound..<row * image.width + columns.upperBound])
            }
        }
        return Patch(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, pixels: pixels)
    }

    private mutating func put(_ patch: Patch) {
        let width = image.width
        image.pixels.withUnsafeMutableBufferPointer { target in
            for row in 0..<patch.pixels.count / patch.width {
                let first = (patch.y + row) * width + patch.x
                for column in 0..<patch.width { target[first + column] = patch.pixels[row * patch.width + column] }
            }
        }
    }
}
