import AetherCore
import AetherEngine
import AetherTerminal
import Testing

@testable import AetherUI

/// A menu of chapters with these names.
private func menu(_ names: [String], present: Int? = nil) -> Menu {
    Menu(
        .chapters,
        items: names.enumerated().map { MenuItem($1, isPresent: $0 == present, choice: .chapter($0)) })
}

private func typed(_ text: String, into menu: Menu, from time: Double = 0) -> Menu {
    var menu = menu
    for character in text { menu.type(character, now: at(time)) }
    return menu
}

@Suite struct MenuTests {
    @Test func itStandsOnWhatPlays() {
        #expect(menu(["a", "b", "c"], present: 1).selection == 1)
        #expect(menu(["a", "b"]).selection == 0)
        #expect(Menu(.audio, items: []).selection == -1)
        #expect(Menu(.audio, items: [.heading("x"), .separator]).choice == nil)
    }

    @Test func stepsSkipWhatCannotBeChosenAndGoRound() {
        var menu = Menu(
            .subtitles,
            items: [
                .heading("First"), MenuItem("Off", choice: .subtitleTrack(nil)), .separator, MenuItem("A", choice: .chapter(1)),
                .heading("Second"),
            ])
        #expect(menu.selection == 1 && menu.ordinal == "1/2")
        menu.step(1)
        #expect(menu.selection == 3 && menu.ordinal == "2/2")
        menu.step(1)
        #expect(menu.selection == 1)
        menu.step(-1)
        #expect(menu.selection == 3)
        menu.step(1, wraps: false)
        #expect(menu.selection == 3)
        menu.moveToFirst()
        #expect(menu.selection == 1)
        menu.moveToLast()
        #expect(menu.selection == 3)
        #expect(!menu.select(2) && !menu.select(9) && menu.select(1))
    }

    /// Pages, and a selection that is always inside what is seen.
    @Test(arguments: [1, 2, 3, 7, 20, 100]) func theSelectionIsAlwaysSeen(_ rows: Int) {
        var menu = menu((0..<50).map { "Chapter \($0)" }, present: 25)
        for (index, act)
            in ([{ $0.step(1) }, { $0.move(by: rows) }, { $0.moveToLast() }, { $0.step(1) }, { $0.move(by: -3) }]
            as [(inout Menu) -> Void]).enumerated()
        {
            act(&menu)
            menu.settle(rows: rows)
            let window = menu.window(rows: rows)
            #expect(window.contains(menu.selection), "after step \(index)")
            #expect(window.count == min(rows, 50))
        }
        menu.move(by: .max)
        #expect(menu.selection == 49)
        menu.move(by: .min)
        #expect(menu.selection == 0)
    }

    @Test func theWindowMovesNoFurtherThanTheSelectionMakesIt() {
        var menu = menu((0..<20).map { "\($0)" })
        for _ in 0..<6 { menu.step(1) }
        menu.settle(rows: 5)
        #expect(menu.window(rows: 5) == 2..<7)
        menu.step(-1)
        menu.settle(rows: 5)
        #expect(menu.window(rows: 5) == 2..<7)
        #expect(menu.window(rows: 0).isEmpty)
    }

    @Test func itOpensWithWhatPlaysInTheMiddle() {
        var menu = menu((0..<50).map { "\($0)" }, present: 20)
        menu.centre(rows: 9)
        #expect(menu.window(rows: 9) == 16..<25)
        menu.centre(rows: 100)
        #expect(menu.window(rows: 100) == 0..<50)
        var last = MenuTests.atTheEnd
        last.centre(rows: 10)
        #expect(last.window(rows: 10) == 40..<50)
    }

    private static let atTheEnd = menu((0..<50).map { "\($0)" }, present: 49)

    @Test func aHeadingComesAlongWithTheFirstEntry() {
        var menu = Menu(
            .subtitles,
            items: [.heading("First")] + (0..<9).map { MenuItem("\($0)", choice: .chapter($0)) })
        menu.moveToLast()
        menu.settle(rows: 4)
        menu.moveToFirst()
        menu.settle(rows: 4)
        #expect(menu.window(rows: 4) == 0..<4)
    }

    @Test(arguments: [
        ("g", 2), ("ge", 2), ("GE", 2), ("f", 1), ("fra", 1), ("é", 0), ("e", 0), ("ee", 3), ("eee", 0), ("com", 4), ("nch", 1),
        ("zz", 0), ("日", 5),
    ])
    func typingGoesToTheEntry(_ text: String, _ expected: Int) {
        let menu = menu(["English", "French", "German", "Éire", "Director's commentary", "日本語"])
        #expect(typed(text, into: menu).selection == expected)
    }

