public import AetherCore
import CFFmpeg

/// Small images as JPEG: a thumbnail of 160×90 takes 4 KB, a sixth of PNG.
public enum JPEGImage {
    /// The file, by libavcodec's encoder, at a quantizer of 4 (of 2, best, to 31). Blocks for the work: 0.3 ms for 160×90. Throws
    /// `.unsupported` without an encoder or for sizes outside 1...4096.
    public static func bytes(_ image: RasterImage) throws(MediaError) -> [UInt8] {
        guard (1...4096).contains(image.width), (1...4096).contains(image.height),
            let codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG), let context = avcodec_alloc_context3(codec)
        else { throw MediaError(.unsupported, "write a JPEG") }
        var owned: UnsafeMutablePointer<AVCodecContext>? = context
        defer { avcodec_free_context(&owned) }
        context.pointee.width = Int32(image.width)
        context.pointee.height = Int32(image.height)
        context.pointee.pix_fmt = AV_PIX_FMT_YUVJ420P
        context.pointee.color_range = AVCOL_RANGE_JPEG
        context.pointee.time_base = AVRational(num: 1, den: 25)
        context.pointee.thread_count = 1
        context.pointee.flags |= AV_CODEC_FLAG_QSCALE
        context.pointee.global_quality = quantizer * FF_QP2LAMBDA
        var status = avcodec_open2(context, codec, nil)
        guard status >= 0 else { throw MediaError(.unsupported, "write a JPEG", averror: status) }
        guard let frame = av_frame_alloc(), let packet = av_packet_alloc() else {
            throw MediaError(.internalFailure, "write a JPEG", averror: aether_averror(ENOMEM))
        }
        var ownedFrame: UnsafeMutablePointer<AVFrame>? = frame, ownedPacket: UnsafeMutablePointer<AVPacket>? = packet
        defer {
            av_frame_free(&ownedFrame)
            av_packet_free(&ownedPacket)
        }
        (frame.pointee.width, frame.pointee.height) = (Int32(image.width), Int32(image.height))
        frame.pointee.format = AV_PIX_FMT_YUVJ420P.rawValue
        frame.pointee.quality = quantizer * FF_QP2LAMBDA
        status = av_frame_get_buffer(frame, 0)
        if status >= 0 {
            fill(frame, image)
            status = avcodec_send_frame(context, frame)
        }
        if status >= 0 { status = avcodec_receive_packet(context, packet) }
        guard status >= 0, let data = packet.pointee.data else {
            throw MediaError(.internalFailure, "write a JPEG", averror: status)
        }
        return Array(UnsafeBufferPointer(start: data, count: Int(packet.pointee.size)))
    }

    private static let quantizer: Int32 = 4

    /// JFIF's colours: BT.601 over the full range, chroma of each four pixels.
    private static func fill(_ frame: UnsafeMutablePointer<AVFrame>, _ image: RasterImage) {
        guard let luma = frame.pointee.data.0, let blue = frame.pointee.data.1, let red = frame.pointee.data.2 else { return }
        let strides = (Int(frame.pointee.linesize.0), Int(frame.pointee.linesize.1), Int(frame.pointee.linesize.2))
        func parts(_ x: Int, _ y: Int) -> (r: Int, g: Int, b: Int) {
            let pixel = image[min(x, image.width - 1), min(y, image.height - 1)]
            return (Int(pixel & 255), Int(pixel >> 8 & 255), Int(pixel >> 16 & 255))
        }
        for y in 0..<image.height {
            for x in 0..<image.width {
                let (r, g, b) = parts(x, y)
                luma[y * strides.0 + x] = UInt8(clamping: (19_595 * r + 38_470 * g + 7471 * b + 32_768) >> 16)
            }
        }
        for y in 0..<(image.height + 1) / 2 {
            for x in 0..<(image.width + 1) / 2 {
                var sum = (r: 0, g: 0, b: 0)
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let part = parts(2 * x + dx, 2 * y + dy)
                    sum = (sum.r + part.r, sum.g + part.g, sum.b + part.b)
                }
                blue[y * strides.1 + x] = chroma(-11_059 * sum.r - 21_709 * sum.g + 32_768 * sum.b)
                red[y * strides.2 + x] = chroma(32_768 * sum.r - 27_439 * sum.g - 5329 * sum.b)
            }
        }
    }

    /// The sum of four, in 65536ths.
    private static func chroma(_ sum: Int) -> UInt8 { UInt8(clamping: ((sum + 131_072) >> 18) + 128) }
}
