import AetherMedia
import Glibc
import Synchronization

/// Frames that the player lets a worker read where a decoder has put them. The worker's side, for one thread at a time.
struct BorrowedFrames {
    /// Memory that can only be read.
    private final class Memory: Sendable {
        /// The mapping, which never moves, and to which this process cannot write.
        nonisolated(unsafe) private let start: UnsafeMutableRawPointer
        private let slotBytes: Int
        private let count: Int
        private let seen = Mutex<UInt64>(0)
        /// Gives all pages of a range to be read at once (Linux 5.14).
        private static let populate: Int32 = 22

        /// Maps the memory of a descriptor, which stays the caller's. nil where that cannot be.
        init?(_ descriptor: Int32, slotBytes: Int, count: Int) {
            guard slotBytes > 0, slotBytes <= FrameRecord.largest, 1...FrameStore.most ~= count,
                let start = mmap(nil, slotBytes * count, PROT_READ, MAP_SHARED, descriptor, 0), start != MAP_FAILED
            else { return nil }
            (self.start, self.slotBytes, self.count) = (start, slotBytes, count)
        }

        deinit { munmap(start, slotBytes * count) }

        func has(_ index: Int) -> Bool { 0..<count ~= index }

        /// A place that there is.
        func slot(_ index: Int) -> UnsafeMutableRawBufferPointer {
            UnsafeMutableRawBufferPointer(start: start + index * slotBytes, count: slotBytes)
        }

        func prepare(_ index: Int, _ bytes: Int) {
            let bit = UInt64(1) << UInt64(index)
            let isNew = seen.withLock { seen in
                defer { seen |= bit }
                return seen & bit == 0
            }
            // Advice: without it the pages come in sixteens.
            if isNew { madvise(start + index * slotBytes, min(bytes, slotBytes), Self.populate) }
        }
    }

    /// The numbers of those that were let go, of which the player has not heard.
    private final class Returned: Sendable {
        let numbers = Mutex<[UInt32]>([])
    }

    /// A frame's memory, until the last one who reads it lets go.
    private final class Slot: FrameSlot {
        private let source: Memory
        private let index: Int
        private let number: UInt32
        private let returned: Returned

        init(_ source: Memory, _ index: Int, _ number: UInt32, _ returned: Returned) {
            (self.source, self.index, self.number, self.returned) = (source, index, number, returned)
        }

        deinit { returned.numbers.withLock { [number] in $0.append(number) } }

        var memory: UnsafeMutableRawBufferPointer { source.slot(index) }

        func willRead(_ count: Int) { source.prepare(index, count) }
    }

    /// The memory that the player told of last, by its number.
    private var known: (number: UInt32, memory: Memory)?
    private let returned = Returned()

    init() {}

    /// The frame that `FrameLoans.put` has written; nil where that makes no sense. `descriptor` stays the caller's.
    mutating func frame(_ record: inout RecordReader, _ descriptor: Int32) -> DecodedFrame? {
        let number = record.integer(UInt32.self), pool = record.integer(UInt32.self)
        let shape = record.optional { (bytes: Int(clamping: $0.integer(UInt64.self)), count: Int($0.integer(UInt8.self))) }
        let index = Int(record.integer(UInt8.self)), bytes = record.bytes(limit: BoxMessage.limit)
        guard !record.isBroken else { return nil }
        if let shape {
            guard descriptor >= 0, let memory = Memory(descriptor, slotBytes: shape.bytes, count: shape.count) else { return nil }
            known = (pool, memory)
        }
        guard let known, known.number == pool, known.memory.has(index) else { return nil }
        return FrameRecord.frame(bytes, in: Slot(known.memory, index, number, returned))
    }

    /// The numbers of those that were let go since this was asked.
    func takeReturned() -> [UInt32] {
        returned.numbers.withLock { numbers in
            let taken = Array(numbers.prefix(FrameLoans.most))
            numbers.removeFirst(taken.count)
            return taken
        }
    }
}
