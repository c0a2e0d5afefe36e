import AetherCore
import AetherEngine
import AetherSources
import AetherTerminal
import AetherTestSupport
import ArgumentParser
import Foundation
import Glibc
import Testing

@testable import AetherUI

private let date = FileDate(year: 2024, month: 5, day: 1, hour: 13, minute: 2)

private func directory(_ name: String) -> Browser.Entry { Browser.Entry(.directory, name: name, changed: date) }
private func media(_ name: String, _ bytes: Int64 = 1_234_567_890) -> Browser.Entry {
    Browser.Entry(.media, name: name, bytes: bytes, changed: date)
}

/// The entries of /films.
private let films: [Browser.Entry] = [
    directory("Série"), directory("old"), media("demo.mkv"), media("film2.mp4", 640), media("film10.mp4"),
    media("昨日の夜 (2019).mkv", 52_000_000), Browser.Entry(.playlist, name: "both.m3u8", bytes: 90),
]

/// A model that plays /films/demo.mkv.
private func playing(columns: Int = 80, rows: Int = 24, isUnicode: Bool = true, hasColor: Bool = true) -> AppModel {
    var model = model(columns: columns, rows: rows, isUnicode: isUnicode, hasColor: hasColor)
    _ = model.update(.playlist(PlaylistPosition(name: "demo.mkv", path: "/films/demo.mkv")), now: at(0))
    _ = model.update(.snapshot(film()), now: at(0))
    return model
}

/// The model's browser, told what it asked for.
private func answered(_ model: AppModel, _ entries: [Browser.Entry] = films, isCut: Bool = false) throws -> AppModel {
    var model = model
    let request = try #require(model.browser?.awaited)
    _ = model.update(.directory(DirectoryAnswer(request: request, listing: .read(entries, isCut: isCut))), now: at(1))
    return model
}

private func opened(_ film: AppModel = playing(), _ entries: [Browser.Entry] = films, isCut: Bool = false) throws -> AppModel {
    var model = film
    _ = model.update(.action(.browse), now: at(1))
    return try answered(model, entries, isCut: isCut)
}

private func typing(_ text: String, _ model: AppModel) -> AppModel { pressing(text.map { KeyStroke($0) }, model).0 }

@Suite struct BrowserTests {
    @Test func anAudioFileIsChosenForTheVideoThatPlays() throws {
        var model = playing()
        _ = model.update(.action(.showMenu(.audio)), now: at(1))
        let (asked, reading) = pressing([KeyStroke(.end), KeyStroke(.enter)], model)
        #expect(asked.menu == nil && asked.browser?.purpose == .addAudio)
        #expect(reading == asked.browser?.awaited.map { [.browse(.read($0))] })
        let browsing = try answered(asked)
        #expect(try screen(browsing).contains("Add audio: /films"))
        let (added, effects) = pressing([KeyStroke(.enter)], typing("film10", browsing))
        #expect(effects == [.send(.addAudio(ExternalAudioTrack(.file("/films/film10.mp4"))))])
        #expect(added.browser == nil)
        // Nothing is put into the list, and a list is no audio.
        #expect(pressing([KeyStroke(.tab)], browsing).1.isEmpty)
        let (stays, none) = pressing([KeyStroke(.enter)], typing("both", browsing))
        #expect(none.isEmpty && stays.browser != nil)
    }

    @Test(arguments: [(80, 24), (40, 12), (120, 30)]) func theBrowserHasItsScreens(_ columns: Int, _ rows: Int) throws {
        let film = playing(columns: columns, rows: rows)
        var text = try screen(opened(film))
        text += try screen(typing("film", opened(film)))
        text += try screen(typing("nowhere", opened(film)))
        text += try screen(opened(film, (1...200).map { media("Episode \($0).mkv") }, isCut: true))
        var waiting = film
        _ = waiting.update(.action(.browse), now: at(1))
        text += try screen(waiting)
        expectGolden(text: text, "browser-\(columns)x\(rows)")
    }

