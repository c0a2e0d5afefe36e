import AetherCore
import CFFmpeg

/// Where the planes of a frame lie in one piece of memory, as offsets. One that comes from a box may say anything.
struct FramePlanes: Equatable {
    private static let most = 4
    private(set) var offsets: [Int]
    private(set) var steps: [Int32]

    /// As they lie without gaps, which follows from format and size; nil where they do not fit.
    init?(_ format: AVPixelFormat, _ width: Int32, _ height: Int32, in count: Int) {
        var starts = [UnsafeMutablePointer<UInt8>?](repeating: nil, count: Self.most)
        var steps = [Int32](repeating: 0, count: Self.most)
        // The places themselves are never looked at: any address does.
        guard let base = UnsafeMutablePointer<UInt8>(bitPattern: 1 << 20) else { return nil }
        let size = av_image_fill_arrays(&starts, &steps, base, format, width, height, FrameRecord.alignment)
        guard size > 0, Int(size) <= count else { return nil }
        offsets = starts.map { $0.map { $0 - base } ?? -1 }
        self.steps = steps
    }

    /// Those of a frame in a piece of memory; nil where one lies elsewhere.
    init?(of frame: AVFrame, in memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress else { return nil }
        var offsets: [Int] = []
        for plane in [frame.data.0, frame.data.1, frame.data.2, frame.data.3] {
            let offset = plane.map { Int(bitPattern: $0) - Int(bitPattern: start) }
            guard offset.map({ $0 >= 0 && $0 < memory.count }) ?? true else { return nil }
            offsets.append(offset ?? -1)
        }
        self.offsets = offsets
        steps = [frame.linesize.0, frame.linesize.1, frame.linesize.2, frame.linesize.3]
    }

    /// Those that a record states, whatever they are.
    init(_ record: inout RecordReader) {
        (offsets, steps) = ([], [])
        for _ in 0..<Self.most {
            offsets.append(Int(record.integer(Int32.self)))
            steps.append(record.integer())
        }
    }

    /// Writes them as a record.
    func put(to record: inout RecordWriter) {
        for plane in 0..<Self.most {
            record.put(Int32(clamping: offsets[plane]))
            record.put(steps[plane])
        }
    }

    /// The bytes up to the end of the last plane of such a frame, and what readers take beyond it; nil where that is not in so many bytes. Frames
    /// with a palette never are, nor those whose rows go upwards.
    func end(in count: Int, _ format: AVPixelFormat, _ width: Int32, _ height: Int32) -> Int? {
        let flags = UInt64(AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM)
        guard let description = av_pix_fmt_desc_get(format), description.pointee.flags & flags == 0 else { return nil }
        let unit = description.pointee.comp.0.depth > 8 ? description.pointee.comp.0.depth > 16 ? 4 : 2 : 1
        let lower = Int(description.pointee.log2_chroma_h)
        var last = 0
        for plane in 0..<Self.most {
            let row = Int(av_image_get_linesize(format, width, Int32(plane)))
            guard row >= 0 else { return nil }
            if row == 0 {
                // No such plane: nobody may be led there.
                guard offsets[plane] == -1, steps[plane] == 0 else { return nil }
                continue
            }
            let isChroma = (plane == 1 || plane == 2) && description.pointee.nb_components > 2
            let rows = isChroma ? (Int(height) + (1 << lower) - 1) >> lower : Int(height)
            let (offset, step) = (offsets[plane], Int(steps[plane]))
            guard offset >= 0, offset <= count, step >= row, offset % unit == 0, step % unit == 0 else { return nil }
            // Both are below 2^31: no overflow in 64 bits.
            last = max(last, offset + step * (rows - 1) + row + FrameRecord.margin)
        }
        return last > 0 && last <= count ? last : nil
    }

    /// Their addresses in a piece of memory in which they lie.
    func starts(in memory: UnsafeMutableRawBufferPointer) -> [UnsafeMutablePointer<UInt8>?] {
        let start = memory.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return offsets.map { offset in offset < 0 ? nil : start.map { $0 + offset } }
    }
}
