/// The reader of streams in segments (HLS, DASH).
public enum StreamDemuxer: String, CaseIterable, Sendable {
    /// The engine's own sources.
    case own
    /// libavformat's demuxers, for comparison: no qualities, no adaptation, no time shift.
    case lavf
}