    @Test func asciiTerminalsGetAscii() throws {
        let text = try screen(opened(playing(columns: 90, rows: 20, isUnicode: false, hasColor: false)))
        #expect(text.replacing("·", with: "").utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func itBeginsWhereTheVideoLiesAndStandsOnIt() throws {
        var film = playing()
        let effects = film.update(.action(.browse), now: at(1))
        #expect(effects.contains(.browse(.read(DirectoryRequest(path: "/films", number: 1)))))
        let model = try answered(film)
        #expect(model.browser?.selected?.name == "demo.mkv" && model.browser?.ordinal == "1/5")
    }

    @Test func theCounterCountsFiles() throws {
        let model = try opened()
        #expect(pressing([KeyStroke(.home)], model).0.browser?.ordinal == "5 files")
        #expect(pressing([KeyStroke(.end)], model).0.browser?.ordinal == "5/5")
        #expect(typing("film1", model).browser?.ordinal == "1/1" && typing("série", model).browser?.ordinal == "no files")
    }

    private func names(_ model: AppModel) -> [String] { model.browser?.entries.map(\.name) ?? [] }

    @Test func aCommaSortsByNameDateSizeAndLength() throws {
        func file(_ name: String, _ bytes: Int64, _ day: Int) -> Browser.Entry {
            let date = FileDate(year: 2024, month: 5, day: day, hour: 1, minute: 0)
            return Browser.Entry(.media, name: name, bytes: bytes, changed: date)
        }
        let entries = [directory("old"), file("a.mkv", 5, 1), file("b.mkv", 9, 3), file("c.mkv", 7, 2)]
        var model = try opened(playing(), entries)
        _ = model.update(
            .facts(["/films/c.mkv": FileFacts(duration: .seconds(90)), "/films/a.mkv": FileFacts(duration: .seconds(9))]),
            now: at(2))
        #expect(names(model) == ["..", "old", "a.mkv", "b.mkv", "c.mkv"])
        for order in [
            ["b.mkv", "c.mkv", "a.mkv"], ["b.mkv", "c.mkv", "a.mkv"], ["c.mkv", "a.mkv", "b.mkv"], ["a.mkv", "b.mkv", "c.mkv"],
        ] {
            let selected = model.browser?.selected
            model = pressing([KeyStroke(",")], model).0
            #expect(names(model) == ["..", "old"] + order && model.browser?.selected == selected)
        }
        // The next browser begins with the order of this one.
        model = pressing([KeyStroke(","), KeyStroke(.escape), KeyStroke("f")], model).0
        #expect(try names(answered(model, entries)) == ["..", "old", "b.mkv", "c.mkv", "a.mkv"])
    }

    @Test func theFootHasWholeHintsAndTheOrder() throws {
        func foot(_ columns: Int) throws -> String {
            let rows = try rendered(opened(playing(columns: columns)))
            return try #require(rows.last { $0.contains("Enter open") })
        }
        #expect(try foot(80).contains("/ filter  , sort: name  . hidden  Tab up next"))
        #expect(try foot(40).contains("Esc close  ") && !foot(40).contains("…"))
    }

    @Test func aPointListsHiddenFilesToo() throws {
        let (model, effects) = pressing([KeyStroke(".")], try opened())
        #expect(effects == [.browse(.read(DirectoryRequest(path: "/films", number: 2, showsHidden: true)))])
        #expect(try answered(model).browser?.selected?.name == "demo.mkv")
    }

    @Test func lengthAndResolutionAreSeenOfTheFilesOnTheScreen() throws {
        var model = try opened()
        #expect(model.unknownFiles == ["demo.mkv", "film2.mp4", "film10.mp4", "昨日の夜 (2019).mkv"].map { "/films/" + $0 })
        let facts = FileFacts(duration: .seconds(3723), size: PixelSize(width: 1920, height: 800))
        _ = model.update(.facts(["/films/demo.mkv": facts, "/other/x.mkv": facts]), now: at(2))
        #expect(!model.unknownFiles.contains("/films/demo.mkv"))
        let row = try #require(try rendered(model).first { $0.contains("demo.mkv") })
        #expect(row.contains("1:02:03  1080p"))
    }

