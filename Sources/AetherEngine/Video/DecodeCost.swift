import AetherCore

/// The time that frames take to decode. With frame threads this is the time that the thread waits, not the work of the cores.
struct DecodeCost {
    /// Time spent in the decoder since the last frame came out.
    private var pending = TimeSpan.zero
    private var begun = HostTime(nanoseconds: 0)
    /// The cost of the frame that came out last.
    private(set) var frame = TimeSpan.zero

    /// The decoder is called.
    mutating func begin(at now: HostTime) { begun = now }

    /// The decoder has taken or refused a packet.
    mutating func end(at now: HostTime) { pending = pending + (now - begun) }

    /// The decoder has given a frame. Returns its cost.
    mutating func takeFrame(at now: HostTime) -> TimeSpan {
        frame = pending + (now - begun)
        pending = .zero
        return frame
    }
}
