import AetherCore
import AetherMedia

/// How far the packets of a run have come, stream by stream. A demuxer holds the last ones of a segment until it has read into the next one:
/// of MPEG-TS one for each stream, so that bytes are no measure of it.
struct RunProgress {
    private var newest: [StreamID: MediaTime] = [:]
    /// Time stamps are rounded on their way.
    private static let rounding = TimeSpan.milliseconds(1)

    mutating func note(_ stream: StreamID, at time: MediaTime) { newest[stream] = max(newest[stream] ?? time, time) }

    /// Whether each of these streams has come to a point: nothing that lies before it is still held.
    func hasPassed(_ point: MediaTime, in streams: some Sequence<StreamID>) -> Bool {
        streams.allSatisfy { stream in newest[stream].map { $0 + Self.rounding >= point } ?? false }
    }
}
