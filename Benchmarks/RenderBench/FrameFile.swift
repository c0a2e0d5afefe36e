import AetherCore
import Foundation

/// Raw rgba frames of one size, read one by one.
struct FrameFile {
    private let handle: FileHandle
    private let size: PixelSize

    init?(_ path: String, size: PixelSize) {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        self.handle = handle
        self.size = size
    }

    func next() -> RasterImage? {
        let count = size.width * size.height
        let data = handle.readData(ofLength: count * 4)
        guard data.count == count * 4 else { return nil }
        var pixels = [UInt32](repeating: 0, count: count)
        pixels.withUnsafeMutableBytes { _ = data.copyBytes(to: $0) }
        return RasterImage(width: size.width, height: size.height, pixels: pixels)
    }
}

extension RasterImage {
    /// The picture at another size, each pixel the mean of the area it covers.
    func areaScaled(to size: PixelSize) -> RasterImage {
        if size == self.size { return self }
        let columns = Self.areas(width, size.width), rows = Self.areas(height, size.height)
        var result = RasterImage(width: size.width, height: size.height)
        for y in 0..<size.height {
            for x in 0..<size.width {
                var sum = SIMD4<Float>(repeating: 0)
                for (line, down) in rows[y] {
                    for (place, across) in columns[x] {
                        let pixel = pixels[line * width + place]
                        let channels = SIMD4(Float(pixel & 255), Float(pixel >> 8 & 255), Float(pixel >> 16 & 255), 1)
                        sum += channels * (down * across)
                    }
                }
                let mean = sum / sum.w + 0.5
                result[x, y] = Self.rgb(UInt8(mean.x), UInt8(mean.y), UInt8(mean.z))
            }
        }
        return result
    }

    /// For each new place the old ones it covers, and how much of each.
    private static func areas(_ old: Int, _ new: Int) -> [[(Int, Float)]] {
        (0..<new).map { place in
            let start = Double(place) * Double(old) / Double(new), end = Double(place + 1) * Double(old) / Double(new)
            return (Int(start)..<min(old, Int(end.rounded(.up)))).compactMap { index in
                let share = min(end, Double(index + 1)) - max(start, Double(index))
                return share > 1e-9 ? (index, Float(share)) : nil
            }
        }
    }
}
