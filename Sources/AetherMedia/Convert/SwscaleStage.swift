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
    /// The place of chroma samples among luma, in 1/256 of a pixel from the upper left.
    struct ChromaSite: Equatable {
        var x, y: Int
    }
    private var key: Key?
    private var context: OpaquePointer?
    private var memory: UnsafeMutableRawPointer?
    private var planeBytes = 0
    /// So many pixels of what libswscale makes become one across, and down.
    private var reduction = (x: 1, y: 1)
    /// From ratios of about 50 on libswscale goes through contexts that it opens itself, without our options: pixels without alpha became
    /// transparent, grey got another range.
    private static let ratioLimit = 32
    /// Bytes from one row of a scaled plane to the next.
    private(set) var stride = 0

    init() {}

    deinit {
        if context != nil { MediaBalance.contexts.add(-1) }
        sws_freeContext(context)
        free(memory)
    }

    /// Scales a frame into planes (or packed pixels: RGBA) of `output` and returns the first plane; the others follow at
    /// `plane(_:)`. Codes are not touched: neither range nor matrix is converted between formats of one family.
    mutating func scale(
        _ frame: UnsafePointer<AVFrame>, to target: PixelSize, output: AVPixelFormat, chromaSite: ChromaSite?
    ) throws(MediaError) -> UnsafePointer<UInt8> {
        try prepare(frame, target, output, chromaSite)
        guard let memory, let context else { throw MediaError(.internalFailure, "scale frame") }
        let source = frame.pointee
        let base = memory.assumingMemoryBound(to: UInt8.self)
        let inputs: [UnsafePointer<UInt8>?] = (0..<4).map { source.plane($0).map { UnsafePointer($0) } }
        let inputStrides = (0..<4).map { Int32(truncatingIfNeeded: source.stride($0)) }
        let outputs: [UnsafeMutablePointer<UInt8>?] = (0..<4).map { base + planeBytes * $0 }
        let outputStrides = [Int32](repeating: Int32(stride), count: 4)
        let lines = sws_scale(context, inputs, inputStrides, 0, source.height, outputs, outputStrides)
        guard lines > 0 else { throw MediaError(.decodeFailed, "scale frame", averror: min(lines, -EINVAL)) }
        if reduction != (1, 1) { reduce(base, to: target, output) }
        return UnsafePointer(base)
    }

    /// A scaled plane by number.
    func plane(_ index: Int) -> UnsafePointer<UInt8>? {
        memory.map { UnsafePointer($0.assumingMemoryBound(to: UInt8.self) + planeBytes * index) }
    }

    private mutating func prepare(
        _ frame: UnsafePointer<AVFrame>, _ target: PixelSize, _ output: AVPixelFormat, _ site: ChromaSite?
    ) throws(MediaError) {
        let input = frame.pointee
        let (width, height) = (Int(input.width), Int(input.height))
        func factor(_ from: Int, _ to: Int) -> Int { (from - 1) / (to * SwscaleStage.ratioLimit) + 1 }
        reduction = (factor(width, target.width), factor(height, target.height))
        let target = PixelSize(width: target.width * reduction.x, height: target.height * reduction.y)
        let wanted = Key(
            format: AVPixelFormat(rawValue: input.format), width: width, height: height, target: target, output: output,
            chromaSite: site)
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
            throw MediaError(.unsupported, "scale frame", subject: name, reason: "no conversion from this pixel format or size")
        }
        MediaBalance.contexts.add()
        // Four planes of at most 8 bytes a pixel; vector code may write up to 64 bytes past a row.
        stride = (target.width * 8 + 127) & ~63
        planeBytes = stride * (target.height + 2)
        free(memory)
        memory = aligned_alloc(64, planeBytes * 4)
        guard memory != nil else { throw MediaError(.internalFailure, "scale frame", reason: "out of memory") }
        key = wanted
    }

    /// Averages blocks of what libswscale made, in place.
    private func reduce(_ base: UnsafeMutablePointer<UInt8>, to target: PixelSize, _ output: AVPixelFormat) {
        if output == AV_PIX_FMT_RGBA { return average(base, channels: 4, target) }
        guard let descriptor = av_pix_fmt_desc_get(output)?.pointee else { return }
        let isWide = descriptor.comp.0.depth > 8
        for plane in 0..<Int(descriptor.nb_components) {
            let start = base + planeBytes * plane
            if isWide {
                average(UnsafeMutableRawPointer(start).assumingMemoryBound(to: UInt16.self), channels: 1, target)
            } else {
                average(start, channels: 1, target)
            }
        }
    }

    private func average<Sample: FixedWidthInteger & UnsignedInteger>(
        _ plane: UnsafeMutablePointer<Sample>, channels: Int, _ target: PixelSize
    ) {
        let (across, down, row) = (reduction.x, reduction.y, stride / MemoryLayout<Sample>.stride)
        let count = across * down
        for y in 0..<target.height {
            for index in 0..<target.width * channels {
                let (x, channel) = index.quotientAndRemainder(dividingBy: channels)
                var sum = count / 2
                for dy in 0..<down {
                    let source = plane + (y * down + dy) * row + x * across * channels + channel
                    for dx in 0..<across { sum += Int(source[dx * channels]) }
                }
                // The samples that are overwritten were read before: the place lies at or before the block.
                plane[y * row + index] = Sample(truncatingIfNeeded: sum / count)
            }
        }
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
