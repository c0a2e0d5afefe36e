import AetherCore
import CFFmpeg

/// A stream's codec parameters on their way into a box and out of it.
public enum ParametersRecord {
    /// 16 MB: the attachments of Matroska are headers to libavformat, and fonts have up to that.
    private static let headerLimit = 16 << 20

    /// Parameters as bytes.
    public static func put(_ parameters: CodecParameters, to record: inout RecordWriter) {
        let raw = parameters.pointer.pointee
        record.put(raw.codec_type.rawValue)
        record.put(raw.codec_id.rawValue)
        record.put(raw.codec_tag)
        record.put(parameters.header(limit: headerLimit))
        for number in [
            raw.format, raw.bits_per_coded_sample, raw.bits_per_raw_sample, raw.profile, raw.level, raw.width, raw.height,
        ] {
            record.put(number)
        }
        record.put(raw.bit_rate)
        record.put(raw.sample_aspect_ratio.num)
        record.put(raw.sample_aspect_ratio.den)
        record.put(raw.field_order.rawValue)
        record.put(raw.color_range.rawValue)
        record.put(raw.color_primaries.rawValue)
        record.put(raw.color_trc.rawValue)
        record.put(raw.color_space.rawValue)
        record.put(raw.chroma_location.rawValue)
        for number in [
            raw.video_delay, raw.sample_rate, raw.block_align, raw.frame_size, raw.initial_padding, raw.trailing_padding,
            raw.seek_preroll,
        ] { record.put(number) }
        ChannelRecord.put(&parameters.pointer.pointee.ch_layout, to: &record)
        record.put(parameters.timeBase.numerator)
        record.put(parameters.timeBase.denominator)
        record.put(parameters.hasAlphaBeside)
        record.put(parameters.x264Version) { $0.put(Int32(clamping: $1)) }
        record.put(each: parameters.sideData) { record, part in
            record.put(part.type.rawValue)
            record.put(part.bytes)
        }
    }

    /// The parameters of a record; what they describe is decoded in `box`. The edges are their owner's.
    public static func parameters(_ record: inout RecordReader, box: (any DecodingPlace)?) -> CodecParameters {
        var raw = AVCodecParameters()
        raw.codec_type = AVMediaType(rawValue: record.integer(in: Int32(-1)...4))
        raw.codec_id = AVCodecID(rawValue: record.integer())
        raw.codec_tag = record.integer()
        let header = record.bytes(limit: headerLimit)
        (raw.format, raw.bits_per_coded_sample, raw.bits_per_raw_sample) = (record.integer(), record.integer(), record.integer())
        (raw.profile, raw.level) = (record.integer(), record.integer())
        // A stream whose frames cannot leave the box is one that cannot be decoded, and no fault of the others.
        (raw.width, raw.height) = (record.integer(in: 0...Int32.max), record.integer(in: 0...Int32.max))
        raw.bit_rate = record.integer()
        raw.sample_aspect_ratio = AVRational(num: record.integer(), den: record.integer())
        raw.field_order = AVFieldOrder(rawValue: record.integer(in: 0...AV_FIELD_BT.rawValue))
        ColourRecord(&record).set(&raw)
        (raw.video_delay, raw.sample_rate) = (record.integer(in: 0...64), record.integer(in: 0...Int32.max))
        (raw.block_align, raw.frame_size) = (record.integer(), record.integer())
        (raw.initial_padding, raw.trailing_padding, raw.seek_preroll) = (record.integer(), record.integer(), record.integer())
        ChannelRecord.read(&record, into: &raw.ch_layout)
        let base = TimeBase(record.integer(), record.integer())
        let hasAlpha = record.bool(), version = record.optional { Int($0.integer(Int32.self)) }
        let sides = record.list(limit: 16) { record in
            (type: AVPacketSideDataType(rawValue: record.integer()), bytes: record.bytes(limit: 64 << 10))
        }
        let parameters = CodecParameters(
            copying: &raw, timeBase: base, hasAlphaBeside: hasAlpha, x264Version: version, sideData: sides, box: box)
        av_channel_layout_uninit(&raw.ch_layout)
        return header.isEmpty ? parameters : CodecParameters(parameters, header: header)
    }
}
