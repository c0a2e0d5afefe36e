/// A read that waits for its first byte: what comes for it goes straight into its buffer, instead of through the ring. The buffer is valid as
/// long as the read has not returned.
struct WaitingRead {
    private let buffer: UnsafeMutableRawBufferPointer
    /// Bytes that have come.
    private(set) var filled = 0

    /// So many bytes that were read one after the other make a reader that does not go back: what has gone past the ring cannot be gone back to
    /// without asking for it anew. Four rings.
    static let streak: Int64 = 16 << 20

    /// A read into a buffer; nothing has come yet.
    init(_ buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

    /// Whether it is a read into that buffer.
    func fills(_ other: UnsafeMutableRawBufferPointer) -> Bool { buffer.baseAddress == other.baseAddress }

    /// Copies as many of the bytes as there is room for, and returns how many.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        let count = min(bytes.count, buffer.count - filled)
        UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<filled + count])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        filled += count
        return count
    }
}
