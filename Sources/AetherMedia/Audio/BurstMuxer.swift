public import AetherCore
import CFFmpeg

/// Wraps packets into IEC 61937 bursts by libavformat's `spdif` muxer. Lives on one thread; blocks on nothing.
public struct BurstMuxer: ~Copyable {
    /// The format of the bursts, which the device must take exactly.
    public let format: BurstFormat
    private let context: UnsafeMutablePointer<AVFormatContext>

    /// A muxer for one stream.
    public init(_ format: BurstFormat, _ parameters: CodecParameters) throws(MediaError) {
        var allocated: UnsafeMutablePointer<AVFormatContext>?
        let status = avformat_alloc_output_context2(&allocated, nil, "spdif", nil)
        guard status >= 0, let context = allocated else { throw MediaError(.unsupported, "wrap audio", averror: status) }
        do throws(MediaError) {
            try BurstMuxer.begin(context, format, parameters)
        } catch {
            avformat_free_context(context)
            throw error
        }
        self.context = context
        self.format = format
        MediaBalance.contexts.add()
    }

    deinit {
        // A trailer would write nothing, and has nowhere to go.
        avformat_free_context(context)
        MediaBalance.contexts.add(-1)
    }

    private static func begin(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ format: BurstFormat, _ parameters: CodecParameters
    ) throws(MediaError) {
        guard let stream = avformat_new_stream(context, nil) else { throw MediaError(.internalFailure, "wrap audio") }
        var status = avcodec_parameters_copy(stream.pointee.codecpar, parameters.pointer)
        // A tag of the source's container means nothing here.
        stream.pointee.codecpar.pointee.codec_tag = 0
        stream.pointee.time_base = AVRational(num: parameters.timeBase.numerator, den: parameters.timeBase.denominator)
        if format.isDTSHD {
            // The muxer counts the rate of all pairs of channels: 4 × 192 kHz.
            av_opt_set_int(context.pointee.priv_data, "dtshd_rate", Int64(format.carrier.sampleRate * 4), 0)
        }
        if status >= 0 {
            status = collect(context) { avformat_write_header(context, nil) }.status
        }
        if status < 0 { throw MediaError(.unsupported, "wrap audio", subject: format.codec, averror: status) }
    }

    /// Runs a body that writes, with a memory of its own to write to.
    private static func collect(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ body: () -> Int32
    ) -> (status: Int32, bytes: [UInt8]) {
        let opened = avio_open_dyn_buf(&context.pointee.pb)
        guard opened >= 0 else { return (opened, []) }
        let status = body()
        var data: UnsafeMutablePointer<UInt8>?
        let count = avio_close_dyn_buf(context.pointee.pb, &data)
        context.pointee.pb = nil
        defer { av_free(data) }
        guard let data, count > 0 else { return (status, []) }
        return (status, Array(UnsafeBufferPointer(start: data, count: Int(count))))
    }

    /// Appends the bursts that a packet completes: none, one or more. TrueHD fills one with 24 packets. Throws `.decodeFailed` for what
    /// is no frame of the codec; the muxer stays usable.
    public mutating func wrap(_ packet: Packet, into bytes: inout [UInt8]) throws(MediaError) {
        guard let copy = packet.withAVPacket({ av_packet_clone($0) }) ?? nil else {
            throw MediaError(.internalFailure, "wrap audio")
        }
        var owned: UnsafeMutablePointer<AVPacket>? = copy
        defer { av_packet_free(&owned) }
        copy.pointee.stream_index = 0
        // Order is all that the muxer needs of times, and bad ones it would refuse.
        (copy.pointee.pts, copy.pointee.dts) = (aether_nopts(), aether_nopts())
        let context = context
        let result = BurstMuxer.collect(context) { av_write_frame(context, copy) }
        if result.status < 0 {
            throw MediaError(.decodeFailed, "wrap audio", subject: format.codec, averror: result.status)
        }
        bytes.append(contentsOf: result.bytes)
    }
}
