import AetherCore

/// The order in which a share's bytes are asked for ahead of the reader. Pure.
struct ShareReading: Sendable {
    /// A piece of the file that is asked for, or has come.
    struct Piece: Sendable {
        let number: UInt32
        let offset: Int64
        let count: Int
        var bytes: ArraySlice<UInt8>?
    }

    /// 4 MiB are asked for ahead: 40 ms of a link of 1 Gbit/s with 10 ms of round trip are ten times filled.
    static let window = 4 << 20
    /// The first piece after a seek is small, so that it comes soon; each further one is twice as long.
    static let firstPiece = 64 << 10

    let size: Int64
    private(set) var position: Int64 = 0
    private(set) var pieces: [Piece] = []
    private var nextNumber: UInt32 = 1
    private var nextCount = firstPiece

    /// A file of so many bytes, at its start.
    init(size: Int64) { self.size = size }

    /// Goes elsewhere. Returns the request that takes back what is of no use any more; nil: all of it still is.
    mutating func seek(to offset: Int64) -> ShareRequest? {
        position = offset
        while let first = pieces.first, first.offset + Int64(first.count) <= offset { pieces.removeFirst() }
        if let first = pieces.first, first.offset <= offset { return nil }
        return forget()
    }

    /// All that was asked for is of no use any more, as after a server went away.
    mutating func forget() -> ShareRequest {
        pieces = []
        nextCount = Self.firstPiece
        return .forget(before: nextNumber)
    }

    /// The requests that fill the window.
    mutating func requests() -> [ShareRequest] {
        var requests: [ShareRequest] = []
        while true {
            let start = pieces.last.map { $0.offset + Int64($0.count) } ?? position
            let count = min(Int64(nextCount), size - start)
            guard count > 0, start + count - position <= Int64(Self.window) else { return requests }
            pieces.append(Piece(number: nextNumber, offset: start, count: Int(count)))
            requests.append(.read(number: nextNumber, offset: UInt64(start), count: UInt32(count)))
            nextNumber &+= 1
            nextCount = min(nextCount * 2, SharePiece.limit)
        }
    }

    /// Takes an answer; false where it is shorter or longer than it may be: the file is not what it was.
    mutating func take(_ number: UInt32, _ bytes: ArraySlice<UInt8>) -> Bool {
        guard let index = pieces.firstIndex(where: { $0.number == number }) else { return true }
        guard bytes.count == pieces[index].count else { return false }
        pieces[index].bytes = bytes
        return true
    }

    /// Whether an answer is still waited for.
    func awaits(_ number: UInt32) -> Bool { pieces.contains { $0.number == number } }

    /// Copies what is there at the position; nil: nothing yet, 0: the end.
    mutating func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        if position >= size { return 0 }
        guard let first = pieces.first, let bytes = first.bytes else { return nil }
        let skipped = Int(position - first.offset)
        let count = min(buffer.count, first.count - skipped)
        bytes[(bytes.startIndex + skipped)...].prefix(count).withUnsafeBytes { buffer.copyMemory(from: $0) }
        position += Int64(count)
        if skipped + count == first.count { pieces.removeFirst() }
        return count
    }
}
