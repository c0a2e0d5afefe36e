import AetherTestSupport
import Testing

@testable import AetherFormats

/// The machine of a Blu-ray disc's menus.
struct HDMVMachineTests {
    typealias Words = [UInt32]

    // Commands by what they do: their first number says the count of operands, the group, which operands are numbers, and the command.
    private static let nop: Words = [0, 0, 0]
    private static func goto(_ line: UInt32) -> Words { [0x2081_0000, line, 0] }
    private static let leave: Words = [0x0002_0000, 0, 0]
    private static func jump(object: UInt32) -> Words { [0x2180_0000, object, 0] }
    private static func jump(title: UInt32) -> Words { [0x2181_0000, title, 0] }
    private static func call(object: UInt32) -> Words { [0x2182_0000, object, 0] }
    private static func call(title: UInt32) -> Words { [0x2183_0000, title, 0] }
    private static let resume: Words = [0x0104_0000, 0, 0]
    private static func play(_ playlist: UInt32) -> Words { [0x2280_0000, playlist, 0] }
    private static func play(_ playlist: UInt32, item: UInt32) -> Words { [0x42C1_0000, playlist, item] }
    private static func play(_ playlist: UInt32, mark: UInt32) -> Words { [0x42C2_0000, playlist, mark] }
    private static let terminate: Words = [0x0203_0000, 0, 0]
    private static func link(item: UInt32) -> Words { [0x2284_0000, item, 0] }
    private static func link(mark: UInt32) -> Words { [0x2285_0000, mark, 0] }
    private static func compare(_ kind: UInt32, register: UInt32, _ number: UInt32) -> Words {
        [0x4840_0000 | kind << 8, register, number]
    }
    private static func set(_ kind: UInt32, register: UInt32, _ number: UInt32) -> Words {
        [0x5040_0000 | kind, register, number]
    }
    private static func set(_ kind: UInt32, register: UInt32, of other: UInt32) -> Words {
        [0x5000_0000 | kind, register, other]
    }
    private static func system(_ kind: UInt32, _ first: UInt32 = 0, _ second: UInt32 = 0) -> Words {
        [0x51C0_0000 | kind, first, second]
    }

    private static func commands(_ words: [Words]) -> [HDMVCommand] { words.map { HDMVCommand($0[0], $0[1], $0[2]) } }

    private static func machine(
        _ lists: [[Words]], first: BluRayIndex.Program = .movieObject(0), menu: BluRayIndex.Program = .movieObject(1),
        titles: [BluRayIndex.Program] = [.movieObject(2), .movieObject(3)]
    ) -> HDMVMachine {
        HDMVMachine(
            index: BluRayIndex(first: first, menu: menu, titles: titles),
            objects: MovieObjects(lists.map { MovieObject(commands: commands($0)) }))
    }

    /// Begins with a trailer and goes to the menu; the menu is playlist 10 and plays round and round, titles are 20 and 30 and lead to the menu.
    private static let disc: [[Words]] = [
        [set(1, register: 7, 3), play(5), jump(title: 0)], [play(10), goto(0)], [play(20), jump(title: 0)],
        [play(30, item: 1), jump(title: 0)], [set(1, register: 9, 1), resume],
    ]

    private static func passage(
        _ playlist: Int, _ start: HDMVPassage.Start = .beginning, title: Int = 0
    ) -> HDMVMachine.Turn { .play(HDMVPassage(playlist: playlist, start: start, title: title)) }

    @Test func tablesAreRead() throws {
        let objects = try MovieObjects(BluRayTables.lists(Self.disc))
        #expect(objects.objects.map(\.commands) == Self.disc.map(Self.commands) && objects.objects.allSatisfy(\.isResumed))
        #expect(objects.playlists(from: [0, 2]) == [5, 20] && objects.playlists(from: [3]) == [30])
        let index = try BluRayIndex(BluRayTables.index(first: 0, menu: 1, titles: [2, 3, nil]))
        #expect(index.program(ofTitle: 0) == .movieObject(1) && index.program(ofTitle: 0xFFFF) == .movieObject(0))
        #expect(index.program(ofTitle: 2) == .movieObject(3) && index.program(ofTitle: 3) == .java("00000"))
        #expect(index.program(ofTitle: 4) == .none && index.program(ofTitle: -1) == .none)
        let bytes = BluRayTables.lists(Self.disc)
        for count in 0..<bytes.count {
            #expect(throws: DiscFault.damaged("list of commands"), "\(count)") { try MovieObjects(Array(bytes.prefix(count))) }
        }
    }

