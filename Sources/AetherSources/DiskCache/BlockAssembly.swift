/// Puts blocks of a file together from the pieces in which it is read. What is read from the middle of a block on is left out up to the next
/// one. Pure.
struct BlockAssembly: Sendable {
    private var bytes: [UInt8] = []
    /// The block under way; nil: none.
    private var block: UInt32?

    /// Takes a piece that lies at an offset of a file of that size, and gives each block that it completes.
    mutating func take(
        _ piece: UnsafeRawBufferPointer, at offset: Int64, size: Int64, _ complete: (UInt32, UnsafeRawBufferPointer) -> Void
    ) {
        let blockSize = Int64(CacheIndex.blockSize)
        var done = 0
        while done < piece.count {
            let place = offset + Int64(done)
            guard place < size, place / blockSize <= Int64(UInt32.max) else { return }
            let number = UInt32(place / blockSize), start = Int(place % blockSize)
            let length = Int(min(blockSize, size - place + Int64(start)))
            let count = min(piece.count - done, length - start)
            let part = UnsafeRawBufferPointer(rebasing: piece[done..<done + count])
            done += count
            if start == 0, count == length {
                block = nil
                complete(number, part)
                continue
            }
            if start == 0 {
                block = number
                bytes.removeAll(keepingCapacity: true)
            }
            guard block == number, bytes.count == start else {
                block = nil
                continue
            }
            bytes.append(contentsOf: part)
            if bytes.count == length {
                block = nil
                bytes.withUnsafeBytes { complete(number, $0) }
            }
        }
    }
}
