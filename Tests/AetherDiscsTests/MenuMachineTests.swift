import AetherCore
import AetherTestSupport
import Testing

@testable import AetherFormats

/// Chains that a test writes by hand.
struct HandwrittenTables: DiscTables {
    var firstPlay: ProgramChain?
    var chains: [DiscPassage.Space: [ProgramChain]] = [:]
    var menus: [DiscPassage.Space: [MenuTable.Kind: Int]] = [:]

    func chain(_ number: Int, in space: DiscPassage.Space, language: Int) -> ProgramChain? {
        if space == .firstPlay { return firstPlay }
        let list = chains[space] ?? []
        return list.indices.contains(number - 1) ? list[number - 1] : nil
    }
    func menu(_ kind: MenuTable.Kind, in space: DiscPassage.Space, language: Int) -> Int? { menus[space]?[kind] }
    /// Title n is the one of set n.
    func place(ofTitle number: Int) -> VideoManager.Entry? {
        chains[.titles(set: number)].map { _ in VideoManager.Entry(titleSet: number, numberInSet: 1) }
    }
    func title(_ numberInSet: Int, ofSet set: Int) -> Int? { numberInSet == 1 ? set : nil }
    /// Chapters are the programs of the first chain.
    func part(_ part: Int, ofTitle numberInSet: Int, set: Int) -> (chain: Int, program: Int)? {
        let chain = chains[.titles(set: set)]?.first
        return chain.map { 1...max(1, $0.programs.count) ~= part } ?? false ? (1, part) : nil
    }
    func title(ofChain number: Int, set: Int) -> Int? {
        chains[.titles(set: set)]?.indices.contains(number - 1) ?? false ? 1 : nil
    }
}

/// The machine of a DVD's menus, with commands as a disc has them.
struct MenuMachineTests {
    private static func cell(_ number: Int, still: Int = 0, command: Int = 0, angle: Int = 0) -> DiscCell {
        DiscCell(
            object: 1, number: number, angle: angle, extents: [number * 10..<number * 10 + 10], lastUnit: number * 10,
            duration: .seconds(10), still: still, command: command)
    }

    private static func commands(_ bits: UInt64...) -> [MenuCommand] { bits.map { MenuCommand(bits: $0) } }

    /// A menu in the manager, one in set 1, and a title of three cells.
    private static func tables() -> HandwrittenTables {
        var tables = HandwrittenTables()
        // JumpSS VMGM menu 2.
        tables.firstPlay = ProgramChain(before: commands(0x3006_0000_0042_0000))
        tables.chains[.manager] = [ProgramChain(cells: [cell(1, still: 255)])]
        tables.chains[.menus(set: 1)] = [
            ProgramChain(cells: [cell(1)], behind: commands(0x2001_0000_0000_0009)),
            ProgramChain(cells: [cell(1, still: 5)], upper: 1),
        ]
        tables.chains[.titles(set: 1)] = [
            // CallSS VTSM root, back at the present cell.
            ProgramChain(cells: [cell(1), cell(2), cell(3)], programs: [0, 1], behind: commands(0x3008_0000_0083_0000))
        ]
        tables.menus = [.manager: [.title: 1], .menus(set: 1): [.root: 1]]
        return tables
    }

    private static func passage(_ space: DiscPassage.Space, _ chain: Int = 1, cells: Int = 1, start: Int = 0, still: Int = 0)
        -> DiscPassage
    {
        let isMenu = space.isMenu
        return DiscPassage(
            space: space, chain: chain, language: isMenu ? 0x656E : 0, title: isMenu ? nil : 1, cells: 0..<cells, start: start,
            still: still)
    }

    private static let menu = passage(.manager, still: 255), root = passage(.menus(set: 1)),
        title = passage(.titles(set: 1), cells: 3)

