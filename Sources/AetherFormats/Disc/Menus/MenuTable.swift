/// The menus of a disc's manager or of one of its title sets: chains by language, with their streams and sectors. What cannot be read of it is not
/// there. Pure.
public struct MenuTable: Sendable, Equatable {
    /// The kinds of menu by the numbers that a disc has for them.
    public enum Kind: Int, Sendable, CaseIterable {
        /// Of all the disc.
        case title = 2
        /// The first of a title set.
        case root
        /// Of subtitles.
        case subtitles
        /// Of audio.
        case audio
        /// Of angles.
        case angle
        /// Of chapters.
        case chapters
    }

    /// The first sectors of all units of the menus' video, ascending.
    public let units: [Int]
    private let languages: [(code: Int, chains: DiscBytes)]
    private let pieces: [CellPiece]
    private let streams: TitleStreams
    private static let name = "table of menus"

    /// The table by the places that its file names: sectors. nil where the file has none, or it is damaged.
    init?(_ file: DiscBytes, chains: Int, cells: Int, units: Int) {
        guard
            let table = DiscFault.valueOrNil({ () throws(DiscFault) in
                try file.table(sectorAt: chains, name: Self.name)
            }).flatMap({ $0 }),
            let languages = DiscFault.valueOrNil({ () throws(DiscFault) in try Self.languages(table) }), !languages.isEmpty,
            let streams = DiscFault.valueOrNil({ () throws(DiscFault) in
                try TitleStreams(file, at: TitleStreams.ofMenus)
            })
        else { return nil }
        (self.languages, self.streams) = (languages, streams)
        // Without these two lists menus of one angle play as well.
        pieces =
            DiscFault.valueOrNil { () throws(DiscFault) in
                try file.table(sectorAt: cells, name: Self.name).map { table throws(DiscFault) in try CellPiece.all(table) } ?? []
            } ?? []
        self.units =
            DiscFault.valueOrNil { () throws(DiscFault) in
                try file.table(sectorAt: units, name: Self.name).map { table throws(DiscFault) in try TitleSet.units(table) }
                    ?? []
            } ?? []
    }

    private static func languages(_ table: DiscBytes) throws(DiscFault) -> [(code: Int, chains: DiscBytes)] {
        var languages: [(code: Int, chains: DiscBytes)] = []
        for index in 0..<min(99, try table.short(0)) {
            let place = 8 + 8 * index
            let chains = try table.table(at: table.long(place + 4), name: name)
            languages.append((try table.short(place), chains))
        }
        return languages
    }

    /// The first chain of a disc, which its manager's file names by a byte; nil where there is none.
    static func firstPlay(_ file: DiscBytes) -> ProgramChain? {
        DiscFault.valueOrNil { () throws(DiscFault) in
            let offset = try file.long(0x84)
            return offset == 0 ? nil : try ProgramChain(file.table(at: offset, name: name), pieces: [])
        }.flatMap { $0 }
    }

    /// Whether both have the same chains, streams and sectors.
    public static func == (one: MenuTable, other: MenuTable) -> Bool {
        one.units == other.units && one.pieces == other.pieces && one.streams == other.streams
            && one.languages.elementsEqual(other.languages) { $0 == $1 }
    }

    private func chains(language: Int) -> DiscBytes { (languages.first { $0.code == language } ?? languages[0]).chains }

    /// A chain by its number in a language, or in the first one that there is.
    public func chain(_ number: Int, language: Int) -> ProgramChain? {
        let list = chains(language: language)
        return DiscFault.valueOrNil { () throws(DiscFault) in
            guard try 1...max(1, list.short(0)) ~= number else { throw .damaged(Self.name) }
            return try ProgramChain(list.table(at: list.long(8 * number + 4), name: Self.name), pieces: pieces)
        }
    }

    /// The number of the chain that a kind of menu begins with; nil where there is none.
    public func number(of kind: Kind, language: Int) -> Int? {
        let list = chains(language: language)
        return DiscFault.valueOrNil { () throws(DiscFault) in
            for number in 1...max(1, try list.short(0)) {
                let entry = try list.byte(8 * number)
                if entry & 0x80 != 0, entry & 15 == kind.rawValue { return number }
            }
            throw .noMenu
        }
    }

    /// Cells of a menu as a title that plays by itself, with the number 0.
    public func title(chain number: Int, language: Int, cells range: Range<Int>, set: Int) -> DiscTitle? {
        guard let chain = self.chain(number, language: language), !range.isEmpty, chain.cells.indices.contains(range.lowerBound),
            range.upperBound <= chain.cells.count
        else { return nil }
        return DiscTitle(
            id: 0, titleSet: set, numberInSet: 0, cells: Array(chain.cells[range]), audio: streams.audio(of: chain),
            subtitles: streams.subtitles(of: chain), palette: chain.palette, isWide: streams.isWide)
    }
}
