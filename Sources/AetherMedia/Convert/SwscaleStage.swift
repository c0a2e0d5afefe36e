import AetherCore
import CFFmpeg

/// libswscale for what our own scaler does not read: enlarging, interleaved chroma, packed, alpha, palettes, big endian. One
/// context is kept for the present format and sizes.
struct SwscaleStage: ~Copyable {
    private struct Key: Equatable {
        var format: AVPixelFormat
        var width, height: Int
        var target: PixelSize
        var output: AVPixelFormat
        var chromaSite: ChromaSite?
    }
    /// Where chroma samples lie among luma, in 1/256 of a pixel from the upper left.
    struct ChromaSite: Equatable {
        var x, y: Int
    }
    private var key: Key?
    private var context: OpaquePointer?
    private var memory: UnsafeMutableRawPointer?
    private var planeBytes = 0
    /// Bytes from one row of a scaled plane to the next.
    private(set) var stride = 0

    init() {}

    deinit {
        if context != nil { MediaBalance.contexts.add(-1) }
        sws_freeContext(context)
        free(memory)
    }

    /// Scales a frame into planes (or packed pixels) of `output` and returns the first plane; the others follow at
    /// `plane(_:)`. Codes are not touched: neither range nor matrix is converted between formats of one family.
    mutating func scale(
        _ frame: UnsafePointer<AVFrame>, to target: PixelSize, output: AVPixelFormat, chromaSite: ChromaSite?
    ) throws(MediaError) -> UnsafePointer<UInt8> {
        try prepare(frame, target, output, chromaSite)
        guard let memory, let context else { throw MediaError(.internalFailure, "scale picture") }
        let source = frame.pointee
        let base = memory.assumingMemoryBound(to: UInt8.self)
        let inputs: [UnsafePointer<UInt8>?] = (0..<4).map { source.plane($0).map { UnsafePointer($0) } }
        let inputStrides = (0..<4).map { Int32(truncatingIfNeeded: source.stride($0)) }
        let outputs: [UnsafeMutablePointer<UInt8>?] = (0..<4).map { base + planeBytes * $0 }
        let outputStrides = [Int32](repeating: Int32(stride), count: 4)
        let lines = sws_scale(context, inputs, inputStrides, 0, source.height, outputs, outputStrides)
        guard lines > 0 else { throw MediaError(.decodeFailed, "scale picture", averror: min(lines, -EINVAL)) }
        return UnsafePointer(base)
    }

    /// A scaled plane by number.
    func plane(_ index: Int) -> UnsafePointer<UInt8>? {
        memory.map { UnsafePointer($0.assumingMemoryBound(to: UInt8.self) + planeBytes * index) }
    }

    private mutating func prepare(
        _ frame: UnsafePointer<AVFrame>, _ target: PixelSize, _ output: AVPixelFormat, _ site: ChromaSite?
    ) throws(MediaError) {
        let picture = frame.pointee
        let wanted = Key(
            format: AVPixelFormat(rawValue: picture.format), width: Int(picture.width), height: Int(picture.height),
            target: target, output: output, chromaSite: site)
        if wanted == key { return }
        key = nil
        if context != nil { MediaBalance.contexts.add(-1) }
        sws_freeContext(context)
        context = nil
        // Extreme ratios need more filter taps than bicubic may have.
        let flags = SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP | SWS_ACCURATE_RND
        context =
            SwscaleStage.open(wanted, SWS_BICUBIC | flags) ?? SwscaleStage.open(wanted, SWS_BILINEAR | flags)
            ?? SwscaleStage.open(wanted, SWS_POINT | flags)
        guard context != nil else {
            let name = av_get_pix_fmt_name(wanted.format).map { String(cString: $0) } ?? "?"
            throw MediaError(.unsupported, "scale picture", subject: name, reason: "no conversion from this pixel format or size")
        }
        MediaBalance.contexts.add()
        // Four planes of at most 8 bytes a pixel; vector code may write up to 64 bytes past a row.
        stride = (target.width * 8 + 127) & ~63
        planeBytes = stride * (target.height + 2)
        free(memory)
        memory = aligned_alloc(64, planeBytes * 4)
        guard memory != nil else { throw MediaError(.internalFailure, "scale picture", reason: "out of memory") }
        key = wanted
    }

    private static func open(_ key: Key, _ flags: Int32) -> OpaquePointer? {
        guard let context = sws_alloc_context() else { return nil }
        let object = UnsafeMutableRawPointer(context)
        var options: [(String, Int64)] = [
            ("srcw", Int64(key.width)), ("srch", Int64(key.height)), ("src_format", Int64(key.format.rawValue)),
            ("dstw", Int64(key.target.width)), ("dsth", Int64(key.target.height)), ("dst_format", Int64(key.output.rawValue)),
            ("sws_flags", Int64(flags)),
            // Equal on both sides: no range conversion, ours follows.
            ("src_range", 1), ("dst_range", 1),
        ]
        if let site = key.chromaSite {
            options += [("src_h_chr_pos", Int64(site.x)), ("src_v_chr_pos", Int64(site.y))]
        }
        for (name, value) in options where av_opt_set_int(object, name, value, 0) < 0 {
            sws_freeContext(context)
            return nil
        }
        guard sws_init_context(context, nil, nil) >= 0 else {
            sws_freeContext(context)
            return nil
        }
        return context
    }
}
