/// Bytes on their way to the terminal. One owner, reused from frame to frame: after the first frames nothing is allocated.
///
/// Not thread safe; a frame's producer hands it on as a whole.
public struct ByteBuffer: ~Copyable {
    private var storage: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// Bytes held.
    public private(set) var count = 0

    /// An empty buffer with room for `capacity` bytes.
    public init(capacity: Int = 65_536) {
        self.capacity = max(64, capacity)
        storage = .allocate(capacity: self.capacity)
    }

    deinit { storage.deallocate() }

    /// Whether nothing is held.
    public var isEmpty: Bool { count == 0 }

    /// Appends one byte.
    public mutating func append(_ byte: UInt8) {
        reserve(1)
        storage[count] = byte
        count += 1
    }

    /// Appends the bytes of a buffer.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
        reserve(bytes.count)
        UnsafeMutableRawPointer(storage + count).copyMemory(from: base, byteCount: bytes.count)
        count += bytes.count
    }

    /// Appends the bytes of a sequence.
    public mutating func append(contentsOf bytes: some Sequence<UInt8>) {
        for byte in bytes { append(byte) }
    }

    /// Appends a literal, an escape sequence for instance.
    public mutating func append(_ literal: StaticString) {
        literal.withUTF8Buffer { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends a number in decimal digits; negative numbers become 0, for no terminal parameter may be negative.
    public mutating func append(decimal value: Int) {
        var divisor = 1
        let value = max(0, value)
        while value / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(truncatingIfNeeded: 0x30 + value / divisor % 10))
            divisor /= 10
        }
    }

    /// Forgets the bytes; the room stays unless `keepingCapacity` is false.
    public mutating func removeAll(keepingCapacity: Bool = true) {
        count = 0
        guard !keepingCapacity else { return }
        storage.deallocate()
        capacity = 64
        storage = .allocate(capacity: capacity)
    }

    /// Forgets all but the first bytes.
    mutating func truncate(to count: Int) { self.count = min(self.count, max(0, count)) }

    /// Lends the bytes for reading.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: storage, count: count))
    }

    /// Lends room for `limit` bytes behind the present ones; the body returns how many it has filled.
    mutating func appendUnchecked(limit: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
        reserve(limit)
        count += body(storage + count)
        // Too late for the heap, but not for the code that would build on it.
        precondition(count <= capacity, "a frame outgrew the room reserved for it")
    }

    private mutating func reserve(_ extra: Int) {
        guard count + extra > capacity else { return }
        let larger = max(capacity * 2, count + extra)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        moved.moveInitialize(from: storage, count: count)
        storage.deallocate()
        storage = moved
        capacity = larger
    }
}
