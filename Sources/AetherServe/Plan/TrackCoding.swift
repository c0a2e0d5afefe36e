import AetherCore
import AetherMedia

/// The way from packets of one form of a track to samples of its segments.
struct TrackCoding: Sendable {
    /// In this form.
    let stream: StreamInfo
    let muxer: SegmentMuxer
    /// Of audio that is made into another codec; nil for what is copied.
    let bridge: SegmentBridge?
    /// Of video that is; nil for what is copied.
    let transcoder: SegmentTranscoder?

    /// Copies a stream, or makes it into what clients take. `priming`: samples at its very beginning that players leave out. Throws where there is
    /// no encoder, and where a person has not asked for one.
    init(_ stream: StreamInfo, _ wishes: ServedWishes, priming: Int = 0) throws(MediaError) {
        self.stream = stream
        if stream.kind == .audio, let codec = wishes.audio.codec(for: stream) {
            let bridge = try SegmentBridge(stream, to: codec)
            (self.bridge, transcoder, muxer) = (bridge, nil, SegmentMuxer(bridge.track))
            return
        }
        bridge = nil
        switch stream.kind == .video ? VideoChoice(stream, transcodes: wishes.transcodes) : .copied {
        case .refused(let reason): throw MediaError(.unsupported, "serve", reason: reason)
        case .transcoded:
            let transcoder = try SegmentTranscoder(stream)
            (self.transcoder, muxer) = (transcoder, SegmentMuxer(transcoder.track))
        case .copied, .copiedWith:
            transcoder = nil
            muxer = SegmentMuxer(SegmentTrack(copying: stream).primed(by: Int64(min(max(0, priming), 1 << 16))))
        }
    }

    /// The samples of packets that are copied.
    func copied(_ packets: [Packet], next: Packet?, _ programme: ServedProgramme) -> [SegmentSample] {
        // Frames that no player may see stand at the end of a clip of a disc: nothing that is seen is made of them.
        SegmentTimes(stream, muxer.track, origin: programme.origin, hasDecodeTimes: programme.hasDecodeTimes)
            .samples(packets.filter { !$0.isHidden || $0.isKey }, next: next)
    }
}
