public import AetherCore

/// Reads PNG of 8-bit RGB and RGBA strictly: signature, order, checksums, filters.
public enum PNGReader {
    /// The picture, its alpha as it is in the file; nil when anything is wrong.
    public static func read(_ bytes: [UInt8]) -> RasterImage? {
        guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
        var at = 8, width = 0, height = 0, channels = 0
        var data: [UInt8] = []
        while at + 12 <= bytes.count {
            let count = number(bytes, at), kind = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
            guard at + 12 + count <= bytes.count,
                Zlib.checksum(bytes[at + 4..<at + 8 + count]) == UInt32(number(bytes, at + 8 + count))
            else { return nil }
            switch kind {
            case "IHDR":
                (width, height) = (number(bytes, at + 8), number(bytes, at + 12))
                guard count == 13, bytes[at + 16] == 8, bytes[at + 18...at + 20].allSatisfy({ $0 == 0 }) else { return nil }
                channels = bytes[at + 17] == 2 ? 3 : bytes[at + 17] == 6 ? 4 : 0
            case "IDAT": data += bytes[at + 8..<at + 8 + count]
            case "IEND":
                guard at + 12 == bytes.count, channels > 0, let rows = Zlib.inflate(data) else { return nil }
                return decode(rows, width, height, channels)
            default: return nil
            }
            at += 12 + count
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], _ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }

    private static func decode(_ rows: [UInt8], _ width: Int, _ height: Int, _ channels: Int) -> RasterImage? {
        let stride = width * channels
        guard rows.count == (stride + 1) * height else { return nil }
        var image = RasterImage(width: width, height: height, fill: 0)
        var above = [UInt8](repeating: 0, count: stride)
        for y in 0..<height {
            let start = y * (stride + 1)
            var line = Array(rows[start + 1..<start + 1 + stride])
            for x in 0..<stride {
                let left = x >= channels ? line[x - channels] : 0
                switch rows[start] {
                case 0: break
                case 1: line[x] &+= left
                case 2: line[x] &+= above[x]
                default: return nil
                }
            }
            for x in 0..<width {
                let pixel = line[x * channels..<(x + 1) * channels]
                image[x, y] = pixel.reversed().reduce(channels == 3 ? 255 : 0) { $0 << 8 | UInt32($1) }
            }
            above = line
        }
        return image
    }
}
