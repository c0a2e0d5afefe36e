import AetherCore
import CFFmpeg

/// FFmpeg's channel layouts by count, and in our words.
enum ChannelLayout {
    /// Puts the usual layout of that many channels in place: mono, stereo, 5.1 …, or just a count where there is none.
    static func setDefault(_ layout: inout AVChannelLayout, channelCount: Int) {
        av_channel_layout_uninit(&layout)
        av_channel_layout_default(&layout, Int32(clamping: channelCount))
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

    /// The channels of a layout in their order; those of a mere count are the usual ones, or unknown.
    static func channels(_ layout: UnsafePointer<AVChannelLayout>) -> [AudioChannel] {
        let count = Int(min(max(layout.pointee.nb_channels, 0), 64))
        if layout.pointee.order == AV_CHANNEL_ORDER_UNSPEC {
            var usual = AVChannelLayout()
            setDefault(&usual, channelCount: count)
            defer { av_channel_layout_uninit(&usual) }
            return usual.order == AV_CHANNEL_ORDER_UNSPEC ? AudioChannel.usual(count) : channels(&usual)
        }
        return (0..<count).map { names[av_channel_layout_channel_from_index(layout, UInt32($0)).rawValue] ?? .unknown }
    }

    /// The weight of each channel in BS.1770 loudness: 1 in front, 1.41 beside and behind, 0 for the LFE.
    static func loudnessWeights(_ channels: [AudioChannel]) -> [Double] {
        channels.map { channel in
            switch channel {
            case .lowFrequency: 0
            case .backLeft, .backRight, .backCenter, .sideLeft, .sideRight: 1.41
            default: 1
            }
        }
    }

    private static let names: [Int32: AudioChannel] = Dictionary(
        uniqueKeysWithValues: [
            (AV_CHAN_FRONT_LEFT, .frontLeft), (AV_CHAN_FRONT_RIGHT, .frontRight), (AV_CHAN_FRONT_CENTER, .frontCenter),
            (AV_CHAN_LOW_FREQUENCY, .lowFrequency), (AV_CHAN_BACK_LEFT, .backLeft), (AV_CHAN_BACK_RIGHT, .backRight),
            (AV_CHAN_FRONT_LEFT_OF_CENTER, .frontLeftOfCenter), (AV_CHAN_FRONT_RIGHT_OF_CENTER, .frontRightOfCenter),
            (AV_CHAN_BACK_CENTER, .backCenter), (AV_CHAN_SIDE_LEFT, .sideLeft), (AV_CHAN_SIDE_RIGHT, .sideRight),
            (AV_CHAN_TOP_CENTER, .topCenter), (AV_CHAN_TOP_FRONT_LEFT, .topFrontLeft),
            (AV_CHAN_TOP_FRONT_CENTER, .topFrontCenter), (AV_CHAN_TOP_FRONT_RIGHT, .topFrontRight),
            (AV_CHAN_TOP_BACK_LEFT, .topBackLeft), (AV_CHAN_TOP_BACK_CENTER, .topBackCenter),
            (AV_CHAN_TOP_BACK_RIGHT, .topBackRight), (AV_CHAN_STEREO_LEFT, .frontLeft), (AV_CHAN_STEREO_RIGHT, .frontRight),
        ].map { (pair: (AVChannel, AudioChannel)) in (pair.0.rawValue, pair.1) })
}
