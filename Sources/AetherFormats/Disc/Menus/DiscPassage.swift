/// Cells of one chain of a disc that are played without anything between them: a menu, a title or a piece of one. Pure.
public struct DiscPassage: Sendable, Equatable {
    /// The parts of a disc that have chains.
    public enum Space: Sendable, Hashable {
        /// Commands alone, with which a disc begins.
        case firstPlay
        /// The menus of all the disc.
        case manager
        /// The menus of a title set.
        case menus(set: Int)
        /// The titles of a title set.
        case titles(set: Int)

        /// A menu, and not a title.
        public var isMenu: Bool {
            switch self {
            case .firstPlay, .manager, .menus: true
            case .titles: false
            }
        }
    }

    /// The part of the disc, and the number of the chain in it.
    public let space: Space
    /// The number of the chain in that.
    public let chain: Int
    /// Its language, where it is a menu: two letters in a number.
    public let language: Int
    /// The title by the disc's number; nil for a menu, and for a chain that is part of none.
    public let title: Int?
    /// The cells that are played, by their places in the chain.
    public let cells: Range<Int>
    /// The cell to begin with.
    public let start: Int
    /// The last frame stays for so many seconds; 255: until a person goes on.
    public let still: Int

    /// The same piece of the disc, whatever it begins with: playing goes to another point of it.
    public func isSame(as other: DiscPassage) -> Bool {
        space == other.space && chain == other.chain && language == other.language && cells == other.cells && still == other.still
    }

    /// A passage.
    public init(
        space: Space, chain: Int, language: Int = 0, title: Int? = nil, cells: Range<Int>, start: Int? = nil, still: Int = 0
    ) {
        (self.space, self.chain, self.language, self.title) = (space, chain, language, title)
        (self.cells, self.start, self.still) = (cells, start ?? cells.lowerBound, still)
    }
}
