/// The order in which a share's bytes are asked for ahead of the reader, of one program or of two side by side, each with a connection of its own:
/// a program waits a round trip for each piece, and meanwhile the other one's piece comes. Pure.
struct ShareReading: Sendable {
    /// A piece of the file that is asked for, or has come.
    struct Piece: Sendable, Equatable {
        let number: UInt32
        let offset: Int64
        let count: Int
        /// The program that is asked, and the place in its memory.
        let lane, place: Int
        var isThere = false
        var end: Int64 { offset + Int64(count) }
    }
    /// Bytes that are there, in the memory of a program. Without any the file is at its end.
    struct Part: Sendable, Equatable { let lane, place, count: Int }
    /// A request, and the program that it is for.
    struct Order: Sendable, Equatable {
        let lane: Int
        let request: ShareRequest
    }
    private struct Lane: Sendable {
        var room = ShareRoom()
        /// Bytes that it still reads for nobody.
        var stale = 0
    }
    private enum Second { case possible, starting, there, refused }

    let size: Int64
    private(set) var position: Int64 = 0
    private(set) var pieces: [Piece] = []
    private(set) var pace = SharePace()
    private var lanes = [Lane()]
    private var second = Second.possible
    private var run: Int64 = 0
    private var nextNumber: UInt32 = 1
    private var nextCount = SharePace.first

    /// A file of so many bytes, at its start.
    init(size: Int64) { self.size = size }

    /// Goes elsewhere. Returns the request that takes back what is of no use any more, for all programs; nil: all of it still is.
    mutating func seek(to offset: Int64) -> ShareRequest? {
        position = offset
        guard let first = pieces.first, let last = pieces.last, first.offset <= offset, offset < last.end else { return forget() }
        while let first = pieces.first, first.end <= offset { drop(first) }
        return nil
    }

    /// All that was asked for is of no use any more.
    mutating func forget() -> ShareRequest {
        for lane in lanes.indices {
            lanes[lane].stale = pieces.first { $0.lane == lane && !$0.isThere }?.count ?? lanes[lane].stale
            lanes[lane].room.clear()
        }
        (pieces, run, nextCount) = ([], 0, SharePace.first)
        return .forget(before: nextNumber)
    }

    /// The programs are gone, as after a server went away: the next one is the only one again.
    mutating func restart() {
        _ = forget()
        lanes = [Lane()]
        if second != .refused { second = .possible }
    }

    /// The requests that fill the window.
    mutating func requests() -> [Order] {
        var orders: [Order] = []
        while true {
            let start = pieces.last?.end ?? position, count = min(Int64(nextCount), size - start), lane = idlest
            guard count > 0, start + count - position <= Int64(pace.window(run: run)),
                let place = lanes[lane].room.take(Int(count))
            else { return orders }
            pieces.append(Piece(number: nextNumber, offset: start, count: Int(count), lane: lane, place: place))
            let request = ShareRequest.read(
                number: nextNumber, offset: UInt64(start), count: UInt32(count), place: UInt32(place))
            orders.append(Order(lane: lane, request: request))
            nextNumber &+= 1
            nextCount = pace.next(after: nextCount, run: run)
        }
    }

    /// The program with the least to do; of those the one whose memory holds the least.
    private var idlest: Int {
        let loads = lanes.indices.map { lane in
            pieces.reduce((asked: lanes[lane].stale, held: 0)) { load, piece in
                guard piece.lane == lane else { return load }
                return (load.asked + (piece.isThere ? 0 : piece.count), load.held + piece.count)
            }
        }
        return loads.indices.min { loads[$0] < loads[$1] } ?? 0
    }

    /// Takes an answer of a program; false where it is shorter or longer than it may be: the file is not what it was.
    mutating func take(_ number: UInt32, _ count: Int, in microseconds: UInt64, lane: Int) -> Bool {
        if lanes.indices.contains(lane) { lanes[lane].stale = 0 }
        guard let index = pieces.firstIndex(where: { $0.number == number }) else { return true }
        guard count == pieces[index].count, lane == pieces[index].lane else { return false }
        pieces[index].isThere = true
        pace.note(count, in: microseconds)
        return true
    }

    /// Whether an answer is still waited for.
    func awaits(_ number: UInt32) -> Bool { pieces.contains { $0.number == number } }

    /// Takes at most so many bytes that are there at the position, which are to be copied before the next requests are sent; nil: nothing yet.
    mutating func read(_ limit: Int) -> Part? {
        if position >= size { return Part(lane: 0, place: 0, count: 0) }
        guard let first = pieces.first, first.isThere else { return nil }
        let skipped = Int(position - first.offset), count = min(limit, first.count - skipped)
        position += Int64(count)
        run += Int64(count)
        if position == first.end { drop(first) }
        return Part(lane: first.lane, place: first.place + skipped, count: count)
    }

    private mutating func drop(_ first: Piece) {
        lanes[first.lane].room.giveBack()
        pieces.removeFirst()
    }

    // MARK: - The second program

    /// Whether a second program is to be started now; said once.
    mutating func wantsSecond() -> Bool {
        guard second == .possible, pace.piece >= SharePace.wide, run >= SharePace.run, size - position >= 8 * SharePace.run
        else { return false }
        second = .starting
        return true
    }

    /// Whether it has the file open.
    var hasSecond: Bool { second == .there }

    /// The second program has the file open, or the server lets it not: then there is no other.
    mutating func second(isThere: Bool) {
        second = isThere ? .there : .refused
        if isThere { lanes.append(Lane()) }
    }
}
