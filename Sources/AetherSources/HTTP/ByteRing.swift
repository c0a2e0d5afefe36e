/// Bytes of a transfer in the order in which they came: those not read yet, and the last ones read. A fixed room; numbers are offsets from
/// the transfer's first byte. Not for several threads.
final class ByteRing {
    private let room: UnsafeMutableRawBufferPointer
    /// The oldest byte still held.
    private(set) var low: Int64 = 0
    /// Behind the newest.
    private(set) var high: Int64 = 0
    /// Where reading goes on: nothing from here on is overwritten.
    private(set) var mark: Int64 = 0

    /// A ring of so many bytes.
    init(capacity: Int) {
        room = .allocate(byteCount: capacity, alignment: 64)
    }

    deinit { room.deallocate() }

    /// Bytes that still fit.
    var free: Int { room.count - Int(high - mark) }

    /// Bytes that came and were not read.
    var unread: Int { Int(high - mark) }

    /// Appends all of the bytes, or none where they do not fit.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= free else { return false }
        var copied = 0
        while copied < bytes.count {
            let place = Int((high + Int64(copied)) % Int64(room.count))
            let count = min(bytes.count - copied, room.count - place)
            UnsafeMutableRawBufferPointer(rebasing: room[place..<place + count])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[copied..<copied + count]))
            copied += count
        }
        high += Int64(bytes.count)
        low = max(low, high - Int64(room.count))
        return true
    }

    /// So many bytes went to the reader by another way: none before them is held any more. Everything that is held must have been read.
    func pass(_ count: Int) {
        high += Int64(count)
        (low, mark) = (high, high)
    }

    /// Whether bytes from here on are held, or will be the next to come.
    func reaches(_ offset: Int64) -> Bool { low <= offset && offset <= high }

    /// How many bytes are held from an offset on.
    func count(from offset: Int64) -> Int { reaches(offset) ? Int(high - offset) : 0 }

    /// Copies what is held from an offset on; what lies before its end counts as read. 0 where nothing is held there.
    func read(from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard reaches(offset) else { return 0 }
        let count = min(buffer.count, Int(high - offset))
        var copied = 0
        while copied < count {
            let place = Int((offset + Int64(copied)) % Int64(room.count))
            let piece = min(count - copied, room.count - place)
            UnsafeMutableRawBufferPointer(rebasing: buffer[copied..<copied + piece])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: room[place..<place + piece]))
            copied += piece
        }
        mark = offset + Int64(count)
        return count
    }

    /// Reading goes on from the offset, which is held.
    func move(to offset: Int64) { mark = min(max(offset, low), high) }
}
