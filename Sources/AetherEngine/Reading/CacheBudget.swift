import AetherSources

/// How much memory the cache of packets may take: what a person gives to all that was read, less what the readers of servers may hold. Pure.
struct CacheBudget: Sendable, Equatable {
    /// Bytes of the network and of pipes cannot be had again soon, or at all: two minutes at 4 Mbit/s.
    static let forStreams = 64 << 20
    /// Files lie in the system's own cache, and a seek there costs a millisecond more than one inside ours: enough for audio tracks and a
    /// few steps back.
    static let forFiles = 4 << 20

    var bytes: Int
    /// Packets that wait for the decoders count, too. Else they come on top: a second of a file is 10 MB at 80 Mbit/s, and would leave no room.
    var countsWaiting: Bool

    /// Bytes that readers of servers may hold of heads and tails of files: a quarter, and no more than there is of one film.
    static func heldLimit(asked: Int?) -> Int { min(HeldRoom.usual, max(0, asked ?? forStreams) / 4) }

    /// `asked`: what the person wants, nil where nothing was said. `mayStall`: bytes may come late. `isSeekable`: they can be read again.
    /// `isLocal`: no server's reader holds any.
    init(asked: Int?, mayStall: Bool, isSeekable: Bool, isLocal: Bool) {
        let isFile = asked == nil && !mayStall && isSeekable
        let all = max(0, asked ?? (isFile ? Self.forFiles : Self.forStreams))
        bytes = isLocal ? all : all - Self.heldLimit(asked: asked)
        countsWaiting = !isFile
    }
}
