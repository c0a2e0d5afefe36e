import AetherCore
import CDav1d
import CFFmpeg

/// An image of libdav1d's as the frame that scaler and sinks know.
enum AV1Picture {
    /// Wraps an image without copying it; the frame's last owner gives it back. nil when memory ran out or the format has no name.
    static func frame(
        taking picture: Dav1dPicture, _ parameters: CodecParameters, tellsCoding: Bool = false
    ) -> DecodedFrame? {
        let held = UnsafeMutablePointer<Dav1dPicture>.allocate(capacity: 1)
        held.initialize(to: picture)
        let height = max(1, Int(picture.p.h))
        let bytes = picture.data.0?.assumingMemoryBound(to: UInt8.self)
        // libdav1d unrefs from any thread.
        let buffer = av_buffer_create(
            bytes, max(1, picture.stride.0) * height, { held, _ in AV1Picture.release(held) }, held,
            Int32(AV_BUFFER_FLAG_READONLY))
        guard let buffer else {
            release(held)
            return nil
        }
        guard let frame = av_frame_alloc() else {
            var owned: UnsafeMutablePointer<AVBufferRef>? = buffer
            av_buffer_unref(&owned)
            return nil
        }
        frame.pointee.buf.0 = buffer
        frame.pointee.data = (
            bytes, picture.data.1?.assumingMemoryBound(to: UInt8.self), picture.data.2?.assumingMemoryBound(to: UInt8.self), nil,
            nil, nil, nil, nil
        )
        let (luma, chroma) = (Int32(clamping: picture.stride.0), Int32(clamping: picture.stride.1))
        frame.pointee.linesize = (luma, chroma, chroma, 0, 0, 0, 0, 0)
        describe(frame, picture, parameters.pointer.pointee)
        if tellsCoding { addCoding(frame, picture) }
        let messages = messages(picture)
        for message in messages {
            if message.isDolbyVision { attach(message.payload, to: frame) }
            if let scene = AVDynamicHDRPlus(message), let data = av_dynamic_hdr_plus_create_side_data(frame) {
                data.pointee = scene
            }
        }
        let ticks = picture.m.timestamp
        frame.pointee.pts = ticks
        frame.pointee.best_effort_timestamp = ticks
        let length = picture.m.duration
        return DecodedFrame(
            taking: frame, pts: ticks == aether_nopts() ? nil : MediaTime(ticks: ticks, in: parameters.timeBase),
            duration: length > 0 ? TimeSpan(nanoseconds: parameters.timeBase.nanoseconds(ticks: length)) : nil,
            userData: messages)
    }

    private static func release(_ opaque: UnsafeMutableRawPointer?) {
        guard let held = opaque?.assumingMemoryBound(to: Dav1dPicture.self) else { return }
        dav1d_picture_unref(held)
        held.deallocate()
    }

    // MARK: - What it looks like

    private static func describe(
        _ frame: UnsafeMutablePointer<AVFrame>, _ picture: Dav1dPicture, _ stated: AVCodecParameters
    ) {
        frame.pointee.width = picture.p.w
        frame.pointee.height = picture.p.h
        // Both are there with every frame.
        guard let sequence = picture.seq_hdr?.pointee, let header = picture.frame_hdr?.pointee else { return }
        frame.pointee.format = format(picture.p, sequence).rawValue
        frame.pointee.sample_aspect_ratio = aspect(picture.p, header)
        // 2 is "unspecified" in both, and then the container is asked.
        let unknown: UInt32 = 2
        frame.pointee.color_primaries =
            sequence.pri.rawValue == unknown ? stated.color_primaries : AVColorPrimaries(rawValue: sequence.pri.rawValue)
        frame.pointee.color_trc =
            sequence.trc.rawValue == unknown ? stated.color_trc : AVColorTransferCharacteristic(rawValue: sequence.trc.rawValue)
        frame.pointee.colorspace =
            sequence.mtrx.rawValue == unknown ? stated.color_space : AVColorSpace(rawValue: sequence.mtrx.rawValue)
        frame.pointee.color_range = sequence.color_range != 0 ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        frame.pointee.chroma_location =
            switch sequence.chr {
            case DAV1D_CHR_VERTICAL: AVCHROMA_LOC_LEFT
            case DAV1D_CHR_COLOCATED: AVCHROMA_LOC_TOPLEFT
            default: stated.chroma_location
            }
        addLight(frame, picture)
    }

