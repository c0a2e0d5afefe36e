import AetherCore
import CFFmpeg

/// FFmpeg's channel layouts by count.
enum ChannelLayout {
    /// Puts the usual layout of that many channels in place: mono, stereo, 5.1 …, or just a count where there is none.
    static func setDefault(_ layout: inout AVChannelLayout, channelCount: Int) {
        av_channel_layout_uninit(&layout)
        av_channel_layout_default(&layout, Int32(clamping: channelCount))
    }

    /// Whether that many channels have a usual layout.
    static func isKnown(channelCount: Int) -> Bool {
        var layout = AVChannelLayout()
        setDefault(&layout, channelCount: channelCount)
        defer { av_channel_layout_uninit(&layout) }
        return layout.order == AV_CHANNEL_ORDER_NATIVE
    }

    /// FFmpeg's name of the usual layout, as filters take it.
    static func name(channelCount: Int) -> String {
        var layout = AVChannelLayout()
        setDefault(&layout, channelCount: channelCount)
        defer { av_channel_layout_uninit(&layout) }
        var text = [CChar](repeating: 0, count: 128)
        av_channel_layout_describe(&layout, &text, text.count)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// How much each channel of the usual layout counts in BS.1770 loudness: 1 in front, 1.41 beside and behind, 0 for the LFE.
    static func loudnessWeights(channelCount: Int) -> [Double] {
        var layout = AVChannelLayout()
        setDefault(&layout, channelCount: channelCount)
        defer { av_channel_layout_uninit(&layout) }
        return (0..<channelCount).map { index in
            switch av_channel_layout_channel_from_index(&layout, UInt32(index)) {
            case AV_CHAN_LOW_FREQUENCY, AV_CHAN_LOW_FREQUENCY_2: 0
            case AV_CHAN_BACK_LEFT, AV_CHAN_BACK_RIGHT, AV_CHAN_BACK_CENTER, AV_CHAN_SIDE_LEFT, AV_CHAN_SIDE_RIGHT: 1.41
            default: 1
            }
        }
    }
}
