import AetherCore
import CFFmpeg
import Glibc

/// Brings frames of a device into main memory, in the formats of software decoders, so that all stages behind see what they would see without
/// the device: NV12 and P010, in which graphics processors write, become planes of 4:2:0. On the decoder's thread.
struct HardwareFrameReader: ~Copyable {
    /// A planar format, and how far its samples lie from where the device has them.
    private struct Planes: Equatable {
        var format: AVPixelFormat
        var bytes: Int, shift: UInt16

        /// nil for formats that are read as they are.
        init?(_ format: AVPixelFormat) {
            switch format {
            case AV_PIX_FMT_NV12: (self.format, bytes, shift) = (AV_PIX_FMT_YUV420P, 1, 0)
            // The ten bits are the upper ones of sixteen.
            case AV_PIX_FMT_P010LE: (self.format, bytes, shift) = (AV_PIX_FMT_YUV420P10LE, 2, 6)
            default: return nil
            }
        }
    }

    /// Rows begin at whole vectors, and readers read a vector too far.
    private static let alignment = 64

    private var pool: OpaquePointer?
    private var poolSize = 0

    deinit {
        var owned = pool
        av_buffer_pool_uninit(&owned)
    }

    /// The frame in main memory, with its times, colours, cropping and side data. Blocks until the device has finished it: 1 ms of 1080p and more.
    /// Throws `.decodeFailed` where it cannot be read.
    mutating func read(_ frame: borrowing DecodedFrame) throws(MediaError) -> DecodedFrame {
        let source = frame.pointer
        guard AVPixelFormat(source.pointee.format) == AV_PIX_FMT_VAAPI, let frames = source.pointee.hw_frames_ctx,
            let target = av_frame_alloc()
        else { throw Self.failure(aether_averror(EINVAL)) }
        let context = UnsafeMutableRawPointer(frames.pointee.data).assumingMemoryBound(to: AVHWFramesContext.self)
        var status = fill(target, from: source, context.pointee.sw_format)
        if status >= 0 { status = av_frame_copy_props(target, source) }
        // Of frames of devices libavcodec cuts the right and the lower edge alone.
        if status >= 0 { status = av_frame_apply_cropping(target, Int32(AV_FRAME_CROP_UNALIGNED)) }
        guard status >= 0 else {
            var owned: UnsafeMutablePointer<AVFrame>? = target
            av_frame_free(&owned)
            throw Self.failure(status)
        }
        return DecodedFrame(taking: target, pts: frame.pts, duration: frame.duration, userData: frame.userData)
    }

    private static func failure(_ status: Int32) -> MediaError {
        MediaError(.decodeFailed, "read a frame", subject: HardwareDevice.name, averror: status)
    }

    private mutating func fill(
        _ target: UnsafeMutablePointer<AVFrame>, from source: UnsafeMutablePointer<AVFrame>, _ format: AVPixelFormat
    ) -> Int32 {
        guard let planes = Planes(format) else {
            target.pointee.format = format.rawValue
            return av_hwframe_transfer_data(target, source, 0)
        }
        guard let mapped = av_frame_alloc() else { return aether_averror(ENOMEM) }
        defer {
            var owned: UnsafeMutablePointer<AVFrame>? = mapped
            av_frame_free(&owned)
        }
        mapped.pointee.format = format.rawValue
        // As av_hwframe_transfer_data does it, but for its copy: the samples are moved once, to where they are wanted.
        let status = av_hwframe_map(mapped, source, Int32(AV_HWFRAME_MAP_READ))
        guard status >= 0 else { return status }
        let size = (width: Int(source.pointee.width), height: Int(source.pointee.height))
        guard allocate(target, planes, size) else { return aether_averror(ENOMEM) }
        return Self.split(mapped, into: target, planes, size) ? 0 : aether_averror(EINVAL)
    }

    /// Memory for the planes, from a pool: a frame of 1080p of its own would be 760 page faults.
    private mutating func allocate(
        _ target: UnsafeMutablePointer<AVFrame>, _ planes: Planes, _ size: (width: Int, height: Int)
    ) -> Bool {
        let half = (width: (size.width + 1) / 2, height: (size.height + 1) / 2)
        func stride(_ width: Int) -> Int { (width * planes.bytes + Self.alignment - 1) / Self.alignment * Self.alignment }
        let strides = [stride(size.width), stride(half.width), stride(half.width)]
        let sizes = [strides[0] * size.height, strides[1] * half.height, strides[2] * half.height].map { $0 + 2 * Self.alignment }
        let total = sizes.reduce(0, +)
        if pool == nil || poolSize != total {
            // Its pieces live until the last of them comes back.
            av_buffer_pool_uninit(&pool)
            (pool, poolSize) = (av_buffer_pool_init(total, nil), total)
        }
        guard let pool, let piece = av_buffer_pool_get(pool), let start = piece.pointee.data else { return false }
        target.pointee.buf.0 = piece
        target.pointee.data.0 = start
        target.pointee.data.1 = start + sizes[0]
        target.pointee.data.2 = start + sizes[0] + sizes[1]
        (target.pointee.linesize.0, target.pointee.linesize.1, target.pointee.linesize.2) =
            (Int32(strides[0]), Int32(strides[1]), Int32(strides[2]))
        aether_frame_planes_are_data(target)
        (target.pointee.format, target.pointee.width, target.pointee.height) =
            (planes.format.rawValue, Int32(size.width), Int32(size.height))
        return true
    }

    /// Copies luma, and takes pairs of chroma samples apart.
    private static func split(
        _ source: UnsafeMutablePointer<AVFrame>, into target: UnsafeMutablePointer<AVFrame>, _ planes: Planes,
        _ size: (width: Int, height: Int)
    ) -> Bool {
        guard let luma = source.pointee.data.0, let pairs = source.pointee.data.1, let y = target.pointee.data.0,
            let u = target.pointee.data.1, let v = target.pointee.data.2
        else { return false }
        let steps = (Int(source.pointee.linesize.0), Int(source.pointee.linesize.1))
        let strides = (Int(target.pointee.linesize.0), Int(target.pointee.linesize.1))
        let half = (width: (size.width + 1) / 2, height: (size.height + 1) / 2)
        guard planes.bytes == 2 else {
            for row in 0..<size.height { memcpy(y + row * strides.0, luma + row * steps.0, size.width) }
            for row in 0..<half.height {
                let (from, u, v) = (pairs + row * steps.1, u + row * strides.1, v + row * strides.1)
                for x in 0..<half.width { (u[x], v[x]) = (from[2 * x], from[2 * x + 1]) }
            }
            return true
        }
        func words(_ bytes: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt16> {
            UnsafeMutableRawPointer(bytes).assumingMemoryBound(to: UInt16.self)
        }
        let shift = planes.shift
        for row in 0..<size.height {
            let (from, y) = (words(luma + row * steps.0), words(y + row * strides.0))
            for x in 0..<size.width { y[x] = from[x] >> shift }
        }
        for row in 0..<half.height {
            let (from, u, v) = (words(pairs + row * steps.1), words(u + row * strides.1), words(v + row * strides.1))
            for x in 0..<half.width { (u[x], v[x]) = (from[2 * x] >> shift, from[2 * x + 1] >> shift) }
        }
        return true
    }
}
