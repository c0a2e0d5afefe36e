import AetherMedia
import Synchronization

/// The memory of all workers' frames, so that one that lies in it is known by its address. Any thread.
final class FramePools: Sendable {
    private struct Known {
        weak var pool: FramePool?
    }
    private let state = Mutex<(known: [Known], count: UInt32)>(([], 0))

    /// As `FramePool.make`.
    func make(bytes: Int) -> (pool: FramePool, descriptor: Int32)? {
        let number = state.withLock { state in
            state.count &+= 1
            return state.count
        }
        guard let made = FramePool.make(bytes: bytes, number: number) else { return nil }
        state.withLock { [pool = made.pool] state in
            state.known.removeAll { $0.pool == nil }
            state.known.append(Known(pool: pool))
        }
        return made
    }

    /// The memory in which a frame of video begins, and its place there; nil for one that lies elsewhere.
    func place(of frame: borrowing DecodedFrame) -> FramePool.Place? {
        guard let start = frame.start else { return nil }
        // Those that were let go meanwhile end behind the lock.
        let pools = state.withLock { state in state.known.compactMap(\.pool) }
        return pools.lazy.compactMap { $0.place(at: start) }.first
    }
}
