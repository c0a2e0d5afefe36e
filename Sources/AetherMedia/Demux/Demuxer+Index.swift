public import AetherCore
import CFFmpeg

extension Demuxer {
    /// The key frames of a stream that surround a point, as far as the container's index tells: the time of the one at or before it, and
    /// a time at which a seek comes out at the next. nil where the index lacks either. Matroska's is read by the first seek; containers
    /// without one get theirs by reading, so the next key frame told is one, though perhaps not the nearest. Does not block.
    public borrowing func keys(around target: MediaTime, stream: Int) -> (before: MediaTime, next: MediaTime)? {
        guard info.streams.indices.contains(stream), let pointer = context.pointer.pointee.streams[stream] else { return nil }
        let base = info.streams[stream].timeBase
        let ticks = base.ticks(at: target)
        guard let before = avformat_index_get_entry_from_timestamp(pointer, ticks, AVSEEK_FLAG_BACKWARD),
            let next = avformat_index_get_entry_from_timestamp(pointer, ticks &+ 1, 0)
        else { return nil }
        return (
            MediaTime(ticks: before.pointee.timestamp, in: base),
            MediaTime(ticks: next.pointee.timestamp, in: base) + reordering(stream)
        )
    }

    /// By how much the times of an index lie before those of showing: MP4's are of decoding, and a seek compares with those of showing.
    /// Four frames are the deepest pyramid that encoders make by themselves.
    private borrowing func reordering(_ stream: Int) -> TimeSpan {
        guard info.family != .matroska, let rate = info.streams[stream].frameRate, rate.value > 0 else {
            return .zero
        }
        let delay = max(4, Int(context.pointer.pointee.streams[stream]?.pointee.codecpar?.pointee.video_delay ?? 0))
        return .seconds(Double(delay) / rate.value)
    }
}
