import AetherCore
import AetherMedia

/// How far the packets of a run have come, stream by stream. A demuxer holds the last ones of a segment until it has read into the next one:
/// of MPEG-TS one for each stream, so that bytes are no measure of it.
struct RunProgress {
    private var newest: [StreamID: MediaTime] = [:]
    /// The packet before the newest one, in the order of times.
    private var former: [StreamID: MediaTime] = [:]
    /// Time stamps are rounded on their way.
    private static let rounding = TimeSpan.milliseconds(1)

    /// Longer packets of audio or video are none: what lies between two of them is a hole.
    private static let longest = TimeSpan.milliseconds(500)

    mutating func note(_ stream: StreamID, at time: MediaTime) {
        guard let last = newest[stream], last < time else {
            if newest[stream] == nil { newest[stream] = time }
            if let last = newest[stream], time < last { former[stream] = max(former[stream] ?? time, time) }
            return
        }
        (former[stream], newest[stream]) = (last, time)
    }

    /// The end of the newest packet, as long as the one before it; nil where that is not known.
    func end(of stream: StreamID) -> MediaTime? {
        guard let last = newest[stream], let before = former[stream], last - before <= Self.longest else { return nil }
        return last + (last - before)
    }

    /// Whether each of these streams has come to a point: nothing that lies before it is still held.
    func hasPassed(_ point: MediaTime, in streams: some Sequence<StreamID>) -> Bool {
        streams.allSatisfy { stream in newest[stream].map { $0 + Self.rounding >= point } ?? false }
    }
}
