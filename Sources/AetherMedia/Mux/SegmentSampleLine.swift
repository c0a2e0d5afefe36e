import AetherCore
import CFFmpeg

/// Decoded audio as one line of samples in the format of an encoder, each at the place that its time says. Lives on one thread.
struct SegmentSampleLine: ~Copyable {
    /// The place of the first sample from the origin; nil before there is one.
    private(set) var start: Int?
    /// Interleaved.
    private(set) var samples: [Float] = []
    private let format: AudioFormat
    private let origin: MediaTime
    private let limit: Int
    private var resampler: Resampler?
    /// Times of containers that round to milliseconds are off by less; what is further off is a hole, or lies over what was.
    private static let tolerance = TimeSpan.milliseconds(40)

    init(_ format: AudioFormat, origin: MediaTime, limit: Int) {
        (self.format, self.origin, self.limit) = (format, origin, limit)
    }

    mutating func add(_ frame: borrowing DecodedFrame) throws(MediaError) {
        guard samples.count < limit else { return }
        if let pts = frame.pts {
            try place(at: Int(TimeBase(1, Int32(format.sampleRate)).ticks(at: MediaTime.zero + (pts - origin))))
        }
        if start == nil { start = 0 }
        let source = try Resampler.Source(frame.pointer)
        if resampler?.source != source {
            try finish()
            resampler = try Resampler(source, output: format)
        }
        try resampler?.convert(frame.pointer, into: &samples)
    }

    /// Appends the samples that the resampler still holds.
    mutating func finish() throws(MediaError) {
        try resampler?.convert(nil, into: &samples)
        resampler = nil
    }

    private mutating func place(at position: Int) throws(MediaError) {
        guard let start else {
            start = position
            return
        }
        let there = start + samples.count / format.channelCount
        let allowed = Int(Self.tolerance.seconds * Double(format.sampleRate))
        guard abs(position - there) > allowed else { return }
        try finish()
        let end = start + samples.count / format.channelCount
        if position > end {
            let hole = min((position - end) * format.channelCount, max(0, limit - samples.count))
            samples.append(contentsOf: repeatElement(0, count: hole / format.channelCount * format.channelCount))
        } else {
            samples.removeLast(min(samples.count, (end - position) * format.channelCount))
        }
    }
}
