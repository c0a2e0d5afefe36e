import CFFmpeg

/// Names of sample entries in MP4 that say Dolby Vision and mean one of the usual codecs, with its usual record for the decoder. FFmpeg 5.1 knows
/// those of HEVC and H.264, but not that of AV1.
enum SampleEntry {
    private static let codecs: [UInt32: AVCodecID] = [
        tag("dav1"): AV_CODEC_ID_AV1, tag("dvh1"): AV_CODEC_ID_HEVC, tag("dvhe"): AV_CODEC_ID_HEVC, tag("dva1"): AV_CODEC_ID_H264,
        tag("dvav"): AV_CODEC_ID_H264,
    ]

    /// Four letters as libavformat reads them.
    private static func tag(_ name: String) -> UInt32 { name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) } }

    /// Gives video streams without a codec theirs, before they are analysed.
    static func name(_ context: UnsafeMutablePointer<AVFormatContext>) {
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let codec = context.pointee.streams[index]?.pointee.codecpar, codec.pointee.codec_type == AVMEDIA_TYPE_VIDEO,
                codec.pointee.codec_id == AV_CODEC_ID_NONE, let known = codecs[codec.pointee.codec_tag]
            else { continue }
            codec.pointee.codec_id = known
        }
    }
}
