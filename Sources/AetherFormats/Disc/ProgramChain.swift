import AetherCore

/// A chain of programs: cells in the order of playing, the streams that go with them, and the commands around them. Pure.
public struct ProgramChain: Sendable, Equatable {
    /// The index of each program's first cell.
    public let programs: [Int]
    /// In the order of playing, of all angles.
    public let cells: [DiscCell]
    /// The commands before the first cell, behind the last one, and those that cells name.
    public let before, behind, ofCells: [MenuCommand]
    /// The numbers of the chains that follow on it, come before it and lie above it; 0: none.
    public let next, former, upper: Int
    /// The last frame of the chain stays for so many seconds; 255: until a person goes on.
    public let still: Int
    /// Sixteen colours, 0x00YYCrCb.
    let palette: [UInt32]
    /// By the number of an audio stream of the title set: its number in the program stream; nil where this chain does not have it.
    let audio: [Int?]
    /// Of each subtitle stream: its numbers in the program stream for 4:3, 16:9, letterbox and pan and scan.
    let subtitles: [[Int]?]

    private static let blockOfAngles = 1

    /// The most commands of a chain.
    private static let commandLimit = 255 * 3

    init(_ table: DiscBytes, pieces: [CellPiece]) throws(DiscFault) {
        let commands = try Self.commands(table)
        (before, behind, ofCells) = (commands.before, commands.behind, commands.ofCells)
        (next, former, upper) = (try table.short(0x9C), try table.short(0x9E), try table.short(0xA0))
        still = try table.byte(0xA3)
        let programCount = try table.byte(2), cellCount = try table.byte(3)
        var audio: [Int?] = [], subtitles: [[Int]?] = [], palette: [UInt32] = []
        for index in 0..<8 {
            let control = try table.byte(0x0C + 2 * index)
            audio.append(control & 0x80 != 0 ? control & 7 : nil)
        }
        for index in 0..<32 {
            let control = try table.long(0x1C + 4 * index)
            subtitles.append(control >> 31 != 0 ? [24, 16, 8, 0].map { control >> $0 & 31 } : nil)
        }
        for index in 0..<16 { try palette.append(UInt32(table.long(0xA4 + 4 * index) & 0xFF_FFFF)) }
        (self.audio, self.subtitles, self.palette) = (audio, subtitles, palette)
        guard programCount > 0, cellCount > 0 else {
            (programs, cells) = ([], [])
            return
        }
        let map = try table.table(at: table.short(0xE6), name: table.name)
        var programs: [Int] = []
        for index in 0..<programCount {
            let cell = try map.byte(index) - 1
            guard 0..<cellCount ~= cell else { throw .damaged(table.name) }
            programs.append(cell)
        }
        self.programs = programs
        let playback = try table.table(at: table.short(0xE8), name: table.name)
        let positions = try table.table(at: table.short(0xEA), name: table.name)
        var cells: [DiscCell] = [], angle = 0
        for index in 0..<cellCount {
            let flags = try playback.byte(24 * index)
            let isAngle = flags >> 4 & 3 == Self.blockOfAngles
            // The first of a block begins to count.
            angle = isAngle ? (flags >> 6 == 1 ? 1 : angle + 1) : 0
            cells.append(
                try Self.cell(playback, positions, index, angle: min(angle, 9), isInterleaved: flags & 4 != 0, pieces))
        }
        self.cells = cells
    }

    private static func commands(
        _ table: DiscBytes
    ) throws(DiscFault) -> (before: [MenuCommand], behind: [MenuCommand], ofCells: [MenuCommand]) {
        let offset = try table.short(0xE4)
        guard offset != 0 else { return ([], [], []) }
        let list = try table.table(at: offset, name: table.name)
        let counts = try (list.short(0), list.short(2), list.short(4))
        guard counts.0 + counts.1 + counts.2 <= commandLimit else { throw .damaged(table.name) }
        func read(_ first: Int, _ count: Int) throws(DiscFault) -> [MenuCommand] {
            var commands: [MenuCommand] = []
            for index in first..<first + count {
                let high = try list.long(8 + 8 * index), low = try list.long(12 + 8 * index)
                commands.append(MenuCommand(bits: UInt64(high) << 32 | UInt64(low)))
            }
            return commands
        }
        return (
            try read(0, counts.0), try read(counts.0, counts.1), try read(counts.0 + counts.1, counts.2)
        )
    }

    private static func cell(
        _ playback: DiscBytes, _ positions: DiscBytes, _ index: Int, angle: Int, isInterleaved: Bool, _ pieces: [CellPiece]
    ) throws(DiscFault) -> DiscCell {
        let place = 24 * index
        let first = try playback.long(place + 8), last = try playback.long(place + 20)
        let lastUnit = try playback.long(place + 16)
        guard last >= first, last < 1 << 28, first...last ~= lastUnit else { throw .damaged(playback.name) }
        let object = try positions.short(4 * index), number = try positions.byte(4 * index + 3)
        let whole = first..<last + 1
        var extents = [whole]
        if isInterleaved {
            let own = pieces.filter { $0.object == object && $0.number == number }.map { $0.sectors.clamped(to: whole) }
            extents = own.filter { !$0.isEmpty }.sorted { $0.lowerBound < $1.lowerBound }
            guard !extents.isEmpty, zip(extents, extents.dropFirst()).allSatisfy({ $0.upperBound <= $1.lowerBound }) else {
                throw .damaged("list of cells")
            }
        }
        return try DiscCell(
            object: object, number: number, angle: angle, extents: extents, lastUnit: lastUnit,
            duration: TimeSpan(discTicks: playback.ticks(place + 4)), still: playback.byte(place + 2),
            command: playback.byte(place + 3))
    }
}

extension ProgramChain {
    /// A chain by its parts.
    public init(
        cells: [DiscCell] = [], programs: [Int]? = nil, before: [MenuCommand] = [], behind: [MenuCommand] = [],
        ofCells: [MenuCommand] = [], next: Int = 0, former: Int = 0, upper: Int = 0, still: Int = 0
    ) {
        (self.cells, self.programs) = (cells, programs ?? (cells.isEmpty ? [] : [0]))
        (self.before, self.behind, self.ofCells) = (before, behind, ofCells)
        (self.next, self.former, self.upper, self.still) = (next, former, upper, still)
        (palette, audio, subtitles) = ([], [Int?](repeating: nil, count: 8), [[Int]?](repeating: nil, count: 32))
    }
}
