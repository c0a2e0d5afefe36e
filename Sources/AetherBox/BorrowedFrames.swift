import AetherMedia
import Glibc
import Synchronization

/// Frames that the player lets a worker read where a decoder has put them. The worker's side, for one thread at a time.
struct BorrowedFrames {
    /// The numbers of those that were let go, of which the player has not heard.
    private final class Returned: Sendable {
        let numbers = Mutex<[UInt32]>([])
    }

    /// A frame's memory, until the last one who reads it lets go.
    private final class Slot: FrameSlot {
        private let places: ReadPlaces
        private let index: Int
        private let number: UInt32
        private let returned: Returned

        init(_ places: ReadPlaces, _ index: Int, _ number: UInt32, _ returned: Returned) {
            (self.places, self.index, self.number, self.returned) = (places, index, number, returned)
        }

        deinit { returned.numbers.withLock { [number] in $0.append(number) } }

        var memory: UnsafeMutableRawBufferPointer { places.place(index) }

        func willRead(_ count: Int) { places.prepare(index, count) }
    }

    /// The memory that the player told of last, by its number.
    private var known: (number: UInt32, places: ReadPlaces)?
    private let returned = Returned()

    init() {}

    /// The frame that `FrameLoans.put` has written; nil where that makes no sense. `descriptor` stays the caller's.
    mutating func frame(_ record: inout RecordReader, _ descriptor: Int32) -> DecodedFrame? {
        let number = record.integer(UInt32.self), pool = record.integer(UInt32.self)
        let shape = record.optional { (bytes: Int(clamping: $0.integer(UInt64.self)), count: Int($0.integer(UInt8.self))) }
        let index = Int(record.integer(UInt8.self)), bytes = record.bytes(limit: BoxMessage.limit)
        guard !record.isBroken else { return nil }
        if let shape {
            guard descriptor >= 0, let places = ReadPlaces(descriptor, placeBytes: shape.bytes, count: shape.count) else {
                return nil
            }
            known = (pool, places)
        }
        guard let known, known.number == pool, index < known.places.count else { return nil }
        return FrameRecord.frame(bytes, in: Slot(known.places, index, number, returned))
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
