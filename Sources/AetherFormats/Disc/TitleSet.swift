import AetherCore

/// The titles of one set with their streams and sectors, as VTS_nn_0.IFO has them. Pure.
public struct TitleSet: Sendable {
    /// The bytes that the file begins with.
    public static let magic = "DVDVIDEO-VTS"
    /// The first sectors of all units, ascending: half a second or a second each, with a key frame.
    public let units: [Int]
    /// Its menus; nil where there are none, or they cannot be read.
    public let menus: MenuTable?
    private let bytes: DiscBytes
    private let chains: DiscBytes
    private let parts: DiscBytes
    private let streams: TitleStreams
    private let pieces: [CellPiece]

    private static let name = "table of a title set"

    /// Reads the file, but for the titles.
    public init(_ file: [UInt8]) throws(DiscFault) {
        bytes = DiscBytes(file, name: Self.name)
        guard bytes.hasPrefix(Self.magic), let parts = try bytes.table(sectorAt: 0xC8, name: "list of chapters"),
            let chains = try bytes.table(sectorAt: 0xCC, name: "list of programmes")
        else { throw .damaged(Self.name) }
        (self.parts, self.chains) = (parts, chains)
        streams = try TitleStreams(bytes)
        let cells = try bytes.table(sectorAt: 0xE0, name: "list of cells")
        pieces = if let cells { try CellPiece.all(cells) } else { [] }
        let list = try bytes.table(sectorAt: 0xE4, name: "list of units")
        units = if let list { try Self.units(list) } else { [] }
        menus = MenuTable(bytes, chains: 0xD0, cells: 0xD8, units: 0xDC)
    }

    /// The number of chains of titles.
    var chainCount: Int { DiscFault.valueOrNil { () throws(DiscFault) in try chains.short(0) } ?? 0 }

    /// A chain of titles by its number; nil where there is none, or it cannot be read.
    public func chain(_ number: Int) -> ProgramChain? {
        guard 1...max(1, chainCount) ~= number else { return nil }
        return DiscFault.valueOrNil { () throws(DiscFault) in try ProgramChain(table(of: number), pieces: pieces) }
    }

    /// The chain and its program that a chapter of a title begins with; nil where there is none.
    public func part(_ part: Int, ofTitle title: Int) -> (chain: Int, program: Int)? {
        guard title > 0, let marks = DiscFault.valueOrNil({ () throws(DiscFault) in try chapters(of: title) }) else { return nil }
        return marks.indices.contains(part - 1) ? marks[part - 1] : nil
    }

    /// The number in the set of the title that a chain belongs to; nil where it belongs to none.
    public func title(ofChain number: Int) -> Int? {
        guard 1...max(1, chainCount) ~= number else { return nil }
        let title = DiscFault.valueOrNil { () throws(DiscFault) in try chains.byte(8 * number) & 0x7F }
        return title == 0 ? nil : title
    }

    /// The part of a title that lies in one chain, from one of its cells to another: as a title of its own, with the chapters that begin there.
    public func title(_ number: Int, at entry: VideoManager.Entry, chain chainNumber: Int, cells range: Range<Int>) -> DiscTitle?
    {
        guard let chain = self.chain(chainNumber), !range.isEmpty, chain.cells.indices.contains(range.lowerBound),
            range.upperBound <= chain.cells.count
        else { return nil }
        let cells = Array(chain.cells[range])
        let marks = DiscFault.valueOrNil { () throws(DiscFault) in try self.chapters(of: entry.numberInSet) } ?? []
        let chapters = marks.compactMap { mark -> DiscChapter? in
            guard mark.chain == chainNumber, chain.programs.indices.contains(mark.program - 1) else { return nil }
            let cell = chain.programs[mark.program - 1] - range.lowerBound
            guard cells.indices.contains(cell) else { return nil }
            let passed = cells[..<cell].filter { $0.angle <= 1 }.reduce(TimeSpan.zero) { $0 + $1.duration }
            return DiscChapter(cell: cell, start: passed)
        }
        return DiscTitle(
            id: number, titleSet: entry.titleSet, numberInSet: entry.numberInSet,
            angleCount: min(entry.angleCount, max(1, cells.map(\.angle).max() ?? 1)), cells: cells,
            chapters: chapters.sorted { $0.cell < $1.cell }, audio: streams.audio(of: chain),
            subtitles: streams.subtitles(of: chain), palette: chain.palette, isWide: streams.isWide)
    }

