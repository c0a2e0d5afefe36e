import AetherMedia

/// Frames that one worker reads where another has put them, and which stay there until it says that it needs them no longer. The player's side, for
/// one thread at a time. What comes from a worker may say anything.
struct FrameLoans {
    /// More than this many at once, or a quarter of the decoder's places, are copied: a worker that gives nothing back must not starve the decoder.
    static let most = 16

    private let pools: FramePools
    private var lent: [UInt32: FrameHold] = [:]
    private var count: UInt32 = 0
    /// The memory that the worker was told of last: a decoder seldom changes it.
    private var known: FramePool?

    /// None yet, to a worker that knows no memory.
    init(from pools: FramePools) { self.pools = pools }

    /// Frames that the worker has.
    var lentCount: Int { lent.count }

    /// Bytes of the memory that the worker may keep.
    var bytes: Int { known?.touchedBytes ?? 0 }

    /// Writes where a frame lies, and all that is to be known of it. Returns the descriptor that goes along, which is the pool's, or -1; nil where nothing
    /// was written, for the frame has to be copied.
    mutating func put(_ frame: borrowing DecodedFrame, to wish: inout RecordWriter) -> Int32? {
        guard let place = pools.place(of: frame), lent.count < min(Self.most, max(1, place.pool.count / 4)),
            place.pool.readable >= 0, let record = FrameRecord.bytes(of: frame, lyingIn: place.memory),
            let hold = FrameHold(frame)
        else { return nil }
        let isNew = known !== place.pool
        count &+= 1
        lent[count] = hold
        wish.put(count)
        wish.put(place.pool.number)
        wish.put(isNew ? place.pool : nil) { $1.put(to: &$0) }
        wish.put(UInt8(clamping: place.index))
        wish.put(record)
        known = place.pool
        return isNew ? place.pool.readable : -1
    }

    /// The worker has let these go.
    mutating func takeBack(_ numbers: [UInt32]) {
        for number in numbers { lent[number] = nil }
    }

    /// The worker has let go of all: it has answered, and keeps nothing.
    mutating func takeBackAll() { lent = [:] }
}
