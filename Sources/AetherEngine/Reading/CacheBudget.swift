/// How much memory the cache of packets may take. Pure.
struct CacheBudget: Sendable, Equatable {
    /// Bytes of the network and of pipes cannot be had again soon, or at all: two minutes at 4 Mbit/s.
    static let forStreams = 64 << 20
    /// Files lie in the system's own cache, and a seek there costs a millisecond more than one inside ours: enough for audio tracks and a
    /// few steps back.
    static let forFiles = 4 << 20

    var bytes: Int
    /// Packets that wait for the decoders count, too. Else they come on top: a second of a file is 10 MB at 80 Mbit/s, and would leave no room.
    var countsWaiting: Bool

    /// `asked`: what the person wants, nil where nothing was said. `mayStall`: bytes may come late. `isSeekable`: they can be read again.
    init(asked: Int?, mayStall: Bool, isSeekable: Bool) {
        let isFile = asked == nil && !mayStall && isSeekable
        bytes = max(0, asked ?? (isFile ? Self.forFiles : Self.forStreams))
        countsWaiting = !isFile
    }
}