    @Test func aDiscGoesItsWay() {
        var machine = Self.machine(Self.disc)
        #expect(machine.begin() == Self.passage(5, title: 0xFFFF))
        #expect(machine.registers[.title] == 0xFFFF && machine.registers[7] == 3)
        #expect(machine.playlistEnded() == Self.passage(10))
        #expect(machine.playlistEnded() == Self.passage(10), "it goes round")
        #expect(machine.menu() == nil, "it is there")
        #expect(machine.perform(Self.commands([Self.jump(title: 2)])) == Self.passage(30, .item(1), title: 2))
        #expect(machine.registers[.title] == 2 && machine.registers[.playlist] == 30 && machine.registers[.item] == 1)
        #expect(machine.playlistEnded() == Self.passage(10))
        #expect(machine.play(title: 1) == Self.passage(20, title: 1))
        #expect(machine.resume() == nil)
    }

    @Test func aTitleIsLeftForTheMenuAndGoesOn() {
        var machine = Self.machine(Self.disc)
        _ = machine.play(title: 1)
        machine.note(item: 0, time: 4500, chapter: 3)
        machine.note(page: 0, button: 4)
        #expect(machine.menu() == Self.passage(10))
        #expect(machine.registers[0x8000_0024] == 1 && machine.registers[0x8000_0028] == 4500, "the title's are kept")
        machine.note(item: 0, time: 9, chapter: 1)
        let title = HDMVPassage(playlist: 20, title: 1)
        #expect(machine.perform(Self.commands([Self.resume])) == .resume(title))
        #expect(machine.registers[.title] == 1 && machine.registers[.time] == 4500 && machine.registers[.chapter] == 3)
        #expect(machine.registers[.button] == 4 && machine.registers[0x8000_0024] == 0xFFFF)
        #expect(machine.playlistEnded() == Self.passage(10), "behind the playlist it goes on")
        // By the person, and by a call of a button.
        _ = machine.play(title: 1)
        _ = machine.menu()
        #expect(machine.resume() == .resume(title) && machine.resume() == nil)
        #expect(machine.perform(Self.commands([Self.call(object: 4)])) == .resume(title) && machine.registers[9] == 1)
        #expect(machine.perform(Self.commands([Self.call(title: 0)])) == Self.passage(10))
        #expect(machine.resume() == .resume(title))
        #expect(machine.perform(Self.commands([Self.jump(title: 0)])) == Self.passage(10))
        #expect(machine.resume() == nil, "a jump leaves nothing to go back to")
    }

    @Test func aCallComesBackBehindItself() {
        var machine = Self.machine([
            [Self.call(object: 4), Self.set(3, register: 9, 5), Self.play(1)], [], [], [],
            [Self.set(1, register: 9, 1), Self.resume],
        ])
        #expect(machine.begin() == Self.passage(1, title: 0xFFFF) && machine.registers[9] == 6)
    }

    @Test func aTitleThatWasOpenedWithoutMenusIsTaken() {
        var machine = Self.machine(Self.disc)
        machine.adopt(HDMVPassage(playlist: 20, title: 1))
        #expect(machine.passage?.playlist == 20 && machine.registers[.title] == 1)
        #expect(machine.menu() == Self.passage(10))
        #expect(machine.resume() == .resume(HDMVPassage(playlist: 20, title: 1)))
        #expect(machine.playlistEnded() == Self.passage(10), "its list goes on behind the playlist")
        // A playlist of no title.
        machine.adopt(HDMVPassage(playlist: 77, title: 9))
        #expect(machine.menu() == Self.passage(10))
        #expect(machine.resume() == .resume(HDMVPassage(playlist: 77, title: 9)))
        #expect(machine.playlistEnded() == .stop(nil))
    }