    @Test(arguments: [
        ("/films/a.mkv", "/films", "a.mkv"), ("a.mkv", "/home/me", "a.mkv"), ("../b/./a.mkv", "/home/b", "a.mkv"),
        ("/a.mkv", "/", "a.mkv"), ("", "/home/me", nil),
        ("../../../../a.mkv", "/", "a.mkv"),
        // Folders that are looked around in.
        ("/films/", "/films", nil), ("a/b/", "/home/me/a/b", nil), ("../", "/home", nil), ("./", "/home/me", nil),
        ("/", "/", nil),
        ("smb://nas/", "smb://nas", nil), ("http://h/films/", "http://h/films", nil),
    ])
    func theFolderOfASource(_ source: String, _ folder: String, _ name: String?) {
        let place = Browser.place(of: source, in: "/home/me")
        #expect(place.directory == folder && place.name == name)
    }

    @Test func enterPlaysTheDirectoryFromTheFileOn() throws {
        let (model, effects) = pressing([KeyStroke(.down), KeyStroke(.enter)], try opened())
        let paths = ["demo.mkv", "film2.mp4", "film10.mp4", "昨日の夜 (2019).mkv"].map { "/films/" + $0 }
        #expect(effects == [.browse(.play(paths, from: 1))] && model.browser == nil)
        // The typed words narrow the choice, and not the files that are played after it.
        #expect(pressing([KeyStroke(.enter)], typing("film10", try opened())).1 == [.browse(.play(paths, from: 2))])
        #expect(pressing([KeyStroke(.enter)], typing("both", try opened())).1 == [.browse(.open("/films/both.m3u8"))])
    }

    @Test func directoriesAreEnteredAndLeft() throws {
        let (inside, effects) = pressing([KeyStroke(.home), KeyStroke(.down), KeyStroke(.enter)], try opened())
        #expect(effects == [.browse(.read(DirectoryRequest(path: "/films/Série", number: 2)))])
        // The listed entries stay until the other directory is read, and Enter means nothing meanwhile.
        #expect(inside.browser?.entries.count == 8 && pressing([KeyStroke(.enter)], inside).1.isEmpty)
        let read = try answered(inside, [media("1.mkv")])
        #expect(read.browser?.path == "/films/Série" && read.browser?.selected?.name == "1.mkv")
        for key in [KeyStroke(.left), KeyStroke(.backspace)] {
            let (left, effects) = pressing([key], read)
            #expect(effects == [.browse(.read(DirectoryRequest(path: "/films", number: 3)))])
            #expect(try answered(left).browser?.selected?.name == "Série")
        }
        // Two up at once, and not above the root.
        let (root, up) = pressing([KeyStroke(.left), KeyStroke(.left), KeyStroke(.left)], read)
        #expect(up.count == 2 && root.browser?.awaited?.path == "/")
        #expect(try answered(root, [directory("films")]).browser?.entries.map(\.name) == ["films"])
    }

    @Test func anAnswerThatNobodyWaitsForChangesNothing() throws {
        let (inside, _) = pressing([KeyStroke(.home), KeyStroke(.down), KeyStroke(.enter), KeyStroke(.left)], try opened())
        var model = inside
        let late = DirectoryAnswer(
            request: DirectoryRequest(path: "/films/Série", number: 2), listing: .read([media("1.mkv")], isCut: false))
        _ = model.update(.directory(late), now: at(3))
        #expect(model.browser?.path == "/films" && model.browser?.awaited?.number == 3)
    }

