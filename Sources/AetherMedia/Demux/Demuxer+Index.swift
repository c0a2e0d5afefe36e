public import AetherCore
import AetherFormats
import CFFmpeg

extension Demuxer {
    /// The key frames of a stream that surround a point, as far as the container's index tells: the time of the one at or before it, and
    /// a time at which a seek comes out at the next. nil where the index lacks either. Matroska's is read by the first seek; containers
    /// without one get theirs by reading, so the next key frame told is one, though perhaps not the nearest. Does not block.
    public borrowing func keys(around target: MediaTime, stream: Int) -> (before: MediaTime, next: MediaTime)? {
        if let boxed { return boxed.keys(around: target, stream: stream) }
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

    /// All key frames of a stream by the container's index, earliest first; nil where it has none that reaches from its start to its end. Reads
    /// Matroska's, for which it has to seek: blocks. 200 000 at most, 55 hours of one a second.
    public mutating func keyFrames(stream: Int) -> [KeyFramePlace]? {
        if let boxed { return boxed.keyFrames(stream: stream) }
        guard info.isSeekable, info.family.isIndexed, info.streams.indices.contains(stream), let duration = info.duration,
            let pointer = context.pointer.pointee.streams[stream]
        else { return nil }
        if info.family == .matroska {
            do throws(MediaError) {
                try seek(to: info.startTime, stream: stream)
            } catch {
                return nil
            }
        }
        let base = info.streams[stream].timeBase
        var places: [KeyFramePlace] = []
        for number in 0..<avformat_index_get_entries_count(pointer) where places.count < 200_000 {
            guard let entry = avformat_index_get_entry(pointer, number)?.pointee, entry.flags & AVINDEX_KEYFRAME != 0 else {
                continue
            }
            let time = MediaTime(ticks: entry.timestamp, in: base)
            if let last = places.last, time <= last.time { continue }
            places.append(KeyFramePlace(time: time, position: entry.pos))
        }
        // An index of which parts are missing (a fragment's, one that was cut off) leads to segments of minutes.
        let end = info.startTime + duration
        guard let first = places.first, let last = places.last, first.time - info.startTime < .seconds(2),
            end - last.time < .seconds(30)
        else { return nil }
        return places
    }
}

/// A key frame, and where it lies.
public struct KeyFramePlace: Sendable, Equatable {
    /// When it is shown, or decoded where the index is of decode times.
    public let time: MediaTime
    /// Bytes before it in the source; nil where unknown.
    public let position: Int64?
    /// The number of the stretch that it lies in: another one where a manifest says that the format changes.
    public let stretch: Int

    /// A place.
    public init(time: MediaTime, position: Int64?, stretch: Int = 0) {
        (self.time, self.position, self.stretch) = (time, position, stretch)
    }
}
