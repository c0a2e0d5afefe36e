import AetherCore
import CFFmpeg

extension SubtitleImage {
    /// The picture of a rectangle, cut to what is not transparent; nil for an empty, huge or broken one.
    init?(_ rect: UnsafePointer<AVSubtitleRect>, canvas: PixelSize) {
        let (width, height) = (Int(rect.pointee.w), Int(rect.pointee.h)), stride = Int(rect.pointee.linesize.0)
        guard rect.pointee.type == SUBTITLE_BITMAP, width > 0, height > 0, width <= SubtitleBounds.pixelLimit,
            height <= SubtitleBounds.pixelLimit / width, stride >= width, let pixels = rect.pointee.data.0,
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
        var indices: [UInt8] = []
        indices.reserveCapacity((right - left + 1) * (bottom - top + 1))
        for y in top...bottom { indices.append(contentsOf: row(y)[left...right]) }
        self.init(
            width: right - left + 1, height: bottom - top + 1, indices: indices, palette: palette, x: Int(rect.pointee.x) + left,
            y: Int(rect.pointee.y) + top, canvasSize: canvas, isForced: rect.pointee.flags & AV_SUBTITLE_FLAG_FORCED != 0)
    }

    /// libavcodec's 0xAARRGGBB as a premultiplied 0xAABBGGRR.
    static func premultiplied(_ colour: UInt32) -> UInt32 {
        let alpha = colour >> 24
        func part(_ shift: UInt32) -> UInt32 { ((colour >> shift & 255) * alpha + 127) / 255 }
        return alpha << 24 | part(0) << 16 | part(8) << 8 | part(16)
    }
}
