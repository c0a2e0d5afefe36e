import AetherCore
import AetherMedia

/// The way from packets of one form of a track to samples of its segments.
struct TrackCoding: Sendable {
    /// In this form.
    let stream: StreamInfo
    let muxer: SegmentMuxer
    /// Nil for what is copied.
    let bridge: SegmentBridge?

    /// Copies a stream, or makes its audio into what clients take. `priming`: samples at its very beginning that players leave out. Throws where
    /// there is no encoder.
    init(_ stream: StreamInfo, _ audio: AudioBridge, priming: Int = 0) throws(MediaError) {
        self.stream = stream
        if stream.kind == .audio, let codec = audio.codec(for: stream) {
            let bridge = try SegmentBridge(stream, to: codec)
            (self.bridge, muxer) = (bridge, SegmentMuxer(bridge.track))
        } else {
            bridge = nil
            muxer = SegmentMuxer(SegmentTrack(copying: stream).primed(by: Int64(min(max(0, priming), 1 << 16))))
        }
    }

    /// The samples of packets that are copied.
    func copied(_ packets: [Packet], next: Packet?, _ programme: ServedProgramme) -> [SegmentSample] {
        SegmentTimes(stream, muxer.track, origin: programme.origin, hasDecodeTimes: programme.hasDecodeTimes)
            .samples(packets, next: next)
    }
}
