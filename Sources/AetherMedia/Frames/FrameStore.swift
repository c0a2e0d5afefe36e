import AetherCore
import CFFmpeg
import Glibc
import Synchronization

/// Memory that a box shares with its player, in places for a frame each. Decoders decode right into them, so that no frame is copied on its way
/// out. It goes with the last place in it. Any thread.
public final class FrameStore: Sendable {
    /// The most places.
    public static let most = 64
    /// Tells the kernel to give all pages of a range at once, to be written (Linux 5.14): a frame of 1080p is 760 page faults else.
    private static let populate: Int32 = 23

    /// The mapping, which never moves. A place of it is written by the decoder that took it alone, until it is let go: `state` gives each to one.
    private nonisolated(unsafe) let memory: UnsafeMutableRawPointer
    /// Bytes of a place.
    public let placeBytes: Int
    private let count: Int
    /// Those beyond are kept for frames that are copied: a decoder may hold all that it is given.
    private let direct: Int
    private let state: Mutex<(free: UInt64, touched: UInt64)>

    /// Maps the memory of a descriptor, which stays the caller's. nil where that cannot be.
    public init?(descriptor: Int32, placeBytes: Int, count: Int) {
        guard placeBytes > 0, placeBytes <= FrameRecord.largest, 1...Self.most ~= count,
            let memory = mmap(nil, placeBytes * count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { return nil }
        (self.memory, self.placeBytes, self.count) = (memory, placeBytes, count)
        direct = count - count / 2
        state = Mutex((free: count == 64 ? .max : (1 << UInt64(count)) - 1, touched: 0))
    }

    deinit { munmap(memory, placeBytes * count) }

    /// A free place for so many bytes, and what readers take behind them; nil where none is. The first one that is free: those behind it are
    /// touched only where many frames are held. `copied`: the pixels are already elsewhere.
    public func take(_ bytes: Int, copied: Bool) -> Place? {
        guard bytes <= placeBytes - (copied ? 0 : FrameRecord.margin) else { return nil }
        let index = state.withLock { state -> (index: Int, isNew: Bool)? in
            let free = copied || direct == 64 ? state.free : state.free & ((1 << UInt64(direct)) - 1)
            guard free != 0 else { return nil }
            let index = free.trailingZeroBitCount, bit = UInt64(1) << UInt64(index)
            defer { state.touched |= bit }
            state.free &= ~bit
            return (index, state.touched & bit == 0)
        }
        guard let (index, isNew) = index else { return nil }
        // Advice: without it the pages come one by one.
        if isNew { madvise(memory + index * placeBytes, bytes, Self.populate) }
        return Place(self, index)
    }

    /// The memory of the place in which a frame begins, and its number; nil for one that lies elsewhere.
    public func place(of frame: borrowing DecodedFrame) -> (index: Int, memory: UnsafeMutableRawBufferPointer)? {
        guard let data = frame.pointer.pointee.data.0 else { return nil }
        let offset = Int(bitPattern: data) - Int(bitPattern: memory)
        guard offset >= 0, offset < placeBytes * count else { return nil }
        return (offset / placeBytes, piece(offset / placeBytes))
    }

    private func piece(_ index: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: memory + index * placeBytes, count: placeBytes)
    }

    /// A place, until it is let go.
    public final class Place: FrameSlot {
        private let store: FrameStore
        /// Its number.
        public let index: Int

        fileprivate init(_ store: FrameStore, _ index: Int) { (self.store, self.index) = (store, index) }

        deinit { store.state.withLock { $0.free |= 1 << UInt64(index) } }

        /// The whole of it.
        public var memory: UnsafeMutableRawBufferPointer { store.piece(index) }
    }
}
