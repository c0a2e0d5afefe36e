public import AetherCore
import CFFmpeg

/// Gives packets the times that they have in segments: whole ticks from the start of what is served. Pure.
///
/// Only what all packets of a segment say counts, so that a segment's times are the same wherever reading has begun. Matroska has no decode
/// times, and those that libavformat guesses depend on where it began: there the times of showing, sorted, are those of decoding.
public struct SegmentTimes: Sendable {
    private let timescale: Int32
    private let origin: Int64
    private let isAudio: Bool
    private let hasDecodeTimes: Bool
    /// Samples in each packet of audio; 0 where that changes.
    private let frameSize: Int64
    private let usualDuration: Int64

    /// Times of a stream. `origin`: the point of the source axis that becomes zero. `hasDecodeTimes`: false for Matroska.
    public init(_ stream: StreamInfo, _ track: SegmentTrack, origin: MediaTime, hasDecodeTimes: Bool) {
        timescale = track.timescale
        let scale = TimeBase(1, track.timescale)
        self.origin = scale.ticks(at: origin) - track.priming
        isAudio = stream.kind == .audio
        self.hasDecodeTimes = hasDecodeTimes || isAudio
        frameSize = isAudio ? Int64(max(0, stream.parameters.pointer.pointee.frame_size)) : 0
        let rate = stream.frameRate?.value ?? 25
        usualDuration = isAudio ? max(1, frameSize) : max(1, Int64((Double(track.timescale) / rate).rounded()))
    }

    /// The samples of packets in the order of decoding. `next` is the first one of the segment behind, where it is known.
    public func samples(_ packets: [Packet], next: Packet? = nil) -> [SegmentSample] {
        isAudio ? audio(packets) : video(packets, next: next)
    }

    private func ticks(_ value: Int64, _ base: TimeBase) -> Int64 {
        let from = AVRational(num: base.numerator, den: base.denominator)
        let scaled = av_rescale_q(value, from, AVRational(num: 1, den: timescale))
        return scaled.subtractingReportingOverflow(origin).partialValue
    }

    private func shown(_ packet: Packet) -> Int64? { (packet.ptsTicks ?? packet.dtsTicks).map { ticks($0, packet.timeBase) } }

    private func video(_ packets: [Packet], next: Packet?) -> [SegmentSample] {
        var last: Int64 = 0
        let shown = packets.map { packet -> Int64 in
            last = self.shown(packet) ?? last + usualDuration
            return last
        }
        var decoded: [Int64]
        if hasDecodeTimes, packets.allSatisfy({ $0.dtsTicks != nil }) {
            decoded = packets.map { ticks($0.dtsTicks ?? 0, $0.timeBase) }
        } else {
            // Sorted they are as early as the reordering wants once the deepest of it is taken off all of them.
            let sorted = shown.sorted()
            let depth = zip(sorted, shown).map { $0 - $1 }.max() ?? 0
            decoded = sorted.map { $0 - max(0, depth) }
        }
        // Strictly one after the other: a damaged file may say the same twice.
        for index in decoded.indices.dropFirst() { decoded[index] = max(decoded[index], decoded[index - 1] + 1) }
        let behind = hasDecodeTimes ? next?.dtsTicks.map { ticks($0, next?.timeBase ?? TimeBase(1, timescale)) } : nil
        return packets.indices.map { index in
            let following = index + 1 < decoded.count ? decoded[index + 1] : behind
            var duration = following.map { $0 - decoded[index] } ?? stated(packets[index])
            // A hole of a minute is told by the times; as a frame's duration it would stop a player.
            if duration <= 0 || duration > Int64(timescale) * 60 { duration = usualDuration }
            return SegmentSample(
                packets[index], dts: decoded[index], pts: max(shown[index], decoded[index]), duration: duration,
                isKey: packets[index].isKey)
        }
    }

    private func stated(_ packet: Packet) -> Int64 {
        guard packet.durationTicks > 0 else { return usualDuration }
        let from = AVRational(num: packet.timeBase.numerator, den: packet.timeBase.denominator)
        return max(1, av_rescale_q(packet.durationTicks, from, AVRational(num: 1, den: timescale)))
    }

    private func audio(_ packets: [Packet]) -> [SegmentSample] {
        var samples: [SegmentSample] = []
        var expected: Int64?
        // Containers that round to milliseconds are off by one at most, on both sides.
        let slack = max(1, Int64(timescale) / 400)
        for packet in packets {
            let duration = frameSize > 0 ? frameSize : stated(packet)
            var time = shown(packet) ?? expected ?? 0
            if let expected, abs(time - expected) <= slack { time = expected }
            // A packet that overlaps the one before it would go back in time.
            if let last = samples.last, time <= last.dts { time = last.dts + 1 }
            samples.append(SegmentSample(packet, dts: time, pts: time, duration: duration, isKey: true))
            expected = time + duration
        }
        return samples
    }
}
