import CFFmpeg

/// Where a block of a frame was taken from in another one, in pixels from the top left.
public struct MotionVector: Sendable, Equatable {
    /// The middle of the block.
    public let x, y: Int
    /// The middle of what it was taken from; may lie outside the frame.
    public let fromX, fromY: Int
    /// The size of the block.
    public let width, height: Int
    /// It was taken from a frame that is shown later.
    public let isFromLater: Bool

    /// A vector.
    public init(x: Int, y: Int, fromX: Int, fromY: Int, width: Int, height: Int, isFromLater: Bool) {
        (self.x, self.y, self.fromX, self.fromY) = (x, y, fromX, fromY)
        (self.width, self.height, self.isFromLater) = (width, height, isFromLater)
    }

    /// A frame of 8K in blocks of 16x16, both ways, is 260 000; those that are drawn are far fewer.
    static let limit = 65_536
}

extension DecodedFrame {
    /// The number of its motion vectors; 0 where the decoder does not tell them.
    public var vectorCount: Int { vectorBytes / MemoryLayout<AVMotionVector>.stride }

    /// Its motion vectors, of more than `MotionVector.limit` every second, third and so on.
    public var vectors: [MotionVector] {
        let count = vectorCount
        guard count > 0, let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_MOTION_VECTORS) else { return [] }
        let raw = UnsafeRawBufferPointer(start: data.pointee.data, count: vectorBytes)
        let step = (count + MotionVector.limit - 1) / MotionVector.limit
        return stride(from: 0, to: count, by: step).map { place in
            let vector = raw.loadUnaligned(fromByteOffset: place * MemoryLayout<AVMotionVector>.stride, as: AVMotionVector.self)
            return MotionVector(
                x: Int(vector.dst_x), y: Int(vector.dst_y), fromX: Int(vector.src_x), fromY: Int(vector.src_y),
                width: Int(vector.w), height: Int(vector.h), isFromLater: vector.source > 0)
        }
    }

    private var vectorBytes: Int {
        av_frame_get_side_data(pointer, AV_FRAME_DATA_MOTION_VECTORS).map { Int($0.pointee.size) } ?? 0
    }
}
