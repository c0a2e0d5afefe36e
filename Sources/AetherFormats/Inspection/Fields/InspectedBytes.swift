/// The bytes of a source for an inspector, by ranges: reads the requested range, with some bytes behind it, and keeps the last piece. One
/// thread; blocks as the function that it was made with does.
public final class InspectedBytes {
    /// Reads up to so many bytes at an offset; fewer at the end, nil where it fails.
    public typealias Read = (_ offset: Int64, _ count: Int) -> [UInt8]?

    /// Bytes in all; nil where the number is unknown.
    public let size: Int64?
    /// A jump costs a request to a server: only heads and indexes are read.
    public let isFrugal: Bool
    /// Reads that did not lie in the piece that is kept, or just behind it.
    public private(set) var jumps = 0
    /// A read failed; its bytes are missing.
    public private(set) var hasFailed = false
    private let read: Read
    private let step: Int
    private var piece: [UInt8] = []
    private var start: Int64 = 0

    /// Bytes behind a function that reads them.
    public init(size: Int64?, isFrugal: Bool = false, read: @escaping Read) {
        (self.size, self.isFrugal, self.read) = (size, isFrugal, read)
        step = isFrugal ? 64 << 10 : 4 << 10
    }

    /// Bytes in memory.
    public convenience init(_ bytes: [UInt8]) {
        self.init(size: Int64(bytes.count)) { offset, count in
            let from = Int(clamping: min(max(0, offset), Int64(bytes.count)))
            return Array(bytes[from..<min(bytes.count, from + count)])
        }
    }

    /// The bytes at an offset, fewer at the end. At most 16 MB.
    public func bytes(at offset: Int64, count: Int) -> ArraySlice<UInt8> {
        let count = min(count, 16 << 20)
        guard offset >= 0, count > 0, size.map({ offset < $0 }) ?? true else { return [] }
        let end = start + Int64(piece.count)
        if offset >= start, offset < end, end - offset >= Int64(count) || end == size {
            let from = Int(offset - start)
            return piece[from..<min(piece.count, from + count)]
        }
        if offset < start || offset > end + Int64(step) { jumps += 1 }
        guard let found = read(offset, max(count, step)) else {
            hasFailed = true
            return []
        }
        (piece, start) = (found, offset)
        return piece.prefix(count)
    }
}
