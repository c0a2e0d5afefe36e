public import AetherCore
import CFFmpeg

/// Owns an open device of VA-API, on which a graphics processor decodes video. Decoders that were opened on it hold it themselves. Any
/// thread, as libva allows it.
public struct HardwareDevice: ~Copyable, Sendable {
    /// Counted by atomics of libavutil, and never changed here: any thread may hold or lend it.
    nonisolated(unsafe) let reference: UnsafeMutablePointer<AVBufferRef>

    /// The interface's name, as people know it.
    public static let name = "VA-API"

    /// Opens the first render node (`/dev/dri/renderD128` …) that a driver takes, else the display of X11. Blocks for the loading of the
    /// driver, 10 … 100 ms. Throws `.unsupported` where there is none, or FFmpeg was built without.
    public init() throws(MediaError) {
        FFmpegLog.install()
        guard HardwareDevice.isBuiltIn else {
            throw MediaError(.unsupported, "open", subject: Self.name, reason: "this FFmpeg was built without it")
        }
        var made: UnsafeMutablePointer<AVBufferRef>?
        var status = av_hwdevice_ctx_create(&made, AV_HWDEVICE_TYPE_VAAPI, nil, nil, 0)
        var isRefused = status == aether_averror(EIO)
        if made == nil {
            // FFmpeg 5 looks for render nodes alone unless it is told.
            var options: OpaquePointer?
            av_dict_set(&options, "connection_type", "x11", 0)
            status = av_hwdevice_ctx_create(&made, AV_HWDEVICE_TYPE_VAAPI, nil, options, 0)
            av_dict_free(&options)
            isRefused = isRefused || status == aether_averror(EIO)
        }
        guard status >= 0, let made else {
            // The numbers say no more than "external library"; the log has the words of libva.
            if isRefused {
                throw MediaError(.unsupported, "open", subject: Self.name, cause: status, reason: "its driver does not start")
            }
            throw MediaError(
                .unsupported, "open", subject: Self.name, cause: status,
                reason: "there is neither a graphics device nor a display")
        }
        reference = made
        MediaBalance.contexts.add()
    }

    private init(holding reference: UnsafeMutablePointer<AVBufferRef>) {
        self.reference = reference
        MediaBalance.contexts.add()
    }

    deinit {
        var owned: UnsafeMutablePointer<AVBufferRef>? = reference
        av_buffer_unref(&owned)
        MediaBalance.contexts.add(-1)
    }

    /// Another owner of the same device. Never blocks. nil without memory.
    public func another() -> HardwareDevice? {
        guard let held = av_buffer_ref(reference) else { return nil }
        return HardwareDevice(holding: held)
    }

    /// Whether this build of FFmpeg has VA-API.
    public static var isBuiltIn: Bool {
        var kind = AV_HWDEVICE_TYPE_NONE
        while true {
            kind = av_hwdevice_iterate_types(kind)
            if kind == AV_HWDEVICE_TYPE_NONE { return false }
            if kind == AV_HWDEVICE_TYPE_VAAPI { return true }
        }
    }

    /// Whether FFmpeg has a decoder on VA-API for a stream. The driver may refuse it all the same.
    public static func knows(_ parameters: CodecParameters) -> Bool { codec(for: parameters) != nil }

    /// The decoder that a device can help. Of AV1 that is libavcodec's own, which decodes nothing without one.
    static func codec(for parameters: CodecParameters) -> UnsafePointer<AVCodec>? {
        // Transparency beside the frames is read by libvpx alone.
        guard !parameters.hasAlphaBeside else { return nil }
        var place: UnsafeMutableRawPointer?
        while let codec = av_codec_iterate(&place) {
            guard codec.pointee.id == parameters.pointer.pointee.codec_id, av_codec_is_decoder(codec) != 0 else { continue }
            var index: Int32 = 0
            while let config = avcodec_get_hw_config(codec, index) {
                let takesDevice = Int(config.pointee.methods) & Int(AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0
                if config.pointee.device_type == AV_HWDEVICE_TYPE_VAAPI, takesDevice { return codec }
                index += 1
            }
        }
        return nil
    }

    /// Makes a decoder that is not open yet decode on the device, or not at all: software in its place would be measured, and said, to be
    /// hardware.
    static func lend(_ device: UnsafeMutablePointer<AVBufferRef>, to context: UnsafeMutablePointer<AVCodecContext>) {
        context.pointee.hw_device_ctx = av_buffer_ref(device)
        context.pointee.get_format = { _, formats in
            var next = formats
            while let format = next?.pointee, format != AV_PIX_FMT_NONE {
                if format == AV_PIX_FMT_VAAPI { return format }
                next = next?.successor()
            }
            return AV_PIX_FMT_NONE
        }
    }
}
