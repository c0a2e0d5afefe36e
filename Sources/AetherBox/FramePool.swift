import AetherMedia
import CBox
import Glibc
import Synchronization

/// The player's side of the memory of a decoder's frames, which the worker fills: places for frames of one size. Nobody can make it smaller under
/// the other's hands. It goes with the last frame in it. Any thread.
final class FramePool: Sendable {
    private static let page = 4096
    /// More than 8K with ten bits needs; address space alone, for only what a decoder has in use is filled.
    private static let mostBytes = 2 << 30
    /// Bytes that a decoder and readers take beyond a frame itself.
    static let margin = 64 << 10

    /// Its number among all that were made for the same box.
    let number: UInt32
    /// A descriptor that can only be read by, for others who look at frames; -1 for none.
    let readable: Int32
    private let places: ReadPlaces
    private let state: Mutex<State>

    /// Which places are held here.
    private struct State {
        /// How often each is: a decoder may show a frame twice.
        var held: [Int]
        /// Those that were let go, of which the worker has not heard.
        var released: [UInt8] = []
    }

    /// Places for so many bytes, as many as there may be, and the descriptor that leads to them, which is the caller's; nil where there is no memory.
    static func make(bytes: Int, number: UInt32 = 0) -> (pool: FramePool, descriptor: Int32)? {
        guard bytes > 0, bytes <= FrameRecord.largest else { return nil }
        let slotBytes = (bytes + page - 1) / page * page
        let count = min(FrameStore.most, max(4, mostBytes / slotBytes))
        let descriptor = box_sealed_memory(slotBytes * count)
        guard descriptor >= 0 else { return nil }
        // Nothing here writes to a frame.
        guard let places = ReadPlaces(descriptor, placeBytes: slotBytes, count: count) else {
            close(descriptor)
            return nil
        }
        let readable = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
        return (FramePool(places, number: number, readable: readable), descriptor)
    }

    private init(_ places: ReadPlaces, number: UInt32, readable: Int32) {
        (self.places, self.number, self.readable) = (places, number, readable)
        state = Mutex(State(held: [Int](repeating: 0, count: places.count)))
    }

    deinit { if readable >= 0 { close(readable) } }

    /// Bytes of a place.
    var slotBytes: Int { places.placeBytes }

    /// How many places there are.
    var count: Int { places.count }

    /// The place that holds an address; nil for one that lies elsewhere.
    func place(at address: UnsafeRawPointer) -> Place? {
        places.index(of: address).map { Place(pool: self, index: $0, memory: places.place($0)) }
    }

    /// Where a frame lies. It holds nothing: the frame does.
    struct Place {
        let pool: FramePool
        let index: Int
        let memory: UnsafeMutableRawBufferPointer
    }

    /// Bytes of the places that were read.
    var touchedBytes: Int { places.touchedBytes }

    /// A place that the worker names, until it is let go; nil for one that there is not.
    func slot(_ index: Int) -> Slot? {
        guard 0..<count ~= index else { return nil }
        state.withLock { $0.held[index] += 1 }
        return Slot(self, index)
    }

    /// Writes what the worker must know of it.
    func put(to record: inout RecordWriter) {
        record.put(UInt64(clamping: slotBytes))
        record.put(UInt8(clamping: count))
    }

    /// How many places are held here.
    var heldCount: Int { state.withLock { $0.held.count { $0 > 0 } } }

    /// The places that were let go since this was asked, each as often as it was.
    func released() -> [UInt8] {
        state.withLock { state in
            let released = Array(state.released.prefix(Int(UInt8.max)))
            state.released.removeFirst(released.count)
            return released
        }
    }

    private func release(_ index: Int) {
        state.withLock { state in
            state.held[index] -= 1
            state.released.append(UInt8(clamping: index))
        }
    }

    /// A place, until it is let go.
    final class Slot: FrameSlot {
        private let pool: FramePool
        private let index: Int

        fileprivate init(_ pool: FramePool, _ index: Int) { (self.pool, self.index) = (pool, index) }

        deinit { pool.release(index) }

        var memory: UnsafeMutableRawBufferPointer { pool.places.place(index) }

        func willRead(_ count: Int) { pool.places.prepare(index, count) }
    }
}