    @Test func aDiscBeginsWithItsMenu() {
        var machine = MenuMachine(tables: Self.tables())
        #expect(machine.begin() == .play(Self.menu))
        // JumpTT 1.
        #expect(machine.perform(MenuCommand(bits: 0x3002_0000_0001_0000), at: 0) == .play(Self.title))
        #expect(machine.passageEnded() == .play(Self.root), "its last command calls the menu")
        #expect(machine.passageEnded() == .play(Self.root), "which goes round")
    }

    @Test func aTitleIsGoneBackTo() {
        var machine = MenuMachine(tables: Self.tables())
        #expect(machine.play(title: 1) == .play(Self.title))
        #expect(machine.menu(.root, from: 2) == .play(Self.root))
        // RSM, with button 3.
        let back = DiscPassage(space: .titles(set: 1), chain: 1, title: 1, cells: 0..<3, start: 2)
        #expect(machine.perform(MenuCommand(bits: 0x2001_0000_0000_0C10), at: 0) == .resume(back))
        #expect(machine.resume() == nil, "a title is played")
        #expect(machine.menu(.audio, from: 1) == .play(Self.root), "a menu that there is not is the first one")
        #expect(machine.resume() == .resume(Self.passage(.titles(set: 1), cells: 3, start: 1)))
    }