    @Test func whatCannotBeReadIsSaidAndLeavesOneWhereOneWas() throws {
        var (model, _) = pressing([KeyStroke(.home), KeyStroke(.down), KeyStroke(.enter)], try opened())
        let request = try #require(model.browser?.awaited)
        let failed = DirectoryAnswer(request: request, listing: .failed("cannot read /films/S\u{1B}[2J: Permission denied"))
        _ = model.update(.directory(failed), now: at(3))
        #expect(model.browser?.path == "/films" && model.browser?.found.count == 8)
        let rows = try rendered(model)
        #expect(rows.contains { $0.contains("Permission denied") } && !rows.joined().contains("\u{1B}"))
    }

    static let filters: [(typed: String, found: [String])] = [
        ("film", ["film2.mp4", "film10.mp4"]), ("FILM 10", ["film10.mp4"]), ("serie", ["Série"]), ("夜", ["昨日の夜 (2019).mkv"]),
        ("mkv 2019", ["昨日の夜 (2019).mkv"]), ("zzz", []),
    ]

    @Test(arguments: filters.indices) func whatIsTypedFilters(_ index: Int) throws {
        let row = Self.filters[index]
        let model = typing(row.typed, try opened())
        let browser = try #require(model.browser)
        #expect(browser.found.map { browser.entries[$0].name } == row.found)
        // Taken back letter by letter, everything is there again, and then one is a directory higher.
        let (empty, effects) = pressing(row.typed.map { _ in KeyStroke(.backspace) }, model)
        #expect(empty.browser?.found.count == 8 && effects.isEmpty)
        #expect(pressing([KeyStroke(.backspace)], empty).0.browser?.awaited?.path == "/")
    }

    @Test func escapeTakesTheFilterBackThenCloses() throws {
        let (model, _) = pressing([KeyStroke(.escape)], typing("film", try opened()))
        #expect(model.browser?.query == "" && model.browser?.found.count == 8)
        #expect(pressing([KeyStroke(.escape)], model).0.browser == nil)
    }

    @Test func otherKeysMeanWhatTheyAlwaysDoUntilANameIsBegun() throws {
        #expect(pressing([KeyStroke(" ")], try opened()).1 == [.send(.pause)])
        #expect(pressing([KeyStroke(" ")], typing("film", try opened())).1.isEmpty)
        #expect(typing("film -", try opened()).browser?.query == "film -")
    }

    @Test func theMouseChoosesAndTurns() throws {
        let model = try opened()
        let pane = try #require(model.browser.flatMap { BrowserPane($0, model.scene) })
        func effects(_ event: MouseEvent) -> (AppModel, [AppEffect]) {
            var model = model
            let effects = model.update(.mouse(event), now: at(2)).filter { $0 != .redraw }
            return (model, effects)
        }
        #expect(
            effects(MouseEvent(.press, .left, x: 10, y: pane.frame.rect.row + 2)).1
                == [.browse(.read(DirectoryRequest(path: "/films/Série", number: 2)))])
        #expect(effects(MouseEvent(.press, .left, x: 10, y: pane.frame.rect.row + 1)).0.browser?.awaited?.path == "/")
        #expect(effects(MouseEvent(.press, .left, x: 10, y: pane.frame.rect.row + 15)).1.isEmpty)
        #expect(effects(MouseEvent(.press, .left, x: 10, y: pane.frame.rect.row)).1.isEmpty)
        #expect(
            effects(MouseEvent(.scrollDown, x: 10, y: pane.frame.rect.row + 2)).0.browser?.selected?.name == "昨日の夜 (2019).mkv")
        // Beside it the wheel is the volume's.
        #expect(effects(MouseEvent(.scrollUp, x: 10, y: 22)).1 == [.send(.set(.volume(1.05)))])
    }

    @Test func aPageIsWhatIsSeen() throws {
        let model = try opened(playing(), (1...200).map { media("Episode \($0).mkv") })
        let rows = try #require(model.browser).pageRows(in: model.scene)
        let (down, _) = pressing([KeyStroke(.pageDown)], model)
        #expect(down.browser?.selected?.name == "Episode \(rows).mkv")
        #expect(pressing([KeyStroke(.end)], down).0.browser?.selected?.name == "Episode 200.mkv")
        #expect(pressing([KeyStroke(.end), KeyStroke(.down)], down).0.browser?.selection == 0)
    }

    @Test func namesFromTheRightAreShownFromTheRight() throws {
        let rows = try rendered(try opened(playing(), [media("שלום.mkv"), media("Film שלום.mkv")]))
        #expect(rows.contains { $0.contains("mkv.םולש") } && rows.contains { $0.contains("Film םולש.mkv") })
    }

    @Test func hostileNamesAreShownHarmless() throws {
        let names = ["\u{1B}]0;x\u{7}.mkv", String(repeating: "x", count: 1000) + ".mkv", "\u{202E}gpj.mkv", "\u{1}\u{2}"]
        let rows = try rendered(try opened(playing(), names.map { media($0) }))
        #expect(rows.joined().unicodeScalars.allSatisfy { !DisplayText.isUnsafe($0) })
        #expect(rows.allSatisfy { ChromeText.columns(of: $0) == 80 } && rows.contains { $0.contains("(no name)") })
    }
}

