public import AetherCore
import CFFmpeg

/// Makes the audio of a segment into another codec: decodes, resamples, encodes.
///
/// Encoded frames lie on a grid from the start of what is served. Each segment has a decoder and an encoder of its own, which warm up on the
/// audio before it, and gives the frames that begin in it. So bytes depend on the packets alone, and across a border samples go on as if one
/// encoder had made both: what a frame overlaps with is the one before, which was encoded, too, and thrown away.
public struct SegmentBridge: Sendable {
    /// The stream that is decoded.
    public let stream: StreamInfo
    /// The codec of the output.
    public let codec: BridgedCodec
    /// Samples of each channel a second.
    public let sampleRate: Int
    /// Channels that come out.
    public let channelCount: Int
    /// The parameters for the stream in a container, as far as they are known before the first packet.
    public let parameters: CodecParameters
    private let isDeep: Bool
    private let frameSize: Int
    private let padding: Int

    /// Audio that has to be known before a segment: Opus' 80 ms and a major sync of TrueHD are less, and four frames of E-AC-3 are 128 ms.
    public static let lead = TimeSpan.milliseconds(320)
    /// And behind it, for the encoder's delay and the resampler's.
    public static let tail = TimeSpan.milliseconds(160)
    /// Frames that the encoder warms up with.
    private static let warmUp = 4
    /// Two minutes of 7.1 at 192 kHz: a segment is no longer.
    private static let sampleLimit = 192_000 * 8 * 120

    /// Prepares a bridge. Throws `.unsupported` where there is no encoder.
    public init(_ stream: StreamInfo, to codec: BridgedCodec) throws(MediaError) {
        let source = stream.parameters.pointer.pointee
        let count = Int(aether_parameters_channels(stream.parameters.pointer))
        (self.stream, self.codec) = (stream, codec)
        sampleRate = codec.sampleRate(of: Int(source.sample_rate))
        channelCount = codec.channelCount(of: count)
        isDeep = source.bits_per_raw_sample > 16 || source.bits_per_coded_sample > 16 || stream.codecName == "truehd"
        let encoder = try AudioEncoder(
            codec, sampleRate: sampleRate, channelCount: channelCount,
            bitRate: codec.bitRate(channelCount: channelCount), isDeep: isDeep)
        (frameSize, padding, parameters) = (encoder.frameSize, encoder.padding, encoder.parameters)
    }

    /// The track of segments that comes out.
    public var track: SegmentTrack {
        var track = SegmentTrack(parameters, timescale: Int32(sampleRate))
        track.language = stream.track?.language
        return track
    }

    /// Packets of one format, and the stream that they are of.
    public struct Run: Sendable {
        let stream: StreamInfo
        /// In the order of decoding.
        public var packets: [Packet]

        /// A run.
        public init(_ stream: StreamInfo, _ packets: [Packet] = []) { (self.stream, self.packets) = (stream, packets) }
    }

    /// The frames that begin from `start` on and before `end`; nil: all that there are. `runs` are the packets of the track, `lead` before and
    /// `tail` behind included; `origin` is the zero of the samples' times. Throws where a codec cannot be decoded at all.
    public func samples(
        of runs: [Run], origin: MediaTime, from start: MediaTime, to end: MediaTime?
    ) throws(MediaError) -> [SegmentSample] {
        guard let decoded = try decoded(runs, origin) else { return [] }
        func frame(at time: MediaTime) -> Int {
            let position = TimeBase(1, Int32(sampleRate)).ticks(at: MediaTime.zero + max(.zero, time - origin))
            return (Int(position) + frameSize - 1) / frameSize
        }
        let first = frame(at: start)
        let there = (decoded.start + decoded.samples.count / channelCount + frameSize - 1) / frameSize
        let last = max(first, min(end.map { frame(at: $0) } ?? there, first + Self.sampleLimit / (frameSize * channelCount)))
        guard first < last else { return [] }
        return try encoded(decoded, frames: first..<last)
    }

    private struct Decoded {
        /// The place of the first sample, from the origin.
        var start: Int
        var samples: [Float] = []
    }

    private func decoded(_ runs: [Run], _ origin: MediaTime) throws(MediaError) -> Decoded? {
        let format = AudioFormat(sampleRate: sampleRate, channelCount: channelCount)
        var line = SegmentSampleLine(format, origin: origin, limit: Self.sampleLimit)
        for run in runs {
            var decoder = try AudioDecoder(run.stream.parameters)
            for packet in run.packets {
                guard try decoder.send(packet) == .accepted else { continue }
                try SegmentBridge.drain(&decoder, into: &line)
            }
            _ = try decoder.send(nil)
            try SegmentBridge.drain(&decoder, into: &line)
        }
        try line.finish()
        return line.start.map { Decoded(start: $0, samples: line.samples) }
    }

    private static func drain(_ decoder: inout AudioDecoder, into line: inout SegmentSampleLine) throws(MediaError) {
        do throws(MediaError) {
            while let frame = try decoder.receive() { try line.add(frame) }
        } catch {
            if error.code != .endOfMedia { throw error }
        }
    }

    private func encoded(_ decoded: Decoded, frames: Range<Int>) throws(MediaError) -> [SegmentSample] {
        var encoder = try AudioEncoder(
            codec, sampleRate: sampleRate, channelCount: channelCount,
            bitRate: codec.bitRate(channelCount: channelCount), isDeep: isDeep)
        // FLAC's frames stand alone, and a warm-up would number them from elsewhere.
        let begin = frames.lowerBound - (codec == .flac ? 0 : Self.warmUp)
        var packets: [Packet] = []
        for number in begin..<frames.upperBound {
            let place = number * frameSize + padding - decoded.start
            try encoder.encode(chunk(decoded.samples, at: place), at: Int64(number * frameSize + padding), into: &packets)
        }
        try encoder.encode(nil, at: 0, into: &packets)
        return packets.compactMap { packet in
            guard let pts = packet.ptsTicks, frames.contains(Int(pts) / frameSize), pts >= 0, Int(pts) % frameSize == 0 else {
                return nil
            }
            return SegmentSample(packet, dts: pts, pts: pts, duration: Int64(frameSize), isKey: true)
        }
    }

    /// A frame's samples from a place of the line on; what is not there is silence.
    private func chunk(_ samples: [Float], at place: Int) -> ArraySlice<Float> {
        let (start, end) = (place * channelCount, (place + frameSize) * channelCount)
        if start >= 0, end <= samples.count { return samples[start..<end] }
        var chunk = [Float](repeating: 0, count: frameSize * channelCount)
        for index in max(0, start)..<max(max(0, start), min(end, samples.count)) { chunk[index - start] = samples[index] }
        return chunk[...]
    }
}
