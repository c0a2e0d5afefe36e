/// The chains of a disc as its machine asks for them. What is not there, or cannot be read, is nil. Pure.
public protocol DiscTables: Sendable {
    /// The chain that a disc begins with.
    var firstPlay: ProgramChain? { get }
    /// A chain by its number in a part of the disc; menus in a language.
    func chain(_ number: Int, in space: DiscPassage.Space, language: Int) -> ProgramChain?
    /// The number of the chain that a kind of menu begins with.
    func menu(_ kind: MenuTable.Kind, in space: DiscPassage.Space, language: Int) -> Int?
    /// Where a title lies, by the disc's number.
    func place(ofTitle number: Int) -> VideoManager.Entry?
    /// The disc's number of a title of a set.
    func title(_ numberInSet: Int, ofSet set: Int) -> Int?
    /// The chain and its program that a chapter of a title of a set begins with.
    func part(_ part: Int, ofTitle numberInSet: Int, set: Int) -> (chain: Int, program: Int)?
    /// The number in its set of the title that a chain belongs to.
    func title(ofChain number: Int, set: Int) -> Int?
}

/// The tables of a DVD, read once.
public struct VideoTables: DiscTables {
    /// The manager's.
    public let manager: VideoManager
    /// Those of the title sets, by their numbers.
    public let sets: [Int: TitleSet]

    /// The tables of a disc.
    public init(manager: VideoManager, sets: [Int: TitleSet]) { (self.manager, self.sets) = (manager, sets) }

    /// Whether there is a menu anywhere.
    public var hasMenus: Bool { manager.menus != nil || sets.values.contains { $0.menus != nil } }

    /// The manager's first chain.
    public var firstPlay: ProgramChain? { manager.firstPlay }

    private func menus(of space: DiscPassage.Space) -> MenuTable? {
        switch space {
        case .manager: manager.menus
        case .menus(let set): sets[set]?.menus
        case .firstPlay, .titles: nil
        }
    }

    /// A chain by its number in a part of the disc.
    public func chain(_ number: Int, in space: DiscPassage.Space, language: Int) -> ProgramChain? {
        switch space {
        case .firstPlay: firstPlay
        case .titles(let set): sets[set]?.chain(number)
        case .manager, .menus: menus(of: space)?.chain(number, language: language)
        }
    }

    /// The number of the chain that a kind of menu begins with.
    public func menu(_ kind: MenuTable.Kind, in space: DiscPassage.Space, language: Int) -> Int? {
        menus(of: space)?.number(of: kind, language: language)
    }

    /// Where a title lies, by the disc's number.
    public func place(ofTitle number: Int) -> VideoManager.Entry? {
        manager.entries.indices.contains(number - 1) ? manager.entries[number - 1] : nil
    }

    /// The disc's number of a title of a set.
    public func title(_ numberInSet: Int, ofSet set: Int) -> Int? {
        manager.entries.firstIndex { $0.titleSet == set && $0.numberInSet == numberInSet }.map { $0 + 1 }
    }

    /// The chain and its program that a chapter of a title of a set begins with.
    public func part(_ part: Int, ofTitle numberInSet: Int, set: Int) -> (chain: Int, program: Int)? {
        sets[set]?.part(part, ofTitle: numberInSet)
    }

    /// The number in its set of the title that a chain belongs to.
    public func title(ofChain number: Int, set: Int) -> Int? { sets[set]?.title(ofChain: number) }

    /// A passage as a title that plays by itself; nil where its tables are damaged.
    public func title(of passage: DiscPassage) -> DiscTitle? {
        switch passage.space {
        case .firstPlay: return nil
        case .titles(let set):
            guard let title = passage.title, let entry = place(ofTitle: title) else { return nil }
            return sets[set]?.title(title, at: entry, chain: passage.chain, cells: passage.cells)
        case .manager: return manager.menus?.title(chain: passage.chain, language: passage.language, cells: passage.cells, set: 0)
        case .menus(let set):
            return sets[set]?.menus?.title(chain: passage.chain, language: passage.language, cells: passage.cells, set: set)
        }
    }

    /// The first sectors of the units of a part of the disc, ascending.
    public func units(of space: DiscPassage.Space) -> [Int] {
        switch space {
        case .firstPlay: []
        case .titles(let set): sets[set]?.units ?? []
        case .manager, .menus: menus(of: space)?.units ?? []
        }
    }
}
