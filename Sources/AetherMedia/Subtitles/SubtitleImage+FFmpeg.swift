import AetherCore
import CFFmpeg

extension SubtitleImage {
    /// The bitmap of a rectangle, cut to what is not transparent; nil for an empty or broken one. One with more pixels than are kept is
    /// made of every second, third … of them: no terminal shows more.
    init?(_ rect: UnsafePointer<AVSubtitleRect>, canvas: PixelSize, limit: Int = SubtitleBounds.pixelLimit) {
        let (width, height) = (Int(rect.pointee.w), Int(rect.pointee.h)), stride = Int(rect.pointee.linesize.0)
        guard rect.pointee.type == SUBTITLE_BITMAP, width > 0, height > 0, width <= SubtitleBounds.decodedLimit,
            height <= SubtitleBounds.decodedLimit / width, stride >= width, let pixels = rect.pointee.data.0,
            let colours = rect.pointee.data.1
        else { return nil }
        let count = min(256, max(0, Int(rect.pointee.nb_colors)))
        let palette = colours.withMemoryRebound(to: UInt32.self, capacity: count) { colours in
            (0..<count).map { Self.premultiplied(colours[$0]) }
        }
        let isSeen = (0..<256).map { $0 < palette.count && palette[$0] >> 24 != 0 }
        func row(_ y: Int) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: pixels + y * stride, count: width) }
        func hasInk(_ y: Int) -> Bool { row(y).contains { isSeen[Int($0)] } }
        guard let top = (0..<height).first(where: hasInk), let bottom = (0..<height).last(where: hasInk) else { return nil }
        var left = width, right = 0
        for y in top...bottom {
            let row = row(y)
            if let first = row.firstIndex(where: { isSeen[Int($0)] }) { left = min(left, first) }
            if let last = row.lastIndex(where: { isSeen[Int($0)] }) { right = max(right, last) }
        }
        let step = Self.step((right - left + 1, bottom - top + 1), limit: limit)
        let columns = (right - left) / step + 1, rows = (bottom - top) / step + 1
        var indices: [UInt8] = []
        indices.reserveCapacity(columns * rows)
        for y in Swift.stride(from: top, through: bottom, by: step) {
            let row = row(y)
            if step == 1 {
                indices.append(contentsOf: row[left...right])
            } else {
                for x in Swift.stride(from: left, through: right, by: step) { indices.append(row[x]) }
            }
        }
        self.init(
            width: columns, height: rows, indices: indices, palette: palette, x: (Int(rect.pointee.x) + left) / step,
            y: (Int(rect.pointee.y) + top) / step,
            canvasSize: PixelSize(width: max(1, canvas.width / step), height: max(1, canvas.height / step)),
            isForced: rect.pointee.flags & AV_SUBTITLE_FLAG_FORCED != 0)
    }

    /// Every how many-th pixel is kept.
    static func step(_ size: (width: Int, height: Int), limit: Int) -> Int {
        var step = 1
        while (size.width / step + 1) * (size.height / step + 1) > limit, step < 64 { step += 1 }
        return size.width <= limit / size.height ? 1 : step
    }

    /// libavcodec's 0xAARRGGBB as a premultiplied 0xAABBGGRR.
    static func premultiplied(_ colour: UInt32) -> UInt32 {
        let alpha = colour >> 24
        func part(_ shift: UInt32) -> UInt32 { ((colour >> shift & 255) * alpha + 127) / 255 }
        return alpha << 24 | part(0) << 16 | part(8) << 8 | part(16)
    }
}
