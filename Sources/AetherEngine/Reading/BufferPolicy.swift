import AetherCore

/// How far a source is read ahead of the decoders, by its nature. Pure.
struct BufferPolicy: Sendable, Equatable {
    /// While it plays.
    var ahead: TimeSpan
    /// While it stands: people pause to wait for a slow link.
    var aheadStanding: TimeSpan
    /// Packets that wait for the decoders, in all.
    var bytes: Int
    /// The least that lets playing go on after it had run dry; `afterDryness` has been there before it is asked for.
    var reserve: TimeSpan

    /// A second of a local file rides out a slow disk (the system reads ahead, too) and costs 3 MB at 25 Mbit/s.
    static let local = BufferPolicy(ahead: .seconds(1), aheadStanding: .seconds(1), bytes: 32 << 20, reserve: .seconds(0.8))
    /// The bytes that wait for the decoders, where no more was asked for.
    private static let share = 32 << 20
    /// Running dry a third time asks for no more than this: a link that bad is better said than waited for.
    static let longestReserve = TimeSpan.seconds(8)

    /// `cache`: bytes that the person gives to packets; nil where nothing was said.
    init(_ traits: IOReaderTraits, cache: Int?) {
        guard traits.mayStall else {
            self = .local
            return
        }
        // Pipes have a writer that waits: ten seconds are enough, and more would hold up what is made just now.
        let ahead = traits.isLocal ? TimeSpan.seconds(10) : .seconds(30)
        // Half of the cache stays for what was played.
        let bytes = max(Self.share, (cache ?? 0) / 2)
        self.init(ahead: ahead, aheadStanding: traits.isLocal ? ahead : .seconds(600), bytes: bytes, reserve: .seconds(1))
    }

    private init(ahead: TimeSpan, aheadStanding: TimeSpan, bytes: Int, reserve: TimeSpan) {
        (self.ahead, self.aheadStanding, self.bytes, self.reserve) = (ahead, aheadStanding, bytes, reserve)
    }

    /// After it has run dry once more: twice as much, so that a link that is a little too slow stops seldom, and not every second.
    var afterDryness: BufferPolicy {
        var next = self
        if ahead > BufferPolicy.local.ahead { next.reserve = min(reserve.scaled(by: 2), Self.longestReserve) }
        return next
    }
}