    @Test func buttonsSpeakToTheirPage() {
        var machine = Self.machine(Self.disc)
        _ = machine.play(title: 1)
        let shows = [
            Self.system(4, 5), Self.system(5, 6), Self.system(8), Self.system(9), Self.system(7),
            Self.system(3, 0x8000_0007, 0x8000_0002),
            Self.set(1, register: 1, 1),
        ]
        #expect(machine.perform(Self.commands(shows)) == .stay)
        #expect(
            machine.takeOrders() == [
                .enable(5), .disable(6), .still(true), .still(false), .popUpOff, .show(page: 2, button: 7),
            ])
        #expect(machine.takeOrders().isEmpty && machine.registers[1] == 0, "behind another page nothing is carried out")
        #expect(machine.perform(Self.commands([Self.link(item: 1), Self.link(mark: 4)])) == .seek(.mark(4)))
        #expect(machine.perform(Self.commands([Self.link(item: 1)])) == .seek(.item(1)))
        #expect(machine.perform([]) == .stay)
        #expect(machine.perform(Self.commands([Self.play(9)])) == .stay, "a button plays no other playlist")
        #expect(machine.perform(Self.commands([Self.terminate])) == Self.passage(10))
        // A register of a page: its bits above stay the command's.
        #expect(machine.perform(Self.commands([Self.set(1, register: 3, 9), [0x5100_0003, 0x8000_0003, 0]])) == .stay)
        #expect(machine.takeOrders() == [.show(page: nil, button: 9)])
        // Outside of a page.
        machine = Self.machine([[Self.system(3, 0x8000_0007, 0x8000_0002), Self.system(4, 5), Self.link(item: 2), Self.play(1)]])
        #expect(machine.begin() == Self.passage(1, title: 0xFFFF) && machine.takeOrders().isEmpty)
        #expect(machine.registers[.button] == 7 && machine.registers[.page] == 2)
    }

    /// Register 1 behind commands: at first it holds 12, and register 2 holds 5.
    @Test(
        arguments: [
            (set(1, register: 1, 7), 7), (set(2, register: 1, of: 2), 5), (set(3, register: 1, 5), 17),
            (set(3, register: 1, .max), .max), (set(4, register: 1, 5), 7), (set(4, register: 1, 50), 0),
            (set(5, register: 1, 5), 60), (set(5, register: 1, 0x8000_0000), .max), (set(6, register: 1, 5), 2),
            (set(6, register: 1, 0), .max), (set(7, register: 1, 5), 2), (set(7, register: 1, 0), .max),
            (set(8, register: 1, 1), 1), (set(8, register: 1, 0), 0), (set(9, register: 1, 10), 8), (set(10, register: 1, 3), 15),
            (set(11, register: 1, 6), 10), (set(12, register: 1, 0), 13), (set(12, register: 1, 31), 0x8000_000C),
            (set(12, register: 1, 32), 12), (set(13, register: 1, 2), 8), (set(14, register: 1, 4), 192),
            (set(14, register: 1, 40), 0), (set(15, register: 1, 2), 3), (set(15, register: 1, 99), 0),
            (set(3, register: 1, of: 2), 17), (set(16, register: 1, 9), 12), (set(1, register: 4096, 9), 12),
            (set(1, register: 0x8000_0001, 9), 12), ([0x50C0_0001, 1, 9], 12), ([0x3040_0001, 1, 9], 12),
            // bc, eq, ne, ge, gt, le, lt: where it does not hold, the next command is left out.
            (compare(1, register: 1, 0x1C), 1), (compare(1, register: 1, 4), 12), (compare(2, register: 1, 12), 1),
            (compare(2, register: 1, 13), 12), (compare(3, register: 1, 13), 1), (compare(3, register: 1, 12), 12),
            (compare(4, register: 1, 12), 1), (compare(4, register: 1, 13), 12), (compare(5, register: 1, 11), 1),
            (compare(5, register: 1, 12), 12), (compare(6, register: 1, 12), 1), (compare(6, register: 1, 11), 12),
            (compare(7, register: 1, 13), 1), (compare(7, register: 1, 12), 12), (compare(2, register: 0x8000_0004, 0xFFFF), 1),
            (goto(4), 12), (goto(3), 1), (nop, 1),
        ] as [([UInt32], UInt32)])
    func commandsChangeRegisters(_ words: [UInt32], _ value: UInt32) {
        // A change is followed by the playlist, everything else by a change: the lines count from 0.
        let behind = words[0] >> 27 & 3 == 2 ? [] : [Self.set(1, register: 1, 1)]
        let start = [Self.set(1, register: 1, 12), Self.set(1, register: 2, 5)]
        var machine = Self.machine([start + [words] + behind + [Self.play(1)]])
        #expect(machine.begin() == Self.passage(1, title: 0xFFFF))
        #expect(machine.registers[1] == value)
        if words == Self.set(2, register: 1, of: 2) { #expect(machine.registers[2] == 12) }
    }

    @Test func streamsAreChosen() {
        var machine = Self.machine([[Self.system(1, 0x8002_C003, 0x8001_8002), Self.play(1)]])
        #expect(machine.streams.audio == nil && machine.streams.subtitles == nil && machine.streams.angle == 1)
        _ = machine.begin()
        let streams = machine.streams
        #expect(streams.audio == 2 && streams.subtitles?.number == 3 && streams.subtitles?.isShown == true && streams.angle == 2)
        // By registers: the flags are the command's.
        machine = Self.machine([
            [
                Self.set(1, register: 1, 3), Self.set(1, register: 2, 4), [0x5100_0001, 0x8001_8002, 0],
                Self.system(6, 0xC085_0001, 0x8002_8003), Self.play(1),
            ]
        ])
        _ = machine.begin()
        #expect(
            machine.streams.audio == 3 && machine.streams.subtitles?.number == 4 && machine.streams.subtitles?.isShown == false)
        #expect(machine.registers[.secondary] == 0x8500_0102 && machine.registers[.subtitles] >> 16 & 0xFFF == 3)
        machine.note(audio: 2, subtitles: nil, areShown: true)
        #expect(machine.streams.audio == 2 && machine.streams.subtitles?.isShown == true)
    }

    @Test func aTimerLeadsOn() {
        var machine = Self.machine([[Self.system(2, 1, 20), Self.play(1)], [Self.play(2)]])
        #expect(machine.advance(to: 100) == nil)
        _ = machine.begin()
        #expect(machine.advance(to: 105) == nil && machine.registers[.timer] == 15)
        #expect(machine.advance(to: 130) == Self.passage(2, title: 0xFFFF))
        #expect(machine.advance(to: 200) == nil)
        #expect(machine.perform(Self.commands([Self.system(2, 1, 20), Self.system(2, 1, 0)])) == .stay)
        #expect(machine.advance(to: 300) == nil && machine.registers[.timer] == 0)
        #expect(machine.perform(Self.commands([Self.system(2, 9, 20), Self.system(2, 1, 301)])) == .stay)
        #expect(machine.advance(to: 900) == nil)
    }

    @Test func whereThereIsNothingPlayingEnds() {
        var machine = Self.machine([[Self.nop]])
        #expect(machine.begin() == .stop(nil) && machine.playlistEnded() == .stop(nil))
        #expect(machine.play(title: 1) == .stop(.damaged("list of commands")) && machine.play(title: 7) == .stop(.noMenu))
        #expect(machine.play(title: 0) == .stop(.damaged("list of commands")))
        machine = Self.machine(Self.disc, first: .none)
        #expect(machine.begin() == Self.passage(10), "its menu where it says no beginning")
        machine = Self.machine(Self.disc, first: .none, menu: .none)
        #expect(machine.begin() == Self.passage(20, title: 1) && machine.menu() == nil)
        machine = Self.machine(Self.disc, menu: .java("00000"))
        #expect(machine.begin() == Self.passage(5, title: 0xFFFF) && machine.playlistEnded() == .stop(.java))
        #expect(machine.menu() == nil)
        // Jumps to what there is not are left out.
        machine = Self.machine([
            [Self.jump(object: 9), Self.jump(title: 9), Self.call(object: 9), Self.call(title: 9), Self.resume, Self.play(1)]
        ])
        #expect(machine.begin() == Self.passage(1, title: 0xFFFF))
        machine = Self.machine([[Self.leave, Self.play(1)]])
        #expect(machine.begin() == .stop(nil))
    }

    @Test(arguments: [goto(0), jump(object: 0), jump(title: 0xFFFF), call(object: 0), call(title: 0xFFFF)])
    func circlesEnd(_ command: [UInt32]) {
        var machine = Self.machine([[command]])
        #expect(machine.begin() == .stop(.endless))
        #expect(
            machine.perform(Self.commands([command])) == .stop(.endless) || machine.perform(Self.commands([command])) == .stay)
    }

    /// Whatever the commands say, each turn ends, and settings of the player stay.
    @Test func anyCommandsAreBounded() {
        var turns = 0
        for seed in 0..<500 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            func word() -> UInt32 { UInt32(truncatingIfNeeded: random.next()) }
            func some() -> [HDMVCommand] {
                (0..<random.below(8)).map { _ in
                    // Mostly commands that mean something.
                    let head = random.below(4) == 0 ? word() : word() & 0x1FCF_0F1F | 0x4000_0000
                    func operand() -> UInt32 { random.below(3) == 0 ? word() : UInt32(random.below(9)) }
                    return HDMVCommand(head, operand(), operand())
                }
            }
            let objects = MovieObjects((0..<6).map { _ in MovieObject(isResumed: random.below(2) == 0, commands: some()) })
            let programs = (0..<5).map { _ in BluRayIndex.Program.movieObject(random.below(7)) }
            var machine = HDMVMachine(
                index: BluRayIndex(first: programs[0], menu: programs[1], titles: Array(programs[2...])), objects: objects)
            var turn = machine.begin()
            for step in 0..<20 {
                if case .play(let passage) = turn {
                    turns += 1
                    #expect(0...99_999 ~= passage.playlist && machine.passage == passage)
                }
                switch random.below(5) {
                case 0: turn = machine.playlistEnded()
                case 1: turn = machine.menu() ?? .stay
                case 2: turn = machine.resume() ?? machine.play(title: random.below(5))
                case 3: turn = machine.advance(to: step * 40) ?? .stay
                default: turn = machine.perform(some())
                }
                #expect(machine.takeOrders().count <= HDMVMachine.orderLimit)
                let streams = machine.streams
                #expect(1...9 ~= streams.angle && 1...32 ~= streams.audio ?? 1)
            }
            #expect(machine.registers[0x8000_001F] == 0x0002_0200 && machine.registers[0x8000_0014] == 2)
        }
        #expect(turns > 20, "\(turns)")
    }
}
