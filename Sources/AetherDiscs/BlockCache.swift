import AetherCore
import Synchronization

/// Small reads of an image, by blocks that are kept: its tables lie side by side, and where another machine is asked each place costs a round trip.
final class BlockCache: Sendable {
    let reader: any IOReader
    private let blockSize: Int
    /// Blocks by their number, and the order of their coming.
    private struct Blocks {
        var bytes: [Int64: [UInt8]] = [:]
        var order: [Int64] = []
    }
    private let blocks = Mutex(Blocks())
    private static let limit = 64

    /// Over the bytes of a reader, one thread at a time.
    init(_ reader: any IOReader) {
        self.reader = reader
        blockSize = reader.traits.seekCost == .call ? 32 << 10 : 256 << 10
    }

    /// As many bytes from an offset on, fewer at the end. Blocks.
    func bytes(at offset: Int64, count: Int) throws(IOReaderError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count, offset >= 0 {
            let place = offset + Int64(bytes.count), number = place / Int64(blockSize)
            let block = try block(number), within = Int(place % Int64(blockSize))
            guard within < block.count else { break }
            bytes += block[within..<min(block.count, within + count - bytes.count)]
        }
        return bytes
    }

    private func block(_ number: Int64) throws(IOReaderError) -> [UInt8] {
        if let known = blocks.withLock({ $0.bytes[number] }) { return known }
        try reader.seek(to: number * Int64(blockSize))
        let block = try reader.bytes(limit: blockSize)
        blocks.withLock { blocks in
            blocks.bytes[number] = block
            blocks.order.append(number)
            if blocks.order.count > Self.limit { blocks.bytes[blocks.order.removeFirst()] = nil }
        }
        return block
    }
}