    private static func format(_ shape: Dav1dPictureParameters, _ sequence: Dav1dSequenceHeader) -> AVPixelFormat {
        let planes =
            switch shape.layout {
            case DAV1D_PIXEL_LAYOUT_I400: "gray"
            case DAV1D_PIXEL_LAYOUT_I422: "yuv422p"
            // Green, blue and red lie in the planes in this order, as in FFmpeg's format.
            case DAV1D_PIXEL_LAYOUT_I444: sequence.mtrx == DAV1D_MC_IDENTITY ? "gbrp" : "yuv444p"
            default: "yuv420p"
            }
        return av_get_pix_fmt(shape.bpc > 8 ? "\(planes)\(shape.bpc)" : planes)
    }

    /// The shape of a pixel, where the stream is to be shown in another shape than it was coded in. A frame that was only coded smaller says
    /// nothing, and neither does one to be shown as it is: then the container's word counts.
    private static func aspect(_ shape: Dav1dPictureParameters, _ header: Dav1dFrameHeader) -> AVRational {
        let across = Int64(shape.h) * Int64(header.render_width)
        let down = Int64(shape.w) * Int64(header.render_height)
        var ratio = AVRational(num: 0, den: 1)
        guard across > 0, down > 0, across != down else { return ratio }
        av_reduce(&ratio.num, &ratio.den, across, down, Int64(Int32.max))
        return ratio
    }

    /// The light of the mastering display and of the content, as HDR10 states them.
    private static func addLight(_ frame: UnsafeMutablePointer<AVFrame>, _ picture: Dav1dPicture) {
        if let display = picture.mastering_display?.pointee,
            let data = av_mastering_display_metadata_create_side_data(frame)
        {
            func part(_ value: UInt16) -> AVRational { AVRational(num: Int32(value), den: 1 << 16) }
            func point(_ pair: (UInt16, UInt16)) -> (AVRational, AVRational) { (part(pair.0), part(pair.1)) }
            let corners = display.primaries
            data.pointee.display_primaries = (point(corners.0), point(corners.1), point(corners.2))
            data.pointee.white_point = point(display.white_point)
            data.pointee.max_luminance = AVRational(num: Int32(clamping: display.max_luminance), den: 1 << 8)
            data.pointee.min_luminance = AVRational(num: Int32(clamping: display.min_luminance), den: 1 << 14)
            data.pointee.has_primaries = 1
            data.pointee.has_luminance = 1
        }
        if let light = picture.content_light?.pointee, let data = av_content_light_metadata_create_side_data(frame) {
            data.pointee.MaxCLL = UInt32(clamping: light.max_content_light_level)
            data.pointee.MaxFALL = UInt32(clamping: light.max_frame_average_light_level)
        }
    }

    /// How it was coded, where FFmpeg's own decoders put it: the type, the quantiser of all of it, whether grain belongs to it.
    private static func addCoding(_ frame: UnsafeMutablePointer<AVFrame>, _ picture: Dav1dPicture) {
        guard let header = picture.frame_hdr?.pointee else { return }
        let isIntra = header.frame_type == DAV1D_FRAME_TYPE_KEY || header.frame_type == DAV1D_FRAME_TYPE_INTRA
        frame.pointee.pict_type =
            isIntra ? AV_PICTURE_TYPE_I : header.frame_type == DAV1D_FRAME_TYPE_SWITCH ? AV_PICTURE_TYPE_SP : AV_PICTURE_TYPE_P
        // The same scale of 0...255 as VP9's.
        av_video_enc_params_create_side_data(frame, AV_VIDEO_ENC_PARAMS_VP9, 0)?.pointee.qp = Int32(header.quant.yac)
        if header.film_grain.present != 0 { _ = av_film_grain_params_create_side_data(frame) }
    }

    // MARK: - What is said beside it

    /// Attaches the bytes of Dolby Vision's metadata where FFmpeg keeps them.
    private static func attach(_ payload: [UInt8], to frame: UnsafeMutablePointer<AVFrame>) {
        guard let data = av_frame_new_side_data(frame, AV_FRAME_DATA_DOVI_RPU_BUFFER, payload.count) else { return }
        payload.withUnsafeBufferPointer { bytes in
            if let start = bytes.baseAddress { data.pointee.data.update(from: start, count: bytes.count) }
        }
    }

    /// Messages of ITU-T T.35: at most 16, of 4 KB each. HDR10+ needs 1 KB, an RPU of Dolby Vision 1-2 KB.
    private static func messages(_ picture: Dav1dPicture) -> [RegisteredUserData] {
        withUnsafePointer(to: picture) { picture in
            let count = min(16, aether_dav1d_message_count(picture))
            guard count > 0 else { return [] }
            let messages = UnsafeBufferPointer(start: aether_dav1d_messages(picture), count: count)
            return messages.compactMap { message in
                guard let payload = message.payload, message.payload_size <= 4096 else { return nil }
                return RegisteredUserData(
                    country: message.country_code,
                    payload: Array(UnsafeBufferPointer(start: payload, count: message.payload_size)))
            }
        }
    }
}
