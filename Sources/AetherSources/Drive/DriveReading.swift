/// The order in which a disc's sectors are asked for ahead of the reader. Pure.
struct DriveReading: Sendable {
    /// Sectors that are asked for, or have come.
    struct Piece: Sendable {
        let number: UInt32
        let sector, count: Int
        var bytes: ArraySlice<UInt8>?

        var begin: Int64 { Int64(sector) * Int64(DriveSector.size) }
        var end: Int64 { Int64(sector + count) * Int64(DriveSector.size) }
    }

    /// 20 s of audio lie between the reader and the place at which the drive may struggle with a scratch.
    static let window = 1500
    /// The first piece after a seek is small, so that it comes soon; each further one is twice as long.
    static let firstPiece = 25

    /// All sectors of the disc.
    let count: Int
    private(set) var position: Int64 = 0
    private(set) var pieces: [Piece] = []
    private var nextNumber: UInt32 = 1
    private var nextCount = firstPiece

    /// A disc of so many sectors, at its start.
    init(count: Int) { self.count = count }

    /// Bytes of the disc.
    var size: Int64 { Int64(count) * Int64(DriveSector.size) }

    /// Goes elsewhere. Returns the request that takes back what is of no use any more; nil: all of it still is.
    mutating func seek(to offset: Int64) -> DriveRequest? {
        position = offset
        let hadPieces = !pieces.isEmpty
        while let first = pieces.first, first.end <= offset { pieces.removeFirst() }
        if let first = pieces.first, first.begin <= offset { return nil }
        (pieces, nextCount) = ([], Self.firstPiece)
        return hadPieces ? .forget(before: nextNumber) : nil
    }

    /// The requests that fill the window.
    mutating func requests() -> [DriveRequest] {
        var requests: [DriveRequest] = []
        let here = Int(clamping: position / Int64(DriveSector.size))
        while true {
            let start = pieces.last.map { $0.sector + $0.count } ?? here
            let count = min(nextCount, count - start)
            guard count > 0, start + count - here <= Self.window else { return requests }
            pieces.append(Piece(number: nextNumber, sector: start, count: count))
            requests.append(.read(number: nextNumber, sector: start, count: count))
            nextNumber &+= 1
            nextCount = min(nextCount * 2, DriveSector.limit)
        }
    }

    /// Takes an answer; false where it is shorter or longer than it may be.
    mutating func take(_ number: UInt32, _ bytes: ArraySlice<UInt8>) -> Bool {
        guard let index = pieces.firstIndex(where: { $0.number == number }) else { return true }
        guard bytes.count == pieces[index].count * DriveSector.size else { return false }
        pieces[index].bytes = bytes
        return true
    }

    /// Whether an answer is still waited for.
    func awaits(_ number: UInt32) -> Bool { pieces.contains { $0.number == number } }

    /// Copies what is there at the position; nil: nothing yet, 0: the end.
    mutating func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
        if position >= size { return 0 }
        guard let first = pieces.first, let bytes = first.bytes else { return nil }
        let skipped = Int(position - first.begin), count = min(buffer.count, bytes.count - skipped)
        bytes[(bytes.startIndex + skipped)...].prefix(count).withUnsafeBytes { buffer.copyMemory(from: $0) }
        position += Int64(count)
        if skipped + count == bytes.count { pieces.removeFirst() }
        return count
    }
}