    @Test func typedTextIsForgottenAndTakenBack() {
        var menu = typed("ge", into: menu(["English", "Greek", "German"]))
        #expect(menu.selection == 2 && menu.typed == "ge")
        #expect(!menu.expire(at(1)) && menu.typed == "ge")
        menu.erase(now: at(1))
        #expect(menu.typed == "g" && menu.selection == 2)
        #expect(menu.expire(at(3)) && menu.typed.isEmpty && menu.typedUntil == nil)
        menu.type("e", now: at(4))
        #expect(menu.selection == 0)
    }

    @Test func aFilterListsWhatHasAllItsWords() {
        var menu = Menu(
            .files,
            items: ["Night train", "Day train", "Night boat"].enumerated().map { MenuItem($1, choice: .file($0)) } + [.separator])
        _ = menu.select(2)
        menu.narrow(by: nil)
        #expect(menu.items.count == 4 && menu.choice == .file(2))
        for character in "IGHT" { menu.narrow(by: character) }
        #expect(menu.items.map(\.label) == ["Night train", "Night boat"] && menu.choice == .file(2) && menu.ordinal == "2/2")
        for character in " train" { menu.narrow(by: character) }
        #expect(menu.items.map(\.label) == ["Night train"] && menu.choice == .file(0))
        // Newer items are filtered like the ones before.
        menu.replace(["A train at night", "Day"].enumerated().map { MenuItem($1, choice: .file($0)) })
        #expect(menu.items.map(\.label) == ["A train at night"])
        menu.narrow(by: "x")
        #expect(menu.items.isEmpty && menu.choice == nil && menu.selection == -1)
        menu.widen()
        #expect(menu.items.count == 1 && menu.choice == .file(0))
        menu.endFilter()
        #expect(menu.items.count == 2 && menu.filter == nil)
    }

    @Test func aMillionLettersAreBounded() {
        var menu = menu(["a"])
        for _ in 0..<10_000 { menu.type("x", now: at(0)) }
        #expect(menu.typed.count <= 40)
        #expect(
            Menu(.chapters, items: Array(repeating: MenuItem("a", choice: .chapter(0)), count: 9000)).items.count == Menu.limit)
    }

    @Test func newerItemsKeepTheChoice() {
        var menu = menu(["a", "b", "c"], present: 0)
        menu.step(1)
        menu.replace([MenuItem("new", choice: .chapter(9)), MenuItem("b", choice: .chapter(1))])
        #expect(menu.selection == 1 && menu.choice == .chapter(1))
        menu.replace([MenuItem("x", choice: .chapter(5))])
        #expect(menu.choice == .chapter(5))
        menu.replace([])
        #expect(menu.selection == -1 && menu.choice == nil)
        menu.step(1)
        menu.move(by: 3)
        #expect(menu.selection == -1)
    }

    @Test func whatAStrangerWroteIsStripped() {
        let item = MenuItem("a\u{1B}[31mb\u{202E}c\n" + String(repeating: "x", count: 5000), choice: .chapter(0))
        #expect(!item.label.contains("\u{1B}") && !item.label.contains("\u{202E}") && !item.label.contains("\n"))
        #expect(item.label.count <= 201)
    }
}

@Suite struct MenuKeyTests {
    private func pressing(_ strokes: [KeyStroke], _ model: AppModel = model()) -> (AppModel, [AppEffect]) {
        var model = model
        var effects: [AppEffect] = []
        for (index, stroke) in strokes.enumerated() {
            effects += model.update(.key(stroke), now: at(1 + Double(index) * 0.01)).filter { $0 != .redraw }
        }
        return (model, effects)
    }

    @Test(arguments: [("a", MenuKind.audio), ("c", .subtitles), ("V", .video), ("T", .chapters), ("P", .files)])
    func eachKeyOpensItsMenuAndEscClosesIt(_ key: String, _ kind: MenuKind) {
        var model = model()
        _ = model.update(.files(["one", "two"]), now: at(1))
        let (open, effects) = pressing([KeyStroke(Character(key))], model)
        #expect(open.menu?.kind == kind && effects.isEmpty)
        let (closed, none) = pressing([KeyStroke(.escape)], open)
        #expect(closed.menu == nil && none.isEmpty)
        var toggled = open
        _ = toggled.update(.action(.showMenu(kind)), now: at(2))
        #expect(toggled.menu == nil)
    }

