import CFFmpeg

/// The channels of audio.
enum ChannelRecord {
    /// 64: more than any layout has that is heard.
    private static let most: Int32 = 64

    static func put(_ layout: UnsafePointer<AVChannelLayout>, to record: inout RecordWriter) {
        let isNative = layout.pointee.order == AV_CHANNEL_ORDER_NATIVE
        record.put(isNative)
        record.put(max(0, layout.pointee.nb_channels))
        record.put(isNative ? layout.pointee.u.mask : 0)
        // Channels in an order of their own, by their names.
        let isNamed = !isNative && layout.pointee.order != AV_CHANNEL_ORDER_UNSPEC
        record.put(isNamed ? FFmpegText.channelLayout(layout) ?? "" : "")
    }

    static func read(_ record: inout RecordReader, into layout: inout AVChannelLayout) {
        let isNative = record.bool(), count = record.integer(in: 0...most), mask = record.integer(UInt64.self)
        let name = record.line(limit: 128)
        if isNative, Int32(mask.nonzeroBitCount) == count, count > 0 {
            av_channel_layout_from_mask(&layout, mask)
        } else if !name.isEmpty, av_channel_layout_from_string(&layout, name) >= 0 {
            guard layout.nb_channels != count else { return }
            av_channel_layout_uninit(&layout)
            record.fail()
        } else {
            layout.order = AV_CHANNEL_ORDER_UNSPEC
            layout.nb_channels = count
        }
    }
}
