import AetherMedia

/// The frames that a worker has handed over and nobody has asked for yet, and the memory in which they lie. What comes from a worker may say anything.
struct FrameShelf {
    private let pools: FramePools
    /// The memory that the worker fills; nil before there is any.
    private(set) var pool: FramePool?
    private var ready: [(place: FramePool.Slot?, record: [UInt8])] = []
    /// The worker has no other until something goes in.
    private(set) var isAll = false

    /// Frames of a worker lie in `pool`, or in none yet.
    init(_ pool: FramePool? = nil, from pools: FramePools) { (self.pool, self.pools) = (pool, pools) }

    /// Whether none has come that was not asked for.
    var isEmpty: Bool { ready.isEmpty }

    /// Keeps what came; false where the worker names places that there are not, or a frame has none. `isVideo`: frames have a place.
    mutating func take(_ handed: HandedFrames, isVideo: Bool) -> Bool {
        isAll = handed.isAll
        for frame in handed.frames {
            let place = frame.place.flatMap { pool?.slot($0) }
            guard (place != nil) == isVideo else { return false }
            ready.append((place, frame.record))
        }
        return true
    }

    /// The next frame, which was taken off; nil where its record is none. Only where there is one.
    mutating func next() -> DecodedFrame? {
        let next = ready.removeFirst()
        return FrameRecord.frame(next.record, in: next.place)
    }

    /// Forgets what came.
    mutating func clear() { (ready, isAll) = ([], false) }

    /// Other memory, for frames of so many bytes: the wish that tells the worker, and the descriptor that goes with it, which is the caller's. nil
    /// where it asks for what it has, or there is none for so many.
    mutating func makeRoom(_ room: Int) -> (wish: BoxMessage, descriptor: Int32)? {
        // Where the player holds many frames, other places of the same size.
        if let pool, room <= pool.slotBytes, pool.heldCount < pool.count / 4 { return nil }
        guard let made = pools.make(bytes: room + FramePool.margin) else { return nil }
        pool = made.pool
        var wish = RecordWriter()
        made.pool.put(to: &wish)
        return (BoxMessage(.takePool, wish.bytes), made.descriptor)
    }

    /// The places that were let go since this was asked, for the end of a wish.
    func releases() -> [UInt8] {
        let released = pool?.released() ?? []
        return released + [UInt8(clamping: released.count)]
    }
}
