import AetherCore
import AetherMedia

/// The packets between the demuxer, which writes them, and the decoders, which take them.
struct PacketQueues {
    var cache = PacketCache()
    /// The epoch in which the demuxer was last sent somewhere: its packets belong to the cache as long as no other run began.
    var run = Epoch()
    /// The points at which the times of each source begin anew, as far as that was seen.
    var seams: [Int: TimelineSeams] = [:]
    /// The formats of streams whose packets have changed theirs.
    var formats: [StreamID: [StreamInfo]] = [:]
    /// The demuxer waits although a selected stream has nothing: only the others can go on.
    var isBlockedFull = false

    /// Nothing is queued for a stream and nothing will come.
    func isExhausted(_ stream: StreamID) -> Bool {
        guard let lane = cache.lanes[stream] else { return true }
        return lane.isEmpty && lane.hasEnded
    }

    func isEmpty(_ stream: StreamID) -> Bool { cache.lanes[stream]?.isEmpty ?? true }
}