@Suite struct FirstScreenTests {
    /// A bar of a film that nobody has chosen is a row of nothings.
    @Test func withoutAFileThereIsNoBarUntilThereIsSomethingToSay() throws {
        var model = try answered(started().0)
        for second in 1..<8 {
            _ = model.update(.tick, now: at(Double(second)))
            #expect(!model.isBarVisible)
        }
        _ = model.update(.notice("x.mkv cannot be opened"), now: at(8))
        #expect(model.isBarVisible && TransportBar.pane(model.scene) != nil)
    }

    private func started(recent: [RecentFile] = []) -> (AppModel, [AppEffect]) {
        var model = AppModel(size: CellSize(columns: 80, rows: 24), now: at(0))
        model.scene.workingDirectory = "/home/me"
        _ = model.update(.recent(recent), now: at(0))
        _ = model.update(.playlist(Playlist(items: []).position), now: at(0))
        let effects = model.update(.noFile, now: at(0))
        return (model, effects)
    }

    @Test func filesGoIntoTheListWhileTheVideoPlaysOn() throws {
        var (model, effects) = try pressing([KeyStroke(.home), KeyStroke(.down), KeyStroke(.tab)], opened())
        #expect(effects == [.browse(.add("/films/Série", isNext: true))])
        // The next one is selected, so that Tab and Tab again takes both.
        (model, effects) = pressing([KeyStroke(.down), KeyStroke(.down), KeyStroke(.tab, .shift)], model)
        #expect(effects == [.browse(.add("/films/film2.mp4", isNext: false))])
        let pane = try #require(model.browser.flatMap { BrowserPane($0, model.scene) })
        let row = try #require(model.browser?.found.firstIndex { model.browser?.entries[$0].name == "film10.mp4" })
        for (button, isNext) in [(MouseEvent.Button.right, true), (.middle, false)] {
            let event = MouseEvent(
                .press, button, x: pane.frame.rect.column + 5, y: pane.frame.rect.row + 1 + row - pane.frame.window.lowerBound)
            let asked = model.update(.mouse(event), now: at(2)).filter { $0 != .redraw }
            #expect(asked.contains(.browse(.add("/films/film10.mp4", isNext: isNext))))
        }
        // The way up is nothing to play.
        #expect(try pressing([KeyStroke(.home), KeyStroke(.tab)], opened()).1 == [])
    }

    @Test func withoutAFileThePresentDirectoryIsListed() {
        #expect(started().1.contains(.browse(.read(DirectoryRequest(path: "/home/me", number: 1)))))
    }

    @Test func whatWasPlayedBeforeStandsAtTheTopOfTheFirstDirectory() throws {
        let recent = [RecentFile(location: "/films/demo.mkv", title: "The Demo"), RecentFile(location: "http://host/a.mp3")]
        let model = try answered(started(recent: recent).0)
        #expect(model.browser?.entries.prefix(3).map(\.label) == ["The Demo", "a.mp3", ".."])
        #expect(pressing([KeyStroke(.enter)], model).1 == [.browse(.open("/films/demo.mkv"))])
        expectGolden(text: try screen(model), "browser-first")
        let (above, _) = pressing([KeyStroke(.left)], model)
        #expect(try answered(above, [directory("me")]).browser?.entries.map(\.name) == ["..", "me"])
    }

