/// The sizes in which a share's bytes are asked for, by how fast they come and how long the reader has read on without a jump. Pure.
struct SharePace: Sendable, Equatable {
    /// The first piece after a jump: it comes with one round trip, and each further one is four times as long.
    static let first = 64 << 10
    /// The longest piece of a slow server, and behind a jump: 85 ms of a link of 100 Mbit/s, so that another jump need not wait for long.
    static let least = 1 << 20
    /// A piece takes no longer than this, in microseconds: one that is under way cannot be taken back.
    static let patience: UInt64 = 100_000
    /// From here on a second program is worth its connection: below, a round trip is little beside the transfer of a piece.
    static let wide = 4 << 20
    /// A second program is started when as much has been read in sequence, and where eight times as much is left.
    static let run: Int64 = 4 << 20

    /// The longest piece that the server gives within `patience`.
    private(set) var piece = least

    /// A piece has come, which the server gave in so many microseconds.
    mutating func note(_ count: Int, in microseconds: UInt64) {
        guard count >= Self.least else { return }
        let affordable = UInt64(count) * Self.patience / max(microseconds, 1)
        // Four times as long at most: one lucky answer is no fast link.
        let next = min(affordable, UInt64(piece) * 4, UInt64(SharePiece.limit))
        piece = Self.least
        while piece * 2 <= next { piece *= 2 }
    }

    /// The bytes that are asked for ahead of a reader that has read so many in sequence: 4 MiB behind a jump, 32 MiB at most.
    func window(run: Int64) -> Int { min(piece, Self.grown(run)) * 4 }

    /// The length of the piece behind one of a certain length.
    func next(after count: Int, run: Int64) -> Int { min(count * 4, min(piece, Self.grown(run))) }

    private static func grown(_ run: Int64) -> Int {
        var count = least
        while count < SharePiece.limit, Int64(count) * 2 <= run { count *= 2 }
        return count
    }
}
