public import AetherCore
import CFFmpeg

/// Owns one AVFrame: reference-counted planes that are never copied at full size. Stays on the thread that decoded it.
public struct DecodedFrame: ~Copyable {
    let pointer: UnsafeMutablePointer<AVFrame>
    /// Presentation time: best-effort timestamp, nil when even that is unknown.
    public let pts: MediaTime?
    /// The duration by the container's word; nil when it does not say.
    public let duration: TimeSpan?
    /// Metadata of the stream for which FFmpeg has no side data. Of AV1 only.
    public let userData: [RegisteredUserData]

    /// Takes over a filled frame.
    init(
        taking pointer: UnsafeMutablePointer<AVFrame>, pts: MediaTime?, duration: TimeSpan?, userData: [RegisteredUserData] = []
    ) {
        self.pointer = pointer
        self.pts = pts
        self.duration = duration
        self.userData = userData
        MediaBalance.frames.add()
    }

    deinit {
        var owned: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&owned)
        MediaBalance.frames.add(-1)
    }

    /// Where its first plane begins.
    public var start: UnsafeRawPointer? { pointer.pointee.data.0.map { UnsafeRawPointer($0) } }
    /// Pixels of a frame; 0 for audio.
    public var width: Int { Int(pointer.pointee.width) }
    /// Pixels of a video frame; 0 for audio.
    public var height: Int { Int(pointer.pointee.height) }
    /// Samples per channel of audio; 0 for a frame.
    public var sampleCount: Int { Int(pointer.pointee.nb_samples) }
    /// Samples a second of audio; 0 for video.
    public var sampleRate: Int { Int(pointer.pointee.sample_rate) }
    /// Channels of audio; 0 for a frame.
    public var channelCount: Int { Int(pointer.pointee.ch_layout.nb_channels) }
    /// The channels of audio in their order; empty for a frame.
    public var channels: [AudioChannel] { ChannelLayout.channels(&pointer.pointee.ch_layout) }
    /// Width to height of one pixel as the frame itself says; nil when it does not, or says what no frame has: beyond 0.1...10, the same
    /// limits as for the container's word.
    public var sampleAspect: Double? { Ratio(pointer.pointee.sample_aspect_ratio).flatMap { $0.isSane ? $0.value : nil } }

    /// Closed captions beside a frame (`cc_data` of ATSC A/53 part 4), triples of bytes; nil without.
    public var captions: [UInt8]? {
        for message in userData {
            if let captions = message.captions { return captions }
        }
        guard let data = av_frame_get_side_data(pointer, AV_FRAME_DATA_A53_CC), data.pointee.size >= 3 else { return nil }
        return Array(UnsafeBufferPointer(start: data.pointee.data, count: min(Int(data.pointee.size), 4096)))
    }

    /// The frame consists of two fields, every other line each, taken one after the other.
    public var isInterlaced: Bool { aether_frame_is_interlaced(pointer) != 0 }

    /// FFmpeg's name of a frame's pixel format; nil for audio.
    public var pixelFormatName: String? {
        guard pointer.pointee.width > 0 else { return nil }
        return av_get_pix_fmt_name(AVPixelFormat(pointer.pointee.format)).map { FFmpegText.string($0) }
    }
}
