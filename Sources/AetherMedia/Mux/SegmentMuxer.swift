public import AetherCore
import CFFmpeg

/// Makes init sections and segments of fragmented MP4 for one track, by libavformat's muxer, in memory.
///
/// Each segment has a muxer of its own that knows nothing of others, so that its bytes depend on its samples alone: they are the same whenever
/// and by whomever it is asked for. Blocks on nothing; any thread.
public struct SegmentMuxer: Sendable {
    /// The track that is muxed.
    public let track: SegmentTrack

    /// A muxer of a track.
    public init(_ track: SegmentTrack) { self.track = track }

    /// The init section. `first` are the first samples of the track: headers of some codecs (AAC in ADTS, AC-3, E-AC-3) are learnt from
    /// those. Throws `.unsupported` where MP4 cannot carry the codec.
    public func initSection(first: [SegmentSample]) throws(MediaError) -> [UInt8] {
        var first = Array(first.prefix(16))
        // The edit that leaves out the warm-up is made from times before zero.
        if let start = first.first?.dts {
            for index in first.indices {
                first[index].dts -= start + track.priming
                first[index].pts -= start + track.priming
            }
        }
        var bytes = try mux(first, number: 0, keepsEdits: track.priming > 0).header
        if track.dolbyVision?.profile == 5 { SegmentHeader.nameDolbyVision(in: &bytes) }
        if let complexity = track.atmosComplexity { SegmentHeader.addAtmos(to: &bytes, complexity: complexity) }
        return bytes
    }

    /// A media segment: one fragment whose `tfdt` is the first sample's decode time. `number` becomes its sequence number, from 1. Throws
    /// where MP4 cannot carry it.
    public func segment(_ samples: [SegmentSample], number: Int) throws(MediaError) -> [UInt8] {
        guard !samples.isEmpty else { return [] }
        return try mux(samples, number: number, keepsEdits: false).media
    }

    private func mux(
        _ samples: [SegmentSample], number: Int, keepsEdits: Bool
    ) throws(MediaError) -> (header: [UInt8], media: [UInt8]) {
        let writer = try SegmentWriter(track, number: number, keepsEdits: keepsEdits)
        for sample in samples { try writer.write(sample) }
        return try writer.finish()
    }
}
