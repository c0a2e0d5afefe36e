import CFFmpeg

/// The quantisers of a frame: how coarsely each part of it was coded. The scale is the codec's: H.264 0...51, MPEG-2 1...31, VP9 and AV1 0...255.
public struct QuantiserMap: Sendable, Equatable {
    /// Pixels of the side of one place of the map.
    public let step: Int
    /// Places of the map.
    public let columns, rows: Int
    /// By rows; empty where the whole frame has one.
    public let values: [Int16]
    /// The mean over the frame, and the ends.
    public let mean: Double
    /// The finest.
    public let least: Int
    /// The coarsest.
    public let most: Int

    /// A block and its quantiser.
    struct Block {
        let x, y, width, height, quantiser: Int
    }

    /// Places of the widest map.
    private static let widest = 256

    /// The map of blocks that may reach beyond the frame; a frame without blocks has one quantiser.
    init(_ blocks: [Block], base: Int, width: Int, height: Int) {
        var step = 16
        while max(width, height) / step > Self.widest { step *= 2 }
        self.step = step
        guard !blocks.isEmpty, width > 0, height > 0 else {
            (columns, rows, values) = (0, 0, [])
            (mean, least, most) = (Double(base), base, base)
            return
        }
        (columns, rows) = ((width + step - 1) / step, (height + step - 1) / step)
        var map = [Int16](repeating: Int16(clamping: base), count: columns * rows)
        var sum = 0.0, area = 0.0, least = Int.max, most = Int.min
        for block in blocks {
            let left = max(0, block.x), right = min(width, block.x &+ block.width)
            let top = max(0, block.y), bottom = min(height, block.y &+ block.height)
            guard left < right, top < bottom else { continue }
            let size = Double((right - left) * (bottom - top))
            (sum, area) = (sum + Double(block.quantiser) * size, area + size)
            (least, most) = (min(least, block.quantiser), max(most, block.quantiser))
            // A place that several blocks share has the last one's.
            for row in (top / step)...((bottom - 1) / step) {
                for column in (left / step)...((right - 1) / step) {
                    map[row * columns + column] = Int16(clamping: block.quantiser)
                }
            }
        }
        values = map
        mean = area > 0 ? sum / area : Double(base)
        (self.least, self.most) = area > 0 ? (least, most) : (base, base)
    }

    /// The quantiser at a pixel.
    public func value(x: Int, y: Int) -> Int {
        guard !values.isEmpty, x >= 0, y >= 0, x / step < columns, y / step < rows else { return Int(mean.rounded()) }
        return Int(values[y / step * columns + x / step])
    }
}

extension DecodedFrame {
    /// How coarsely it was coded; nil where the decoder does not tell it.
    public var quantisers: QuantiserMap? {
        guard let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_VIDEO_ENC_PARAMS),
            data.pointee.size >= MemoryLayout<AVVideoEncParams>.size
        else { return nil }
        let size = Int(data.pointee.size), raw = UnsafeRawBufferPointer(start: data.pointee.data, count: size)
        let head = raw.loadUnaligned(as: AVVideoEncParams.self)
        let start = Int(head.blocks_offset), step = Int(head.block_size), count = Int(head.nb_blocks)
        var blocks: [QuantiserMap.Block] = []
        if count > 0, step >= MemoryLayout<AVVideoBlockParams>.size, start <= size, count <= (size - start) / step {
            blocks = (0..<count).map { place in
                let block = raw.loadUnaligned(fromByteOffset: start + place * step, as: AVVideoBlockParams.self)
                return QuantiserMap.Block(
                    x: Int(block.src_x), y: Int(block.src_y), width: Int(block.w), height: Int(block.h),
                    quantiser: Int(head.qp &+ block.delta_qp))
            }
        }
        return QuantiserMap(blocks, base: Int(head.qp), width: width, height: height)
    }
}
