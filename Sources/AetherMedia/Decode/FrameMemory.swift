import AetherCore
import CFFmpeg
import Glibc
import Synchronization

/// Memory that libavcodec decodes large frames into. The kernel gives it in pages of 2 MB: with pages of 4 KB the first six frames of 1080p are
/// 3700 page faults more, a sixth of all until the end of a clip of 12 s. libavcodec sets its own memory to zero besides, which new pages are.
final class FrameMemory: Sendable {
    /// A huge page of x86-64 and, mostly, of aarch64. Frames that have less are left to libavcodec.
    private static let hugePage = 2 << 20
    /// What the widest vector instructions want of an address; libavcodec's STRIDE_ALIGN is at most this.
    private static let alignment = 64
    /// Decoders read so much beyond a plane's end, as libavcodec's own memory allows.
    private static let margin = 16 + 64

    /// Where the planes of a frame lie in one piece of memory.
    private struct Layout: Equatable {
        var strides: [Int32] = []
        var offsets: [Int] = []
        var size = 0
    }

    /// The pieces of one layout, used again when a frame is let go. The pool lives until its last piece comes back.
    private struct Pool: ~Copyable {
        let layout: Layout
        let pool: OpaquePointer

        deinit {
            var owned: OpaquePointer? = pool
            av_buffer_pool_uninit(&owned)
        }
    }

    private let pool = Mutex<Pool?>(nil)
    /// In a box: frames lie there while there is a place.
    private let room: FrameRoom?

    /// Of this process, and before it of a room where one is given.
    init(room: FrameRoom? = nil) { self.room = room }

    /// Makes a decoder that is not open yet take its frames from here. `self` must live as long as the decoder.
    func serve(_ context: UnsafeMutablePointer<AVCodecContext>) {
        context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        context.pointee.get_buffer2 = { context, frame, flags in
            guard let context, let frame else { return aether_averror(EINVAL) }
            // Others may want what only libavcodec's own memory gives.
            let isDirect = context.pointee.codec.map { $0.pointee.capabilities & AV_CODEC_CAP_DR1 != 0 } ?? false
            if isDirect, let opaque = context.pointee.opaque {
                let memory = Unmanaged<FrameMemory>.fromOpaque(opaque).takeUnretainedValue()
                if memory.fill(frame, context) { return 0 }
            }
            return avcodec_default_get_buffer2(context, frame, flags)
        }
        aether_context_is_thread_safe(context)
    }

    /// Gives a frame its planes. False for what libavcodec does better itself: frames of hardware, small ones, palettes.
    private func fill(_ frame: UnsafeMutablePointer<AVFrame>, _ context: UnsafeMutablePointer<AVCodecContext>) -> Bool {
        guard let layout = Self.layout(of: frame, context), let piece = room?.buffer(layout.size) ?? piece(of: layout),
            let start = piece.pointee.data
        else { return false }
        withUnsafeMutablePointer(to: &frame.pointee.data) { data in
            data.withMemoryRebound(to: UnsafeMutablePointer<UInt8>?.self, capacity: 8) { data in
                for plane in 0..<8 { data[plane] = layout.offsets.indices.contains(plane) ? start + layout.offsets[plane] : nil }
            }
        }
        withUnsafeMutablePointer(to: &frame.pointee.linesize) { strides in
            strides.withMemoryRebound(to: Int32.self, capacity: 8) { strides in
                for plane in 0..<8 { strides[plane] = layout.strides.indices.contains(plane) ? layout.strides[plane] : 0 }
            }
        }
        frame.pointee.buf.0 = piece
        aether_frame_planes_are_data(frame)
        return true
    }

    /// Memory of this process, of frames that are large.
    private func piece(of layout: Layout) -> UnsafeMutablePointer<AVBufferRef>? {
        guard layout.size >= Self.hugePage else { return nil }
        return pool.withLock { pool -> UnsafeMutablePointer<AVBufferRef>? in
            if pool?.layout != layout {
                pool = av_buffer_pool_init2(layout.size, nil, { _, size in FrameMemory.piece(size) }, nil).map {
                    Pool(layout: layout, pool: $0)
                }
            }
            guard let made = pool?.pool else { return nil }
            return av_buffer_pool_get(made)
        }
    }

    private static func layout(of frame: UnsafeMutablePointer<AVFrame>, _ context: UnsafeMutablePointer<AVCodecContext>)
        -> Layout?
    {
        let format = AVPixelFormat(frame.pointee.format)
        guard let description = av_pix_fmt_desc_get(format),
            description.pointee.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_PAL) == 0
        else { return nil }
        var width = frame.pointee.width, height = frame.pointee.height
        var wanted = [Int32](repeating: 1, count: 8)
        avcodec_align_dimensions2(context, &width, &height, &wanted)
        var strides = [Int32](repeating: 0, count: 4)
        while true {
            guard width > 0, av_image_fill_linesizes(&strides, format, width) >= 0 else { return nil }
            if zip(strides, wanted).allSatisfy({ $0 % max(1, $1) == 0 }) { break }
            // The next width of which a higher power of two is a part.
            let (wider, overflow) = width.addingReportingOverflow(width & -width)
            guard !overflow else { return nil }
            width = wider
        }
        var sizes = [Int](repeating: 0, count: 4), layout = Layout()
        guard av_image_fill_plane_sizes(&sizes, format, height, strides.map { Int($0) }) >= 0 else { return nil }
        for plane in 0..<4 where sizes[plane] > 0 {
            layout.strides.append(strides[plane])
            layout.offsets.append(layout.size)
            layout.size += (sizes[plane] + margin + alignment - 1) / alignment * alignment
        }
        return layout
    }

    /// A piece of memory that begins with a huge page; nil where there is none.
    private static func piece(_ size: Int) -> UnsafeMutablePointer<AVBufferRef>? {
        let page = 4096, size = (size + page - 1) / page * page, room = size + hugePage
        guard let found = mmap(nil, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), found != MAP_FAILED else {
            return nil
        }
        let before = (hugePage - Int(bitPattern: found) % hugePage) % hugePage
        if before > 0 { munmap(found, before) }
        if before < hugePage { munmap(found + before + size, hugePage - before) }
        let start = found + before
        // Advice: without it the pages are small. Huge ones that a frame fills in part would be memory that nobody uses.
        madvise(start, size / hugePage * hugePage, MADV_HUGEPAGE)
        let piece = av_buffer_create(
            start.assumingMemoryBound(to: UInt8.self), size,
            { opaque, data in
                munmap(data, Int(bitPattern: opaque))
                MediaBalance.frameMemory.add(-1)
            }, UnsafeMutableRawPointer(bitPattern: size), 0)
        if piece == nil { munmap(start, size) } else { MediaBalance.frameMemory.add() }
        return piece
    }
}
