public import AetherCore

/// Pictures made of nothing but a seed, the same on every machine: integer arithmetic only.
public struct SyntheticFrames {
    /// Size of each picture in pixels.
    public let width, height: Int
    private let texture: [Int]
    private let grainSeed: UInt64
    private static let side = 64

    /// A source of pictures.
    public init(width: Int, height: Int, seed: UInt64) {
        self.width = width
        self.height = height
        grainSeed = seed
        var random = SeededRandom(seed: seed)
        texture = (0..<Self.side * Self.side * 3).map { _ in random.below(256) }
    }

    /// Independent random pixels: the worst case of every encoder.
    public func noise(_ index: Int) -> RasterImage {
        var random = SeededRandom(seed: grainSeed &+ UInt64(index) &* 7919)
        let pixels = (0..<width * height).map { _ in UInt32(truncatingIfNeeded: random.next()) | 0xFF00_0000 }
        return RasterImage(width: width, height: height, pixels: pixels)
    }

    /// A slow gradient over both axes, shifted a little each frame.
    public func gradient(_ index: Int) -> RasterImage {
        image { x, y in
            RasterImage.rgb(
                UInt8(truncatingIfNeeded: (x * 255 / max(1, width - 1) + index) & 255),
                UInt8(truncatingIfNeeded: y * 255 / max(1, height - 1)),
                UInt8(truncatingIfNeeded: 128 + index))
        }
    }

    /// Like film: smooth shapes of three sizes that pan by a third of a pixel a frame, with grain of ±1 and a still frame around.
    public func film(_ index: Int) -> RasterImage {
        var random = SeededRandom(seed: grainSeed ^ UInt64(truncatingIfNeeded: index + 1))
        let shift = index * 256 / 3
        return image { x, y in
            let border = x < width / 10 || y < height / 10
            let moved = x * 256 + (border ? 0 : shift)
            var channels: (UInt8, UInt8, UInt8) = (0, 0, 0)
            let grain = border ? 0 : random.below(3) - 1
            withUnsafeMutableBytes(of: &channels) { bytes in
                for channel in 0..<3 {
                    let large = sample(moved / 24, y * 256 / 24, channel)
                    let middle = sample(moved / 7, y * 256 / 7, channel)
                    let small = sample(moved / 2, y * 256 / 2, (channel + 1) % 3)
                    bytes[channel] = UInt8(clamping: (large * 5 + middle * 2 + small) / 8 + grain)
                }
            }
            return RasterImage.rgb(channels.0, channels.1, channels.2)
        }
    }

    /// The texture at a place in 1/256, bilinear.
    private func sample(_ x: Int, _ y: Int, _ channel: Int) -> Int {
        func at(_ x: Int, _ y: Int) -> Int { texture[(((y & 63) << 6) | (x & 63)) * 3 + channel] }
        let fx = x & 255, fy = y & 255, left = x >> 8, top = y >> 8
        let upper = at(left, top) * (256 - fx) + at(left + 1, top) * fx
        let lower = at(left, top + 1) * (256 - fx) + at(left + 1, top + 1) * fx
        return (upper * (256 - fy) + lower * fy) >> 16
    }

    private func image(_ pixel: (Int, Int) -> UInt32) -> RasterImage {
        var pixels: [UInt32] = []
        pixels.reserveCapacity(width * height)
        for y in 0..<height { for x in 0..<width { pixels.append(pixel(x, y)) } }
        return RasterImage(width: width, height: height, pixels: pixels)
    }
}
