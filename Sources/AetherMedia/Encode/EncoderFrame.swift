import AetherCore
import CFFmpeg

/// A frame for the encoder, which others are drawn into: 8 bits 4:2:0 in the range of television. Lives on one thread.
struct EncoderFrame: ~Copyable {
    private let size: PixelSize
    private let matrix: Int32
    private var context: OpaquePointer?
    private var source: (width: Int32, height: Int32, format: Int32)?

    /// `matrix`: of the colours, by FFmpeg's number.
    init(_ size: PixelSize, matrix: Int32) { (self.size, self.matrix) = (size, matrix) }

    deinit { free() }

    private borrowing func free() {
        guard context != nil else { return }
        sws_freeContext(context)
        MediaBalance.contexts.add(-1)
    }

    /// A frame of its own with the pixels of another one, and a time. The caller owns it.
    mutating func drawn(_ frame: borrowing DecodedFrame, at time: Int64) throws(MediaError) -> UnsafeMutablePointer<AVFrame> {
        let input = frame.pointer
        try prepare(input)
        guard let output = av_frame_alloc() else { throw MediaError(.internalFailure, "encode video") }
        (output.pointee.width, output.pointee.height) = (Int32(size.width), Int32(size.height))
        output.pointee.format = AV_PIX_FMT_YUV420P.rawValue
        var status = av_frame_get_buffer(output, 0)
        if status >= 0 { status = sws_scale_frame(context, output, input) }
        guard status >= 0 else {
            var owned: UnsafeMutablePointer<AVFrame>? = output
            av_frame_free(&owned)
            throw MediaError(.decodeFailed, "encode video", averror: status)
        }
        output.pointee.pts = time
        output.pointee.pict_type = AV_PICTURE_TYPE_NONE
        output.pointee.color_range = AVCOL_RANGE_MPEG
        return output
    }

    private mutating func prepare(_ input: UnsafeMutablePointer<AVFrame>) throws(MediaError) {
        let (width, height, format) = (input.pointee.width, input.pointee.height, input.pointee.format)
        if let source, source == (width, height, format) { return }
        free()
        let flags = SWS_BICUBIC | SWS_FULL_CHR_H_INT | SWS_ACCURATE_RND | SWS_BITEXACT
        context = sws_getContext(
            width, height, AVPixelFormat(format), Int32(size.width), Int32(size.height), AV_PIX_FMT_YUV420P, flags, nil, nil, nil)
        guard let context else {
            source = nil
            let name = av_get_pix_fmt_name(AVPixelFormat(format)).map { String(cString: $0) } ?? "?"
            throw MediaError(.unsupported, "encode video", subject: name, reason: "no conversion from this pixel format or size")
        }
        MediaBalance.contexts.add()
        source = (width, height, format)
        // The matrix counts where RGB is read; the full range of JPEG becomes that of television.
        let table = sws_getCoefficients(matrix == AVCOL_SPC_BT709.rawValue ? Int32(SWS_CS_ITU709) : Int32(SWS_CS_DEFAULT))
        let isFull = input.pointee.color_range == AVCOL_RANGE_JPEG
        sws_setColorspaceDetails(context, table, isFull ? 1 : 0, table, 0, 0, 1 << 16, 1 << 16)
    }
}