    /// A title of the set, which the disc calls `number`.
    public func title(_ number: Int, at entry: VideoManager.Entry) throws(DiscFault) -> DiscTitle {
        let marks = try chapters(of: entry.numberInSet)
        var chainNumbers: [Int] = []
        for mark in marks where !chainNumbers.contains(mark.chain) { chainNumbers.append(mark.chain) }
        var cells: [DiscCell] = [], chapters: [DiscChapter] = [], begin = TimeSpan.zero
        var palette: [UInt32] = [], audio: [DiscStream] = [], subtitles: [DiscStream] = []
        for (order, number) in chainNumbers.enumerated() {
            let chain = try ProgramChain(table(of: number), pieces: pieces)
            if order == 0 {
                palette = chain.palette
                (audio, subtitles) = (streams.audio(of: chain), streams.subtitles(of: chain))
            }
            for mark in marks where mark.chain == number {
                guard mark.program <= chain.programs.count else { throw .damaged("list of chapters") }
                let cell = chain.programs[mark.program - 1]
                let passed = chain.cells[..<cell].filter { $0.angle <= 1 }.reduce(TimeSpan.zero) { $0 + $1.duration }
                chapters.append(DiscChapter(cell: cells.count + cell, start: begin + passed))
            }
            begin = chain.cells.filter { $0.angle <= 1 }.reduce(begin) { $0 + $1.duration }
            cells += chain.cells
        }
        guard !cells.isEmpty else { throw .damaged("list of cells") }
        return DiscTitle(
            id: number, titleSet: entry.titleSet, numberInSet: entry.numberInSet,
            angleCount: min(entry.angleCount, max(1, cells.map(\.angle).max() ?? 1)), cells: cells,
            chapters: chapters.sorted { $0.cell < $1.cell }, audio: audio, subtitles: subtitles, palette: palette,
            isWide: streams.isWide)
    }

    /// The chain and the program of each chapter of a title.
    private func chapters(of title: Int) throws(DiscFault) -> [(chain: Int, program: Int)] {
        guard try title <= parts.short(0) else { throw .damaged(parts.name) }
        let start = try parts.long(4 + 4 * title)
        let end = try title < parts.short(0) ? parts.long(8 + 4 * title) : parts.long(4) + 1
        guard start >= 8, end > start, end - start <= 4 * 999 else { throw .damaged(parts.name) }
        var marks: [(chain: Int, program: Int)] = []
        for place in stride(from: start, to: end - 3, by: 4) {
            let mark = try (chain: parts.short(place), program: parts.short(place + 2))
            guard mark.chain > 0, mark.program > 0 else { throw .damaged(parts.name) }
            marks.append(mark)
        }
        return marks
    }

    private func table(of chain: Int) throws(DiscFault) -> DiscBytes {
        guard try chain <= chains.short(0) else { throw .damaged(chains.name) }
        return try chains.table(at: chains.long(8 * chain + 4), name: "programme")
    }

    static func units(_ table: DiscBytes) throws(DiscFault) -> [Int] {
        let count = try (table.long(0) + 1 - 4) / 4
        guard count >= 0, count <= table.count / 4 else { throw .damaged(table.name) }
        var units: [Int] = []
        for index in 0..<count {
            let sector = try table.long(4 + 4 * index)
            guard sector > units.last ?? -1 else { throw .damaged(table.name) }
            units.append(sector)
        }
        return units
    }
}

/// A run of sectors that belongs to a cell. A cell of one of several angles has many.
struct CellPiece: Sendable, Equatable {
    let object, number: Int
    let sectors: Range<Int>

    static func all(_ table: DiscBytes) throws(DiscFault) -> [CellPiece] {
        let count = try (table.long(4) + 1 - 8) / 12
        guard count >= 0, count <= table.count / 12 else { throw .damaged(table.name) }
        var pieces: [CellPiece] = []
        for index in 0..<count {
            let place = 8 + 12 * index
            let first = try table.long(place + 4), last = try table.long(place + 8)
            guard last >= first, last < 1 << 28 else { throw .damaged(table.name) }
            try pieces.append(CellPiece(object: table.short(place), number: table.byte(place + 2), sectors: first..<last + 1))
        }
        return pieces
    }
}
