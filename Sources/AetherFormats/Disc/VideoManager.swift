/// The list of a DVD's titles, as VIDEO_TS.IFO has it. Pure.
public struct VideoManager: Sendable, Equatable {
    /// Where a title lies.
    public struct Entry: Sendable, Equatable {
        /// The title set, from 1, and the title's number in it, from 1.
        public let titleSet, numberInSet: Int
        /// Angles, at least 1.
        public let angleCount: Int

        /// A place.
        public init(titleSet: Int, numberInSet: Int, angleCount: Int = 1) {
            (self.titleSet, self.numberInSet, self.angleCount) = (titleSet, numberInSet, angleCount)
        }
    }

    /// The bytes that the file begins with.
    public static let magic = "DVDVIDEO-VMG"
    /// The titles in the disc's order: title 1 first. At most 99.
    public let entries: [Entry]
    /// The chain that a disc begins with; nil where it has none.
    public let firstPlay: ProgramChain?
    /// The menus beside those of the title sets; nil where there are none, or they cannot be read.
    public let menus: MenuTable?

    /// Reads the file.
    public init(_ file: [UInt8]) throws(DiscFault) {
        let name = "list of titles"
        let bytes = DiscBytes(file, name: name)
        guard bytes.hasPrefix(Self.magic), let table = try bytes.table(sectorAt: 0xC4, name: name) else { throw .damaged(name) }
        let count = try table.short(0)
        guard 1...99 ~= count else { throw .damaged(name) }
        var entries: [Entry] = []
        for number in 0..<count {
            let place = 8 + number * 12
            let entry = try Entry(
                titleSet: table.byte(place + 6), numberInSet: table.byte(place + 7), angleCount: table.byte(place + 1))
            guard 1...99 ~= entry.titleSet, 1...99 ~= entry.numberInSet, 0...9 ~= entry.angleCount else { throw .damaged(name) }
            entries.append(
                Entry(titleSet: entry.titleSet, numberInSet: entry.numberInSet, angleCount: max(1, entry.angleCount)))
        }
        self.entries = entries
        firstPlay = MenuTable.firstPlay(bytes)
        menus = MenuTable(bytes, chains: 0xC8, cells: 0xD8, units: 0xDC)
    }
}
