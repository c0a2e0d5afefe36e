import AetherMedia
import CBox
import Glibc
import Synchronization

/// Memory that player and worker both see, for a few frames of one size. Nobody can make it smaller under the other's hands. It goes with the
/// last frame in it.
final class FramePool: Sendable {
    /// The most places: more frames than any filter holds.
    static let most = 32
    private static let page = 4096

    let slotBytes: Int
    let count: Int
    /// The mapping: each place is written by the worker before it is told of, and read by whoever holds its slot.
    nonisolated(unsafe) private let memory: UnsafeMutableRawPointer
    /// One bit for each place that is free.
    private let free: Mutex<UInt64>

    /// Places for so many bytes, and the descriptor that leads to them, which is the caller's; nil where there is no memory.
    static func make(bytes: Int, count: Int) -> (pool: FramePool, descriptor: Int32)? {
        guard bytes > 0, bytes <= FrameRecord.largest, 1...most ~= count else { return nil }
        let slotBytes = (bytes + page - 1) / page * page
        let descriptor = box_sealed_memory(slotBytes * count)
        guard descriptor >= 0 else { return nil }
        guard let memory = mmap(nil, slotBytes * count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else {
            close(descriptor)
            return nil
        }
        return (FramePool(memory, slotBytes, count), descriptor)
    }

    private init(_ memory: UnsafeMutableRawPointer, _ slotBytes: Int, _ count: Int) {
        (self.memory, self.slotBytes, self.count) = (memory, slotBytes, count)
        free = Mutex((1 << UInt64(count)) - 1)
    }

    deinit { munmap(memory, slotBytes * count) }

    /// The first place that is free: those behind it are touched only where several frames are held. nil where none is.
    func take() -> Slot? {
        free.withLock { free -> Int? in
            guard free != 0 else { return nil }
            let index = free.trailingZeroBitCount
            free &= ~(1 << UInt64(index))
            return index
        }.map { Slot(self, $0) }
    }

    /// A place, until it is let go.
    final class Slot: FrameSlot {
        private let pool: FramePool
        private let index: Int

        fileprivate init(_ pool: FramePool, _ index: Int) { (self.pool, self.index) = (pool, index) }

        deinit { pool.free.withLock { $0 |= 1 << UInt64(index) } }

        /// Where it begins in the pool.
        var offset: Int { index * pool.slotBytes }

        var memory: UnsafeMutableRawBufferPointer {
            UnsafeMutableRawBufferPointer(start: pool.memory + offset, count: pool.slotBytes)
        }
    }
}
