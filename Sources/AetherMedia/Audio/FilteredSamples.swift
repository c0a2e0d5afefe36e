import AetherCore
import CFFmpeg

/// Interleaved float samples that came out of filters. Those of a box may be of any form, and as many as they like.
enum FilteredSamples {
    /// The samples of a frame; empty for none. Throws `.decodeFailed` for another form than the wanted one.
    static func of(
        _ frame: UnsafePointer<AVFrame>, _ format: AudioFormat
    ) throws(MediaError) -> UnsafeBufferPointer<Float> {
        let count = Int(frame.pointee.nb_samples)
        guard frame.pointee.format == AV_SAMPLE_FMT_FLT.rawValue, Int(frame.pointee.ch_layout.nb_channels) == format.channelCount,
            let data = frame.pointee.data.0, count >= 0
        else { throw MediaError(.decodeFailed, "use the filters", reason: "samples of another form came out") }
        return UnsafeBufferPointer(
            start: UnsafeRawPointer(data).assumingMemoryBound(to: Float.self), count: count * format.channelCount)
    }
}