    @Test func upIsTheChainAbove() {
        var machine = MenuMachine(tables: Self.tables())
        _ = machine.begin()
        #expect(machine.goUp(from: 0) == nil, "nothing lies above the manager's menu")
        // JumpSS VTSM 1, title 1, root; then LinkPGCN 2.
        #expect(machine.perform(MenuCommand(bits: 0x3006_0001_0183_0000), at: 0) == .play(Self.root))
        #expect(
            machine.perform(MenuCommand(bits: 0x2004_0000_0000_0002), at: 0) == .play(Self.passage(.menus(set: 1), 2, still: 5)))
        #expect(machine.goUp(from: 0) == .play(Self.root))
        #expect(machine.goUp(from: 0) == .play(Self.menu))
    }

    @Test(
        arguments: [
            // LinkTopC, LinkNextC, LinkPrevC, LinkTopPG, LinkNextPG, LinkPGN 2, LinkCN 3, LinkTopPGC, each from cell 1.
            (0x2001_0000_0000_0001, 1), (0x2001_0000_0000_0002, 2), (0x2001_0000_0000_0003, 0), (0x2001_0000_0000_0005, 1),
            (0x2001_0000_0000_0007, 0), (0x2006_0000_0000_0002, 1), (0x2007_0000_0000_0003, 2), (0x2001_0000_0000_0009, 0),
            // JumpVTS_PTT title 1 part 2, LinkPTTN 2.
            (0x3005_0002_0001_0000, 1), (0x2005_0000_0000_0002, 1),
        ] as [(UInt64, Int)])
    func linksLeadToCells(_ bits: UInt64, start: Int) {
        var machine = MenuMachine(tables: Self.tables())
        _ = machine.play(title: 1)
        #expect(machine.perform(MenuCommand(bits: bits), at: 1) == .play(Self.passage(.titles(set: 1), cells: 3, start: start)))
    }

    @Test func linksWithoutATargetChangeNothing() {
        var machine = MenuMachine(tables: Self.tables())
        _ = machine.play(title: 1)
        // LinkNextPGC, LinkPGN 9, LinkPTTN 9, NOP, a kind that there is not; LinkNoLink with button 2.
        for bits in [0x2001_0000_0000_000A, 0x2006_0000_0000_0009, 0x2005_0000_0000_0009, 0, 0xE000_0000_0000_0000] as [UInt64] {
            #expect(machine.perform(MenuCommand(bits: bits), at: 1) == .stay)
        }
        #expect(machine.perform(MenuCommand(bits: 0x2001_0000_0000_0800), at: 1) == .stay && machine.button == 2)
        #expect(machine.perform(MenuCommand(bits: 0x3001_0000_0000_0000), at: 1) == .stop(nil), "Exit")
        #expect(machine.perform(MenuCommand(bits: 0x3002_0000_0009_0000), at: 1) == .stop(.damaged("list of titles")))
        #expect(machine.perform(MenuCommand(bits: 0x3006_0001_0983_0000), at: 1) == .stop(.noMenu), "a set that there is not")
    }

    /// Registers behind commands: (register, value).
    @Test(
        arguments: [
            // g1 = 7; g1 += 5; g1 -= 20 stays at zero; g1 = 60000, g1 *= 2 stays in range; g1 = 7, g1 /= 2; g1 %= 4.
            ([0x7100_0001_0007_0000], 1, 7), ([0x7100_0001_0007_0000, 0x7300_0001_0005_0000], 1, 12),
            ([0x7100_0001_0007_0000, 0x7400_0001_0014_0000], 1, 0),
            ([0x7100_0001_EA60_0000, 0x7500_0001_0002_0000], 1, 0xFFFF),
            ([0x7100_0001_0007_0000, 0x7600_0001_0002_0000], 1, 3), ([0x7100_0001_0007_0000, 0x7700_0001_0004_0000], 1, 3),
            ([0x7100_0001_0007_0000, 0x7600_0001_0000_0000], 1, 0xFFFF),
            // and, or, exclusive or; g2 = g1; g1 <-> g2.
            ([0x7100_0001_0007_0000, 0x7900_0001_0005_0000], 1, 5), ([0x7100_0001_0007_0000, 0x7A00_0001_0008_0000], 1, 15),
            ([0x7100_0001_0007_0000, 0x7B00_0001_0002_0000], 1, 5), ([0x7100_0001_0007_0000, 0x6100_0002_0001_0000], 2, 7),
            ([0x7100_0001_0007_0000, 0x6200_0001_0002_0000], 2, 7), ([0x7100_0001_0007_0000, 0x6200_0001_0002_0000], 1, 0),
            // if (g1 == 7) g2 = 1, and if (g1 != 7).
            ([0x7100_0001_0007_0000, 0x71A0_0102_0001_0007], 2, 1), ([0x7100_0001_0007_0000, 0x71B0_0102_0001_0007], 2, 0),
            // The audio track, the button, a counter.
            ([0x5100_0081_0000_0000], 0x81, 1), ([0x5600_0000_0C00_0000], 0x88, 0x0C00), ([0x5300_0009_0080_0003], 3, 0),
            // Goto line 3 over line 2; Break.
            ([0x0001_0000_0000_0003, 0x7100_0001_0007_0000, 0], 1, 0), ([0x0002_0000_0000_0000, 0x7100_0001_0007_0000], 1, 0),
        ] as [([UInt64], Int, Int)])
    func commandsSetRegisters(_ bits: [UInt64], register: Int, value: Int) {
        var tables = Self.tables()
        tables.firstPlay = ProgramChain(before: bits.map { MenuCommand(bits: $0) } + Self.commands(0x3006_0000_0042_0000))
        var machine = MenuMachine(tables: tables)
        #expect(machine.begin() == .play(Self.menu) || bits.first == 0x0002_0000_0000_0000)
        #expect(machine.registers[register] == value)
    }

    @Test func countersCountSeconds() {
        var registers = MenuRegisters()
        registers.advance(to: 100)
        registers.set(counter: 3, to: 9, counts: true)
        registers.advance(to: 105)
        #expect(registers[3] == 14)
        registers.set(counter: 3, to: 9, counts: false)
        registers.advance(to: 200)
        #expect(registers[3] == 9)
    }

    @Test func commandsOfCellsAndStillsEndPassages() {
        var tables = Self.tables()
        tables.chains[.titles(set: 1)] = [
            ProgramChain(
                cells: [Self.cell(1), Self.cell(2, command: 1), Self.cell(3, still: 4), Self.cell(4)],
                // if (g1 == 1) LinkCN 4
                ofCells: Self.commands(0x20A7_0001_0001_0004), still: 9)
        ]
        var machine = MenuMachine(tables: tables)
        func passage(_ cells: Range<Int>, still: Int = 0) -> MenuMachine.Turn {
            .play(DiscPassage(space: .titles(set: 1), chain: 1, title: 1, cells: cells, still: still))
        }
        #expect(machine.play(title: 1) == passage(0..<2))
        #expect(machine.passageEnded() == passage(2..<3, still: 4))
        #expect(machine.passageEnded() == passage(3..<4, still: 9))
        #expect(machine.passageEnded() == .stop(nil))
        _ = machine.play(title: 1)
        _ = machine.perform(MenuCommand(bits: 0x7100_0001_0001_0000), at: 0)
        #expect(machine.passageEnded() == passage(3..<4, still: 9), "the cell's command leads over the third")
    }

    @Test func anglesAreOnePlace() {
        var tables = Self.tables()
        tables.chains[.titles(set: 1)] = [
            ProgramChain(cells: [Self.cell(1), Self.cell(2, angle: 1), Self.cell(3, angle: 2), Self.cell(4)])
        ]
        var machine = MenuMachine(tables: tables)
        _ = machine.play(title: 1)
        #expect(
            machine.perform(MenuCommand(bits: 0x2001_0000_0000_0002), at: 1)
                == .play(Self.passage(.titles(set: 1), cells: 4, start: 3)))
        #expect(
            machine.perform(MenuCommand(bits: 0x2001_0000_0000_0003), at: 3)
                == .play(Self.passage(.titles(set: 1), cells: 4, start: 1)))
    }

    /// A disc that leads nowhere ends after so many commands.
    @Test(
        arguments: [
            // Goto line 1; LinkTopPGC; JumpSS FP.
            0x0001_0000_0000_0001, 0x2001_0000_0000_0009, 0x3006_0000_0000_0000,
        ] as [UInt64])
    func circlesEnd(_ bits: UInt64) {
        var tables = Self.tables()
        tables.firstPlay = ProgramChain(before: Self.commands(bits))
        var machine = MenuMachine(tables: tables)
        #expect(machine.begin() == .stop(.endless) || machine.begin() == .stop(nil))
    }

    /// Whatever the commands say, each turn ends, and passages lie in their chains.
    @Test func anyCommandsAreBounded() {
        var turns = 0
        for seed in 0..<3000 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            func some() -> [MenuCommand] {
                (0..<random.below(6)).map { _ in
                    var bits = random.next()
                    // Mostly commands that mean something.
                    if random.below(4) > 0 { bits = bits & 0x0F8F_0003_000F_00FF | UInt64(random.below(8)) << 60 }
                    return MenuCommand(bits: bits)
                }
            }
            var tables = Self.tables()
            tables.firstPlay = ProgramChain(before: some())
            for space in [.manager, .menus(set: 1), .titles(set: 1)] as [DiscPassage.Space] {
                tables.chains[space] = (0..<3).map { _ in
                    let cells = (1..<1 + random.below(4)).map {
                        Self.cell($0, still: random.below(2), command: random.below(3), angle: random.below(3))
                    }
                    return ProgramChain(
                        cells: cells, before: some(), behind: some(), ofCells: some(), next: random.below(5),
                        former: random.below(5), upper: random.below(5))
                }
            }
            var machine = MenuMachine(tables: tables)
            var turn = machine.begin()
            for _ in 0..<20 {
                if case .play(let passage) = turn {
                    turns += 1
                    let cells = tables.chain(passage.chain, in: passage.space, language: 0)?.cells.count ?? 0
                    #expect(passage.cells.upperBound <= cells && passage.cells.contains(passage.start))
                }
                switch random.below(4) {
                case 0: turn = machine.passageEnded()
                case 1: turn = machine.menu(.root, from: random.below(4)) ?? .stay
                case 2: turn = machine.goUp(from: random.below(4)) ?? machine.resume() ?? .stay
                default: turn = machine.perform(MenuCommand(bits: random.next()), at: random.below(4))
                }
            }
        }
        #expect(turns > 3000)
    }
}
