import AetherCore
import CFFmpeg

/// libswscale for what our own scaler does not read: enlarging, interleaved chroma, packed, alpha, palettes, big endian. One
/// context is kept for the present format and sizes.
struct SwscaleStage: ~Copyable {
    private struct Key: Equatable {
        var format: AVPixelFormat
        var width, height: Int
        /// The planes that libswscale makes, which are reduced afterwards where the ratio is extreme.
        var order: ScaleOrder
    }
    /// The place of chroma samples among luma, in 1/256 of a pixel from the upper left.
    struct ChromaSite: Equatable {
        var x, y: Int
    }
    private var key: Key?
    private var context: OpaquePointer?
    private var memory: UnsafeMutableRawPointer?
    private var memoryBytes = 0
    /// So many pixels of what libswscale makes become one across, and down.
    private var reduction = (x: 1, y: 1)
    /// From ratios of about 50 on libswscale goes through contexts that it opens itself, without our options: pixels without alpha became
    /// transparent, grey got another range.
    private static let ratioLimit = 32

    init() {}

    deinit {
        if context != nil { MediaBalance.contexts.add(-1) }
        sws_freeContext(context)
        free(memory)
    }

    /// Scales a frame. Returns where its planes lie, as the order says, until the next call: in `target`, if that is given. Codes are not touched:
    /// neither range nor matrix is converted between formats of one family.
    mutating func scale(
        _ frame: UnsafePointer<AVFrame>, _ order: ScaleOrder, into target: UnsafeMutableRawBufferPointer? = nil
    ) throws(MediaError) -> UnsafePointer<UInt8> {
        let made = try prepare(frame, order), isWhole = made == order
        let own = !isWhole || target == nil ? try room(made.byteCount) : nil
        guard let context, let base = own ?? target?.baseAddress, target.map({ $0.count >= order.byteCount }) ?? true else {
            throw MediaError(.internalFailure, "scale frame", reason: "out of memory")
        }
        let source = frame.pointee, start = base.assumingMemoryBound(to: UInt8.self)
        let inputs: [UnsafePointer<UInt8>?] = (0..<4).map { source.plane($0).map { UnsafePointer($0) } }
        let inputStrides = (0..<4).map { Int32(truncatingIfNeeded: source.stride($0)) }
        let outputs: [UnsafeMutablePointer<UInt8>?] = (0..<4).map {
            $0 < order.form.planeCount ? start + made.planeBytes * $0 : nil
        }
        let outputStrides = [Int32](repeating: Int32(clamping: made.stride), count: 4)
        let lines = sws_scale(context, inputs, inputStrides, 0, source.height, outputs, outputStrides)
        guard lines > 0 else { throw MediaError(.decodeFailed, "scale frame", averror: min(lines, -EINVAL)) }
        if isWhole { return UnsafePointer(start) }
        // The smaller planes fit where the larger ones lie.
        let end = target?.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? start
        reduce(start, made, to: end, order)
        return UnsafePointer(end)
    }

    /// Memory of our own for so many bytes.
    private mutating func room(_ bytes: Int) throws(MediaError) -> UnsafeMutableRawPointer {
        if let memory, memoryBytes >= bytes { return memory }
        free(memory)
        memory = aligned_alloc(64, (bytes + 63) & ~63)
        memoryBytes = memory == nil ? 0 : bytes
        guard let memory else { throw MediaError(.internalFailure, "scale frame", reason: "out of memory") }
        return memory
    }

    /// Makes the tables; returns what libswscale is to make, which is larger than the order where the ratio is extreme.
    private mutating func prepare(_ frame: UnsafePointer<AVFrame>, _ order: ScaleOrder) throws(MediaError) -> ScaleOrder {
        let input = frame.pointee
        let (width, height) = (Int(input.width), Int(input.height))
        func factor(_ from: Int, _ to: Int) -> Int { (from - 1) / (to * SwscaleStage.ratioLimit) + 1 }
        reduction = (factor(width, order.size.width), factor(height, order.size.height))
        let made = ScaleOrder(
            order.form, size: PixelSize(width: order.size.width * reduction.x, height: order.size.height * reduction.y),
            chromaSite: order.chromaSite)
        let wanted = Key(format: AVPixelFormat(rawValue: input.format), width: width, height: height, order: made)
        if wanted == key { return made }
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
        key = wanted
        return made
    }

    /// Averages blocks of what libswscale made. Both may lie in the same place.
    private func reduce(
        _ made: UnsafeMutablePointer<UInt8>, _ from: ScaleOrder, to base: UnsafeMutablePointer<UInt8>, _ order: ScaleOrder
    ) {
        for plane in 0..<order.form.planeCount {
            let source = UnsafeMutableRawPointer(made + from.planeBytes * plane)
            let target = UnsafeMutableRawPointer(base + order.planeBytes * plane)
            if order.form.isDeep {
                average(
                    source.assumingMemoryBound(to: UInt16.self), from.stride / 2, to: target.assumingMemoryBound(to: UInt16.self),
                    order.stride / 2, channels: 1, order.size)
            } else {
                average(
                    source.assumingMemoryBound(to: UInt8.self), from.stride, to: target.assumingMemoryBound(to: UInt8.self),
                    order.stride, channels: order.form.unit, order.size)
            }
        }
    }

    private func average<Sample: FixedWidthInteger & UnsignedInteger>(
        _ made: UnsafeMutablePointer<Sample>, _ row: Int, to target: UnsafeMutablePointer<Sample>, _ targetRow: Int,
        channels: Int,
        _ size: PixelSize
    ) {
        let (across, down) = (reduction.x, reduction.y), count = across * down
        for y in 0..<size.height {
            for index in 0..<size.width * channels {
                let (x, channel) = index.quotientAndRemainder(dividingBy: channels)
                var sum = count / 2
                for dy in 0..<down {
                    let source = made + (y * down + dy) * row + x * across * channels + channel
                    for dx in 0..<across { sum += Int(source[dx * channels]) }
                }
                // The samples that are overwritten were read before: the place lies at or before the block.
                target[y * targetRow + index] = Sample(truncatingIfNeeded: sum / count)
            }
        }
    }

    private static func open(_ key: Key, _ flags: Int32) -> OpaquePointer? {
        guard let context = sws_alloc_context() else { return nil }
        let object = UnsafeMutableRawPointer(context)
        var options: [(String, Int64)] = [
            ("srcw", Int64(key.width)), ("srch", Int64(key.height)), ("src_format", Int64(key.format.rawValue)),
            ("dstw", Int64(key.order.size.width)), ("dsth", Int64(key.order.size.height)),
            ("dst_format", Int64(key.order.form.format.rawValue)),
            ("sws_flags", Int64(flags)),
            // Equal on both sides: no range conversion, ours follows.
            ("src_range", 1), ("dst_range", 1),
        ]
        if let site = key.order.chromaSite {
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