    @Test func enterChoosesAndCloses() {
        let (audio, effects) = pressing([KeyStroke("a"), KeyStroke(.down), KeyStroke(.enter)])
        #expect(effects == [.send(.selectAudioTrack(TrackID(.container, 2)))])
        #expect(audio.menu == nil && audio.snapshot.activeAudioTrack == TrackID(.container, 2))
        #expect(audio.message?.text == "Audio 2/2: German, AC-3 5.1")
        let (_, off) = pressing([
            KeyStroke("c"), KeyStroke("s"), KeyStroke("i"), KeyStroke(.enter), KeyStroke("c"), KeyStroke(.home),
            KeyStroke(.enter),
        ])
        #expect(off == [.send(.selectSubtitleTrack(TrackID(.container, 4))), .send(.selectSubtitleTrack(nil))])
        let (_, chapter) = pressing([KeyStroke("T"), KeyStroke(.end), KeyStroke(.enter)])
        #expect(chapter == [.send(.seek(to: .seconds(4060), .exact))])
    }

    @Test func choosingWhatPlaysChangesNothing() {
        let (model, effects) = pressing([KeyStroke("a"), KeyStroke(.enter)])
        #expect(effects.isEmpty && model.menu == nil)
    }

    @Test func otherKeysArePlayersKeys() {
        let (model, effects) = pressing([KeyStroke("a"), KeyStroke(" "), KeyStroke("+"), KeyStroke(.right)])
        #expect(effects == [.send(.pause), .send(.set(.volume(1.05))), .send(.skip(by: .seconds(5), .refined))])
        #expect(model.menu?.kind == .audio)
        let (_, none) = pressing([KeyStroke("a"), KeyStroke("q"), KeyStroke("p")])
        #expect(none.isEmpty)
    }

    @Test func filesAreSteppedAndChosen() {
        var model = model()
        _ = model.update(.playlist(PlaylistPosition(index: 1, count: 3, name: "b")), now: at(0))
        _ = model.update(.files(["a", "b", "c"]), now: at(0))
        _ = model.update(.snapshot(film()), now: at(0))
        #expect(pressing([KeyStroke(">"), KeyStroke("<")], model).1 == [.stepFile(1), .stepFile(-1)])
        #expect(pressing([KeyStroke("P"), KeyStroke("c"), KeyStroke(.enter)], model).1 == [.playFile(2)])
        #expect(pressing([KeyStroke("P"), KeyStroke(.enter)], model).1 == [])
        let (alone, none) = pressing([KeyStroke(">")])
        #expect(none.isEmpty && alone.message?.text == "There is only one file")
    }

    @Test func aSlashFiltersUntilEscape() throws {
        var model = model()
        _ = model.update(.files(["one.mkv", "two.mkv", "three.mkv"]), now: at(0))
        let (open, _) = pressing([KeyStroke("P"), KeyStroke("/")] + "q".map { KeyStroke($0) }, model)
        #expect(open.menu?.items.isEmpty == true)
        #expect(try rendered(open).contains { $0.contains("Nothing found") })
        let (found, effects) = pressing([KeyStroke(.backspace)] + "thr".map { KeyStroke($0) } + [KeyStroke(.enter)], open)
        #expect(found.menu == nil && effects.contains(.playFile(2)))
        let (whole, _) = pressing([KeyStroke(.escape)], open)
        #expect(whole.menu?.items.count == 3)
        #expect(pressing([KeyStroke(.escape)], whole).0.menu == nil)
    }

    @Test func anEmptyMenuIsASentence() {
        var snapshot = film()
        snapshot.videoTracks = []
        let (model, effects) = pressing([KeyStroke("V")], model(snapshot))
        #expect(model.menu == nil && effects.isEmpty && model.message?.text == "No video track")
    }

    @Test func theMenuFollowsTheFilm() {
        var (model, _) = pressing([KeyStroke("T")])
        #expect(model.menu?.items.firstIndex { $0.isPresent } == 1 && model.menu?.selection == 1)
        var later = film()
        later.position = .seconds(5000)
        #expect(model.update(.snapshot(later), now: at(2)).contains(.redraw))
        #expect(model.menu?.items.firstIndex { $0.isPresent } == 2 && model.menu?.selection == 1)
        later.chapters = []
        _ = model.update(.snapshot(later), now: at(2))
        #expect(model.menu == nil)
    }

    @Test func theBarStaysWhileAMenuIsOpen() {
        var (model, _) = pressing([KeyStroke("T")])
        _ = model.update(.tick, now: at(60))
        #expect(model.isBarVisible)
        _ = model.update(.key(KeyStroke(.escape)), now: at(61))
        #expect(model.isBarVisible)
        _ = model.update(.tick, now: at(66))
        #expect(!model.isBarVisible)
    }

    @Test func whatWasTypedWakesToBeForgotten() throws {
        var (model, _) = pressing([KeyStroke("T"), KeyStroke("m")])
        #expect(try rendered(model).contains { $0.contains("m_") })
        let wake = try #require(model.nextWake(after: at(1.1)))
        #expect(wake <= at(2.6))
        #expect(model.update(.tick, now: at(2.7)).contains(.redraw))
        #expect(try !rendered(model).contains { $0.contains("m_") })
    }
}
