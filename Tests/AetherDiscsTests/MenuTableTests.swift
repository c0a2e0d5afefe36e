import AetherCore
import AetherSources
import AetherTestSupport
import Foundation
import Testing

@testable import AetherDiscs
@testable import AetherFormats

/// The menus of a disc as dvdauthor makes them.
@Suite(.enabled(if: DVDFixture.isPossible, Comment(rawValue: DVDFixture.missing)))
struct MenuTableTests {
    private func disc() throws -> DVD { try #require(try DVD(image: FileReader(path: MenuFixture.made().image))) }

    private func passage(_ turn: MenuMachine.Turn) throws -> DiscPassage {
        guard case .play(let passage) = turn else { throw DiscError.disc(.noMenu) }
        return passage
    }

    private func machine(_ language: String = "en") throws -> MenuMachine {
        MenuMachine(tables: try disc().tables, language: language)
    }

    /// All sectors of a passage.
    private func sectors(_ passage: DiscPassage) throws -> [[UInt8]] {
        let reader = try disc().reader(passage)
        let bytes = try reader.bytes(limit: 8 << 20).dropFirst(reader.preamble.count)
        return stride(from: bytes.startIndex, to: bytes.endIndex - 2047, by: 2048).map { Array(bytes[$0..<$0 + 2048]) }
    }

    @Test func theDiscBeginsWithTheMenuInItsLanguage() throws {
        var english = try machine(), german = try machine("de"), other = try machine("sv")
        let first = try passage(english.begin())
        #expect(first.space == .manager && first.chain == 1 && first.still == 255 && first.title == nil)
        #expect(english.registers[2] == 3, "its first command sets a register")
        let others = try [passage(german.begin()), passage(other.begin())]
        let counts = try ([first] + others).map { passage in
            try sectors(passage).lazy.compactMap { MenuPage(sector: $0, isWide: false) }.first?.buttons.count
        }
        #expect(counts == [3, 2, 3], "a language that there is not is the first one")
    }

    @Test func buttonsLieWhereTheyWereDrawn() throws {
        var machine = try machine()
        let sectors = try sectors(passage(machine.begin()))
        let pages = sectors.compactMap { MenuPage(sector: $0, isWide: false) }
        #expect(pages.count >= 2 && pages.allSatisfy { $0.buttons == pages[0].buttons && $0.start == pages[0].start })
        let page = try #require(pages.first)
        for number in 1...3 {
            let place = MenuFixture.place(ofButton: number), button = try #require(page.button(number))
            #expect(abs(button.columns.lowerBound - place.x) <= 2 && abs(button.columns.upperBound - place.x - 200) <= 2)
            #expect(abs(button.rows.lowerBound - place.y) <= 2 && abs(button.rows.upperBound - place.y - 40) <= 2)
            #expect(button.down == number % 3 + 1 && button.up == (number + 1) % 3 + 1 && !button.actsAtOnce)
            #expect(page.button(column: place.x + 100, row: place.y + 20) == number)
        }
        #expect(page.button(4) == nil && page.button(0) == nil && page.button(column: 10, row: 10) == nil)
        let set = try #require(page.button(1)?.colours)
        #expect(page.colours[set].selected != page.colours[set].activated)
    }

    @Test func theSubtitleBelowHasItsPixels() throws {
        var machine = try machine()
        let sectors = try sectors(passage(machine.begin()))
        let sector = try #require(
            sectors.first { $0[14..<18] == [0, 0, 1, 0xBD] && $0[23 + Int($0[22])] == 0x20 })
        let start = 24 + Int(sector[22]), count = Int(sector[start]) << 8 | Int(sector[start + 1])
        let picture = try #require(Subpicture(Array(sector[start..<start + count])))
        #expect(picture.isForced && picture.begin == 0)
        func value(_ x: Int, _ y: Int) -> Int { Int(picture.pixels[(y - picture.y) * picture.width + x - picture.x]) }
        let inside = value(200, 120)
        #expect(picture.strengths[inside] == 15)
        #expect(value(200, 220) == inside && value(200, 320) == inside)
        #expect(picture.strengths[value(200, 160)] == 0, "between the buttons nothing is seen")
    }

    @Test func buttonsLeadOn() throws {
        var machine = try machine()
        let first = try passage(machine.begin())
        let page = try #require(try sectors(first).lazy.compactMap { MenuPage(sector: $0, isWide: false) }.first)
        func press(_ number: Int, of page: MenuPage) throws -> MenuMachine.Turn {
            let button = try #require(page.button(number))
            return machine.perform(button.command, at: 0)
        }
        let sub = try passage(press(3, of: page))
        #expect(sub.space == .manager && sub.chain == 2 && sub.still == 0)
        #expect(try passage(machine.passageEnded()).isSame(as: sub), "it goes round")
        let second = try #require(try sectors(sub).lazy.compactMap { MenuPage(sector: $0, isWide: false) }.first)
        #expect(try passage(press(2, of: second)).title == 2)
        let root = try passage(machine.passageEnded())
        #expect(root.space == .menus(set: 1) && root.still == 255)
        let rootPage = try #require(try sectors(root).lazy.compactMap { MenuPage(sector: $0, isWide: false) }.first)
        #expect(try passage(press(3, of: rootPage)).isSame(as: first))
        let title = try passage(press(1, of: page))
        #expect(title.title == 1 && title.cells.count == 2)
        #expect(try disc().reader(title).title == disc().titles[0], "a whole title is the one without menus")
        #expect(try passage(machine.passageEnded()).isSame(as: first))
    }

    @Test func theRootMenuChoosesAudioAndGoesBack() throws {
        var machine = try machine()
        #expect(try passage(machine.play(title: 1)).title == 1)
        let turn = machine.menu(.root, from: 1)
        let root = try passage(#require(turn))
        let page = try #require(try sectors(root).lazy.compactMap { MenuPage(sector: $0, isWide: false) }.first)
        let button = try #require(page.button(2))
        guard case .resume(let back) = machine.perform(button.command, at: 0) else {
            Issue.record("not gone back")
            return
        }
        #expect(back.title == 1 && back.start == 1 && machine.streams.audio == 1)
    }

    /// Damage of the tables is no menus, or other ones, never a trap; titles play on.
    @Test func damagedMenusAreBounded() throws {
        let whole = Array(try Data(contentsOf: URL(filePath: MenuFixture.made().image)))
        let tables = stride(from: 0, to: whole.count - 2048, by: 2048).filter {
            whole[$0..<$0 + 8].elementsEqual("DVDVIDEO".utf8)
        }
        var played = 0
        for seed in 0..<400 as Range<UInt64> {
            var random = SeededRandom(seed: seed), image = whole
            for _ in 0...random.below(8) {
                image[tables[random.below(4)] + 0xC0 + random.below(6 * 2048)] = UInt8(truncatingIfNeeded: random.below(256))
            }
            do throws(DiscError) {
                guard let disc = try DVD(image: MemoryReader(image)) else { continue }
                var machine = MenuMachine(tables: disc.tables)
                var turn = machine.begin()
                for _ in 0..<10 {
                    if case .play(let passage) = turn, try disc.reader(passage).size ?? 0 > 0 { played += 1 }
                    turn = machine.passageEnded()
                }
            } catch {
                #expect(!error.reason.isEmpty)
            }
        }
        #expect(played > 200, "the damage leaves most discs something to play")
    }
}