    @Test func threeKeysAreTaughtOnceWithTheFirstImages() throws {
        var model = try answered(started().0)
        (model, _) = pressing([KeyStroke(.end), KeyStroke(.enter)], model)
        _ = model.update(.snapshot(film()), now: at(3))
        #expect(model.message?.text == "Space pause   f files   ? all keys   --keys mpv or vim: theirs")
        _ = model.update(.snapshot(film()), now: at(8.9))
        #expect(model.message != nil && model.nextWake(after: at(8.9)).map { $0 <= at(9) } == true)
        _ = model.update(.tick, now: at(9))
        #expect(model.message == nil)
        _ = model.update(.snapshot(film()), now: at(10))
        #expect(model.message == nil)
    }

    @Test func whoNamedAFileIsNotTaught() {
        var model = AetherUITests.model()
        _ = model.update(.snapshot(film()), now: at(1))
        #expect(model.message == nil)
    }

    @Test func aListWithoutFilesEndsNowhere() {
        var list = Playlist(items: [], repeats: .list)
        #expect(list.isEmpty && list.following == nil && !list.step(1) && !list.go(to: 0) && !list.advance(afterFailure: false))
        #expect(list.currentItem.location == .file("") && list.position.count == 0)
        #expect(Playlist(items: [.init(location: .file("a"))], from: 7).index == 0)
    }

    @Test func withoutATerminalAFileMustBeNamed() throws {
        #expect(throws: (any Error).self) { try App.checkFiles(try PlayerOptions.parse(["--plain"])) }
        try App.checkFiles(try PlayerOptions.parse(["--print-config"]))
        try App.checkFiles(try PlayerOptions.parse(["a.mkv"]))
    }
}

@Suite struct DirectoryReaderTests {
    @Test func directoriesListsAndWhatIsNotThere() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("b"), withIntermediateDirectories: true)
        for name in ["a2.mkv", "a10.mkv", "list.m3u", "words.txt"] {
            try Data("a2.mkv\n".utf8).write(to: URL(fileURLWithPath: folder.path(name)))
        }
        guard case .directory(let answer) = DirectoryReader.find(.directory(DirectoryRequest(path: folder.url.path, number: 3))),
            case .read(let entries, false) = answer.listing
        else {
            Issue.record("was not read")
            return
        }
        #expect(answer.request.number == 3 && entries.map(\.name) == ["b", "a2.mkv", "a10.mkv", "list.m3u"])
        #expect(entries.map(\.kind) == [.directory, .media, .media, .playlist] && entries[1].bytes == 7)
        guard case .items(let items, .instead) = DirectoryReader.find(.list(folder.path("list.m3u"))) else {
            Issue.record("no items")
            return
        }
        #expect(items.map(\.location) == [.file(folder.path("a2.mkv"))])
        guard case .directory(let none) = DirectoryReader.find(.directory(DirectoryRequest(path: "/no/such", number: 1))),
            case .failed(let reason) = none.listing, case .failed = DirectoryReader.find(.list("/no/such.m3u"))
        else {
            Issue.record("was found")
            return
        }
        #expect(reason.contains("No such file"))
    }

    @Test func theMainThreadIsWokenAndTakesTheNewestOnce() throws {
        let wake = WakeHandle()
        let reader = DirectoryReader(wake: wake)
        for number in 1...20 { reader.read(.directory(DirectoryRequest(path: "/", number: number))) }
        var found: Int?
        while found != 20 {
            var poll = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
            try #require(Glibc.poll(&poll, 1, 60_000) == 1, "nobody woke")
            wake.drain()
            if case .directory(let answer) = reader.take() { found = answer.request.number }
        }
        if reader.take() != nil { Issue.record("it was taken already") }
    }
}
