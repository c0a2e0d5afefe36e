/// The lists of commands of a Blu-ray disc, as MovieObject.bdmv has them, as far as they name playlists. Pure.
public struct MovieObjects: Sendable, Equatable {
    /// The playlists that each list of commands plays by their numbers, in its order.
    public let playlists: [[Int]]
    /// The lists of commands that each one goes over to.
    let jumps: [[Int]]

    /// The bytes that the file begins with.
    public static let magic = "MOBJ"
    private static let name = "list of commands"
    /// Commands that are looked at in all.
    private static let commandLimit = 1 << 20

    /// Reads the file.
    public init(_ file: [UInt8]) throws(DiscFault) {
        let bytes = DiscBytes(file, name: Self.name)
        guard bytes.hasPrefix(Self.magic) else { throw .damaged(Self.name) }
        var playlists: [[Int]] = [], jumps: [[Int]] = [], place = 50, left = Self.commandLimit
        for _ in 0..<(try bytes.short(48)) {
            let count = try bytes.short(place + 2)
            place += 4
            var plays: [Int] = [], goes: [Int] = []
            for _ in 0..<min(count, left) {
                // Of the group of branches, with a number as its first operand and no register.
                let head = try bytes.short(place)
                if head >> 11 & 3 == 0, head & 0x80 != 0 {
                    let number = try bytes.long(place + 4)
                    switch (head >> 8 & 7, head & 15) {
                    case (2, 0), (2, 1), (2, 2): if number <= 99_999 { plays.append(number) }
                    case (1, 0), (1, 2): goes.append(number)
                    default: break
                    }
                }
                place += 12
            }
            left -= count
            playlists.append(plays)
            jumps.append(goes)
            guard left > 0 else { break }
        }
        (self.playlists, self.jumps) = (playlists, jumps)
    }

    /// The playlists that lists of commands lead to, themselves or by those that they go over to.
    public func playlists(from numbers: [Int]) -> Set<Int> {
        var found: Set<Int> = [], waiting = numbers, met: Set<Int> = []
        while let next = waiting.popLast() {
            guard playlists.indices.contains(next), met.insert(next).inserted else { continue }
            found.formUnion(playlists[next])
            waiting += jumps[next]
        }
        return found
    }
}
