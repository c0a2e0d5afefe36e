import AetherCore

/// A chain of programs: cells in the order of playing, and the streams that go with them. Pure.
struct ProgramChain {
    /// The index of each program's first cell.
    let programs: [Int]
    let cells: [DiscCell]
    /// Sixteen colours, 0x00YYCrCb.
    let palette: [UInt32]
    /// By the number of an audio stream of the title set: its number in the program stream; nil where this chain does not have it.
    let audio: [Int?]
    /// Of each subtitle stream: its numbers in the program stream for 4:3, 16:9, letterbox and pan and scan.
    let subtitles: [[Int]?]

    private static let blockOfAngles = 1

    init(_ table: DiscBytes, pieces: [CellPiece]) throws(DiscFault) {
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
            duration: TimeSpan(discTicks: playback.ticks(place + 4)))
    }
}
