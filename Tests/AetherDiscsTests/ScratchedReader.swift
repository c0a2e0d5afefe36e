import AetherCore
import AetherSources
import Glibc
import Synchronization

/// An image on a disc of which one sector cannot be read.
final class ScratchedReader: IOReader {
    private let memory: MemoryReader
    private let scratch: Int64
    private let place = Atomic(Int64(0))

    init(_ bytes: [UInt8], at scratch: Int64) { (memory, self.scratch) = (MemoryReader(bytes), scratch) }

    func read(_ buffer: UnsafeMutableRawBufferPointer) throws(IOReaderError) -> Int {
        let place = place.load(ordering: .acquiring)
        if (scratch..<scratch + 2048).contains(place) { throw .posix(EIO) }
        let room = place < scratch ? Int(clamping: scratch - place) : buffer.count
        let count = try memory.read(UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(room)))
        self.place.store(place + Int64(count), ordering: .releasing)
        return count
    }

    func seek(to offset: Int64) throws(IOReaderError) {
        try memory.seek(to: offset)
        place.store(offset, ordering: .releasing)
    }

    var size: Int64? { memory.size }
    var isSeekable: Bool { true }
    var traits: IOReaderTraits { memory.traits }
    func cancel() { memory.cancel() }
    func resume() { memory.resume() }
    func close() { memory.close() }
    func makeIndependentReader() -> (any IOReader)? { nil }
}
