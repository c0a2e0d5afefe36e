public import AetherCore
import CFFmpeg

/// A frame reduced to some of its samples, to tell whether two decoders show the same. Those of most codecs agree in every bit, those of MPEG-2
/// and MPEG-4 within a few levels of 255; a device that is out of order shows green, grey or blocks.
public struct FramePrint: Sendable, Equatable {
    /// Columns and rows of samples.
    private static let grid = 24

    /// The frame's size.
    public let size: PixelSize
    /// Luma, 0 … 255.
    let samples: [UInt8]

    /// A print of one level, for tests.
    public init(size: PixelSize, level: UInt8) {
        self.size = size
        samples = [UInt8](repeating: level, count: Self.grid * Self.grid)
    }

    /// Reads 576 samples of a frame; nil for formats without a plane of luma of 8 to 16 bits in memory.
    init?(_ frame: borrowing DecodedFrame) {
        guard let description = av_pix_fmt_desc_get(AVPixelFormat(frame.pointer.pointee.format)),
            description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_BE) == 0,
            let plane = frame.pointer.pointee.data.0, frame.width > 0, frame.height > 0
        else { return nil }
        let luma = description.pointee.comp.0, step = Int(luma.step), depth = Int(luma.depth), shift = Int(luma.shift)
        guard luma.plane == 0, 8...16 ~= depth, step == (depth > 8 ? 2 : 1) else { return nil }
        size = PixelSize(width: frame.width, height: frame.height)
        var samples: [UInt8] = []
        for row in 0..<Self.grid {
            let y = (2 * row + 1) * frame.height / (2 * Self.grid)
            let line = UnsafeRawPointer(plane + y * Int(frame.pointer.pointee.linesize.0))
            for column in 0..<Self.grid {
                let x = (2 * column + 1) * frame.width / (2 * Self.grid)
                let sample =
                    step == 1
                    ? Int(line.load(fromByteOffset: x, as: UInt8.self))
                    : Int(line.load(fromByteOffset: 2 * x, as: UInt16.self)) >> (shift + depth - 8)
                samples.append(UInt8(truncatingIfNeeded: sample))
            }
        }
        self.samples = samples
    }

    /// The mean difference of the samples, in levels; nil for frames of different sizes.
    public func difference(from other: FramePrint) -> Double? {
        guard size == other.size, samples.count == other.samples.count else { return nil }
        let sum = zip(samples, other.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(max(1, samples.count))
    }
}
