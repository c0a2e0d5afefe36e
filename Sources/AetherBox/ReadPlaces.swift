import AetherMedia
import Glibc
import Synchronization

/// Shared memory that this process only reads, in places for a frame each. Others may write there at any time; then what is read are other pixels.
/// Any thread.
final class ReadPlaces: Sendable {
    /// Gives all pages of a range to be read at once (Linux 5.14).
    private static let populate: Int32 = 22

    /// Bytes of a place.
    let placeBytes: Int
    let count: Int
    /// The mapping, which never moves, and to which this process cannot write.
    nonisolated(unsafe) private let memory: UnsafeMutableRawPointer
    /// One bit for each place that was read before.
    private let seen = Mutex<UInt64>(0)

    /// Maps the memory of a descriptor, which stays the caller's. nil where that cannot be.
    init?(_ descriptor: Int32, placeBytes: Int, count: Int) {
        guard placeBytes > 0, placeBytes <= FrameRecord.largest, 1...FrameStore.most ~= count,
            let memory = mmap(nil, placeBytes * count, PROT_READ, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { return nil }
        (self.memory, self.placeBytes, self.count) = (memory, placeBytes, count)
    }

    deinit { munmap(memory, placeBytes * count) }

    /// The number of the place that holds an address; nil for one that lies elsewhere.
    func index(of address: UnsafeRawPointer) -> Int? {
        let offset = Int(bitPattern: address) - Int(bitPattern: memory)
        return 0..<placeBytes * count ~= offset ? offset / placeBytes : nil
    }

    /// The whole of a place that there is.
    func place(_ index: Int) -> UnsafeMutableRawBufferPointer {
        precondition(0..<count ~= index, "a place that there is not")
        return UnsafeMutableRawBufferPointer(start: memory + index * placeBytes, count: placeBytes)
    }

    /// A frame of so many bytes is about to be read in a place. Only those are mapped: a place has half a megabyte more than a frame of 1080p needs,
    /// which reading alone would fill.
    func prepare(_ index: Int, _ bytes: Int) {
        let bit = UInt64(1) << UInt64(index)
        let isNew = seen.withLock { seen in
            defer { seen |= bit }
            return seen & bit == 0
        }
        // Advice: without it the pages come in sixteens.
        if isNew { madvise(memory + index * placeBytes, min(bytes, placeBytes), Self.populate) }
    }

    /// Bytes of the places that were read.
    var touchedBytes: Int { seen.withLock { $0.nonzeroBitCount } * placeBytes }
}
