public import AetherCore
import AetherFormats
import CFFmpeg

extension Demuxer {
    /// Moves to the last key frame at or before a point, of the given stream or of the one libavformat prefers. Where the
    /// container cannot say where that is, to a place before it. The next read may deliver packets that lie before the point.
    /// Throws `.seekFailed` or `.interrupted`; the position is then undefined, but seeking again may work.
    public mutating func seek(to target: MediaTime, stream: Int? = nil) throws(MediaError) {
        guard info.isSeekable else {
            throw MediaError(.seekFailed, "seek", reason: "the source can only be read from start to end")
        }
        if let boxed { return try boxed.seek(to: target, stream: stream) }
        if counted != nil, let base = info.streams.first?.timeBase { return try seekCounted(base.ticks(at: target)) }
        var retreat = SeekRetreat(target: target, start: start(of: stream), isIndexed: isIndexed)
        var point = target
        while true {
            try move(to: point, stream: stream)
            guard let stream, let key = try firstKey(of: stream), let earlier = retreat.next(begun: key.begun, shown: key.shown)
            else {
                return
            }
            if earlier == retreat.start, !isIndexed {
                try moveToFirstByte()
                return
            }
            point = earlier
        }
    }

    /// Moves to the last key frame that is shown at or before a time in ticks. Behind what was read so far the frames are counted by reading on,
    /// at the speed of the disk: nothing else tells where that is.
    private mutating func seekCounted(_ target: Int64) throws(MediaError) {
        if counted?.lastEntry.map({ $0.shown <= target }) ?? true {
            try moveCounted(to: counted?.lastEntry)
            // A key frame may still be shown before the target when packets behind it are decoded later.
            while true {
                do throws(MediaError) {
                    let packet = try readCounted()
                    let isBehind = packet.pointee.dts > target
                    StreamAnalysis.free(packet)
                    if isBehind { break }
                } catch {
                    if error.code == .interrupted { throw error }
                    break
                }
            }
        }
        try moveCounted(to: counted?.entry(at: target))
    }

    private mutating func moveCounted(to entry: KeyFrameIndex.Entry?) throws(MediaError) {
        dropPending()
        context.pointer.pointee.pb?.pointee.error = 0
        let status = av_seek_frame(context.pointer, -1, entry?.position ?? 0, AVSEEK_FLAG_BYTE)
        if context.port.interrupt.isRaised { throw interrupted("seek") }
        guard status >= 0 else { throw MediaError(.seekFailed, "seek", averror: status) }
        counted?.move(to: entry)
    }

    /// A point just before a key frame leads to the one before it.
    private var isIndexed: Bool { info.family.isIndexed }

    /// The beginning of a stream: nothing of it lies before.
    private func start(of stream: Int?) -> MediaTime {
        guard let stream, info.streams.indices.contains(stream) else { return info.startTime }
        return info.streams[stream].firstPoint ?? info.startTime
    }

    private mutating func dropPending() {
        for packet in pending { StreamAnalysis.free(packet) }
        pending = []
        joint.reset()
    }

    /// Reads ahead to the first key packet of a video stream: when it is decoded, or shown where that is earlier, and when it is shown. nil
    /// where none is near, or where the container leads to the right one: Matroska's cues are times of showing. MP4's index is of decode
    /// times, and most others search by bytes.
    private mutating func firstKey(of stream: Int) throws(MediaError) -> (begun: MediaTime, shown: MediaTime)? {
        guard info.streams.indices.contains(stream), info.streams[stream].kind == .video else { return nil }
        if info.family == .matroska { return nil }
        let base = info.streams[stream].timeBase
        var byteCount = 0
        while pending.count < 4000, byteCount < 16 << 20 {
            let packet: UnsafeMutablePointer<AVPacket>
            do throws(MediaError) {
                packet = try readNext()
            } catch {
                if error.code == .interrupted { throw error }
                // Nothing more to read: the key frame lies before here, if anywhere.
                let never = MediaTime(nanoseconds: .max)
                return error.code == .endOfMedia ? (never, never) : nil
            }
            pending.append(packet)
            byteCount += Int(packet.pointee.size)
            let times = [packet.pointee.pts, packet.pointee.dts].filter { $0 != aether_nopts() }
            guard Int(packet.pointee.stream_index) == stream, packet.pointee.flags & AV_PKT_FLAG_KEY != 0,
                let begun = times.min(), let shown = times.first
            else { continue }
            return (MediaTime(ticks: begun, in: base), MediaTime(ticks: shown, in: base))
        }
        return nil
    }

    /// One move by the best means that the container has.
    private mutating func move(to target: MediaTime, stream: Int?) throws(MediaError) {
        if context.port.interrupt.isRaised { throw interrupted("seek") }
        dropPending()
        let pointer = context.pointer
        pointer.pointee.pb?.pointee.error = 0
        let index = stream.flatMap { info.streams.indices.contains($0) ? $0 : nil }
        let ticks = index.map { info.streams[$0].timeBase.ticks(at: target) } ?? TimeBase(1, 1_000_000).ticks(at: target)
        let number = Int32(index ?? -1)
        var status = avformat_seek_file(pointer, number, .min, ticks, ticks, 0)
        // Before the first key frame there is none; take the nearest.
        if status < 0 { status = avformat_seek_file(pointer, number, .min, ticks, .max, 0) }
        if status < 0 { status = av_seek_frame(pointer, number, ticks, AVSEEK_FLAG_BACKWARD | AVSEEK_FLAG_ANY) }
        if status < 0, !context.port.interrupt.isRaised { status = seekByBytes(target) }
        if context.port.interrupt.isRaised { throw interrupted("seek") }
        guard status >= 0 else { throw MediaError(.seekFailed, "seek", averror: status) }
    }

    /// The last resort where no search finds a key frame before the target: the start.
    private mutating func moveToFirstByte() throws(MediaError) { try seek(toByte: 0) }

    /// Moves to a byte of a source whose container can be read from anywhere. Throws `.seekFailed` or `.interrupted`.
    public mutating func seek(toByte offset: Int64) throws(MediaError) {
        if context.port.interrupt.isRaised { throw interrupted("seek") }
        if let boxed { return try boxed.seek(toByte: offset) }
        dropPending()
        context.pointer.pointee.pb?.pointee.error = 0
        let status = av_seek_frame(context.pointer, -1, offset, AVSEEK_FLAG_BYTE)
        if context.port.interrupt.isRaised { throw interrupted("seek") }
        guard status >= 0 else { throw MediaError(.seekFailed, "seek", averror: status) }
    }

    /// A guess by the share of the duration; without one, the start.
    private func seekByBytes(_ target: MediaTime) -> Int32 {
        let pointer = context.pointer
        guard let io = pointer.pointee.pb else { return aether_averror(ENOSYS) }
        let size = avio_size(io)
        if size > 0, let duration = info.duration, duration > .zero {
            let share = min(1, max(0, (target - info.startTime).seconds / duration.seconds))
            let status = av_seek_frame(pointer, -1, Int64(Double(size) * share), AVSEEK_FLAG_BYTE)
            if status >= 0 { return status }
        }
        return av_seek_frame(pointer, -1, 0, AVSEEK_FLAG_BYTE)
    }
}
