import AetherCore
import AetherEngine
import AetherTerminal
import AetherTestSupport
import Testing

@testable import AetherUI

private let track = TrackID(.container, 3)

private func cue(_ id: Int, _ start: Double, _ text: String, length: Double = 2) -> SubtitleCue {
    SubtitleCue(id: id, track: track, start: .seconds(start), end: .seconds(start + length), body: .text(text))
}

/// The words of a film whose first time stamp is 10 s, which stands at 1810 s.
private let words: [SubtitleCue] = [
    cue(1, 12, "Hello?"), cue(2, 15, "Is anybody there?\nAnybody at all?"), cue(3, 1700, "Où est l'œuvre de GARÇON"),
    cue(4, 1808, "You are here now", length: 5), cue(5, 1830, "Hello again, old friend"), cue(6, 1850, "שלום עולם"),
    cue(7, 2000, "昨日の夜はどこにいたの？みんなであなたを待っていました。本当に長い夜でした。"), cue(8, 2500, "The end of all this."),
]

private func listing(_ cues: [SubtitleCue] = words, revision: Int = 1, read: [ClosedRange<Double>]? = [10...2710]) -> CueListing {
    CueListing(
        track: track, revision: revision, cues: cues, spans: read?.map { .seconds($0.lowerBound)...(.seconds($0.upperBound)) })
}

private func opened(
    _ action: PlayerAction, _ model: AppModel = model(), _ listing: CueListing = listing(), typing text: String = ""
) -> AppModel {
    var model = model
    _ = model.update(.action(action), now: at(1))
    _ = model.update(.cues(listing), now: at(1))
    for character in text { _ = model.update(.key(KeyStroke(character)), now: at(1)) }
    return model
}

@Suite struct CueListTests {
    @Test(arguments: [(80, 24), (40, 12)]) func listAndSearchHaveTheirScreens(_ columns: Int, _ rows: Int) throws {
        let film = model(columns: columns, rows: rows)
        var text = try screen(opened(.toggleCueList, film))
        text += try screen(opened(.searchSubtitles, film, typing: "hello"))
        text += try screen(opened(.searchSubtitles, film, typing: "nowhere"))
        text += try screen(opened(.toggleCueList, film, listing([], read: [1000...1900])))
        text += try screen(
            opened(.toggleCueList, film, listing((0..<200).map { cue($0, 10 + Double($0) * 20, "Line \($0)") }, read: nil)))
        expectGolden(text: text, "cues-\(columns)x\(rows)")
    }

    @Test func asciiTerminalsGetAscii() throws {
        let model = model(columns: 60, rows: 14, isUnicode: false, hasColor: false)
        let text = try screen(opened(.toggleCueList, model)) + screen(opened(.searchSubtitles, model, typing: "o"))
        #expect(text.replacing("·", with: "").utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func theListGoesAlongWithTheVideoUntilSomebodyMoves() throws {
        var model = opened(.toggleCueList)
        #expect(model.cueList?.choice?.id == 4)
        var later = film()
        later.position = .seconds(1851)
        _ = model.update(.snapshot(later), now: at(2))
        #expect(model.cueList?.choice?.id == 6)
        (model, _) = pressing([KeyStroke(.up), KeyStroke(.up)], model)
        later.position = .seconds(2501)
        _ = model.update(.snapshot(later), now: at(3))
        #expect(model.cueList?.choice?.id == 4)
    }

    @Test func enterGoesToTheStartOfTheCueExactly() {
        var delayed = film()
        delayed.subtitleDelay = .seconds(0.5)
        let (model, effects) = pressing(
            [KeyStroke(.down), KeyStroke(.enter)], opened(.toggleCueList, AetherUITests.model(delayed)))
        #expect(effects == [.send(.seek(to: .seconds(1830.5), .exact))])
        // The list stays, and goes along again.
        #expect(model.cueList?.isSearch == false && model.cueList?.isFollowing == true && model.cueList?.choice?.id == 5)
    }

    static let searches: [(typed: String, found: [Int], chosen: Int?)] = [
        ("hello", [1, 5], 5), ("HELLO", [1, 5], 5), ("friend hello", [5], 5), ("ou garcon", [3], 3), ("all", [2, 8], 8),
        ("anybody there", [2], 2), ("どこ", [7], 7), ("שלום", [6], 6), ("zzz", [], nil), ("", [1, 2, 3, 4, 5, 6, 7, 8], 4),
        ("here", [2, 4], 4),
    ]

    @Test(arguments: searches.indices) func wordsAreFoundWhateverTheirCaseAccentsAndOrder(_ index: Int) throws {
        let row = Self.searches[index]
        let list = try #require(opened(.searchSubtitles, typing: row.typed).cueList)
        #expect(list.found.map { list.entries[$0].id } == row.found)
        #expect(list.choice?.id == row.chosen)
    }

    @Test func aSearchJumpsAndClosesOrReturns() {
        let search = opened(.searchSubtitles, typing: "hello")
        let (jumped, effects) = pressing([KeyStroke(.up), KeyStroke(.enter)], search)
        #expect(effects == [.send(.seek(to: .seconds(12), .exact))] && jumped.cueList == nil)
        #expect(pressing([KeyStroke(.escape)], search).0.cueList == nil)
        // Begun in the list, it ends in the list.
        let (inList, _) = pressing(
            [KeyStroke("/"), KeyStroke("q"), KeyStroke(.backspace), KeyStroke("o"), KeyStroke("l")], opened(.toggleCueList))
        #expect(inList.cueList?.query == "ol" && inList.cueList?.found.count == 1)
        #expect(pressing([KeyStroke(.escape)], inList).0.cueList?.isSearch == false)
        #expect(pressing([KeyStroke(.enter)], inList).0.cueList?.isSearch == false)
        #expect(pressing([KeyStroke(.escape), KeyStroke(.escape)], inList).0.cueList == nil)
    }

    @Test func keysThatTheListDoesNotTakeMeanWhatTheyAlwaysDo() {
        let (model, effects) = pressing([KeyStroke(" "), KeyStroke("L")], opened(.toggleCueList))
        #expect(effects == [.send(.pause)] && model.cueList == nil)
    }

    @Test func whatComesLaterIsAddedAndTheChoiceStays() throws {
        var model = opened(.searchSubtitles, typing: "e")
        (model, _) = pressing([KeyStroke(.up)], model)
        let chosen = try #require(model.cueList?.choice?.id)
        _ = model.update(.cues(listing(words + [cue(9, 2600, "More"), cue(10, 2600, "More")], revision: 2)), now: at(3))
        #expect(model.cueList?.choice?.id == chosen)
        // A second layer of the same words is not a second line.
        #expect(model.cueList?.entries.map(\.id) == [1, 2, 3, 4, 5, 6, 7, 8, 9])
        _ = model.update(.cues(listing([], revision: 3)), now: at(3))
        #expect(model.cueList?.choice == nil)
    }

    @Test func strangersTextStaysOneLineOfText() throws {
        let hostile = [cue(1, 12, "a\u{1B}[31mb\u{202E}c\u{7}\nd" + String(repeating: "x", count: 100_000))]
        let model = opened(.toggleCueList, model(columns: 40, rows: 12), listing(hostile))
        let entry = try #require(model.cueList?.entries.first)
        #expect(entry.text.hasPrefix("a[31mbc d") && entry.text.count <= 201)
        for row in try rendered(model) { #expect(ChromeText.columns(of: row) == 40) }
    }

    @Test func withoutSubtitlesThereIsASentence() {
        var bare = film()
        bare.subtitleTracks = []
        let model = opened(.searchSubtitles, model(bare))
        #expect(model.cueList == nil && model.message?.text == "No subtitles")
    }

    @Test func theMouseJumpsAndScrolls() throws {
        var model = opened(.toggleCueList)
        let rows = try rendered(model)
        let y = try #require(rows.firstIndex { $0.contains("Hello again") })
        let effects = model.update(.mouse(MouseEvent(.press, .left, x: 60, y: y)), now: at(2)).filter { $0 != .redraw }
        #expect(effects == [.send(.seek(to: .seconds(1830), .exact))])
        let before = model.cueList?.selection
        #expect(model.update(.mouse(MouseEvent(.scrollDown, x: 60, y: y)), now: at(2)) == [.redraw])
        #expect(model.cueList?.selection == before.map { $0 + 1 })
    }

    /// Whatever the size, nothing is written outside the pane, and the selection is seen.
    @Test func everySizeFrom1x1() throws {
        let cues = (0..<500).map { cue($0, Double($0) * 8, "Line \($0) with some words to cut") }
        for (columns, rows) in [(1, 1), (2, 2), (19, 3), (20, 3), (23, 5), (39, 4), (400, 100)] {
            for moves in [0, 7] {
                let open = opened(.toggleCueList, model(columns: columns, rows: rows), listing(cues))
                let (model, _) = pressing(Array(repeating: KeyStroke(.down), count: moves), open)
                guard let list = model.cueList, let pane = CueListPane(list, model.scene) else { continue }
                let rect = pane.frame.rect
                #expect(
                    rect.column >= 0 && rect.row >= 0 && rect.column + rect.columns <= columns && rect.row + rect.rows <= rows)
                for run in pane.pane.runs {
                    #expect(
                        run.column >= 0 && run.column + ChromeText.columns(of: run.text) <= rect.columns,
                        "\(columns)x\(rows) \(run)")
                    #expect(run.row >= 0 && run.row < rect.rows)
                }
                #expect(pane.frame.window.contains(try #require(model.cueList).selection))
            }
        }
    }

    @Test func tabGoesToTheNextTrackWithTheSameWords() {
        let (model, _) = pressing([KeyStroke(.tab)], opened(.searchSubtitles, typing: "hello"))
        #expect(model.listedTrack == TrackID(.container, 4) && model.cueList?.query == "hello")
    }
}

@Suite struct SkipBackTests {
    private func model() -> AppModel {
        var model = AetherUITests.model()
        model.subtitles.afterSkipBack = .seconds(10)
        return model
    }

    private func sent(_ effects: [AppEffect]) -> [PlayerCommand] {
        effects.compactMap { if case .send(let command) = $0 { command } else { nil } }
    }

    /// The engine has done what was asked, and the film is there.
    private func playing(_ model: inout AppModel, at position: Double, _ time: Double) -> [PlayerCommand] {
        var snapshot = film()
        snapshot.position = .seconds(position)
        snapshot.activeSubtitleTrack = model.snapshot.activeSubtitleTrack
        return sent(model.update(.snapshot(snapshot), now: at(time)))
    }

    @Test func whatWasSaidIsReadForAWhile() {
        var model = model()
        // English is heard.
        #expect(
            sent(model.update(.action(.seek(seconds: -5)), now: at(1)))
                == [.skip(by: .seconds(-5), .refined), .selectSubtitleTrack(TrackID(.container, 3))])
        #expect(playing(&model, at: 1805, 2) == [])
        #expect(playing(&model, at: 1814.9, 12) == [])
        #expect(model.nextWake(after: at(12)).map { $0 <= at(12.2) } == true)
        #expect(playing(&model, at: 1815, 12.1) == [.selectSubtitleTrack(nil)])
        #expect(playing(&model, at: 1816, 13) == [])
    }

    @Test func anotherSkipBackBeginsTheTimeAnew() {
        var model = model()
        _ = model.update(.action(.seek(seconds: -5)), now: at(1))
        _ = playing(&model, at: 1812, 8)
        #expect(sent(model.update(.action(.seekExactly(seconds: -1)), now: at(8))) == [.skip(by: .seconds(-1), .exact)])
        #expect(playing(&model, at: 1816, 13) == [])
        #expect(playing(&model, at: 1821, 18) == [.selectSubtitleTrack(nil)])
    }

    @Test func aChoiceOfThePersonsStays() {
        var model = model()
        _ = model.update(.action(.seek(seconds: -5)), now: at(1))
        _ = model.update(.action(.nextSubtitleTrack), now: at(2))
        #expect(playing(&model, at: 1900, 60) == [])
    }

    @Test func nothingHappensForwardOrWhereSubtitlesAreOnOrTheOptionIsOff() {
        var model = model()
        #expect(sent(model.update(.action(.seek(seconds: 5)), now: at(1))).count == 1)
        _ = model.update(.action(.toggleSubtitles), now: at(2))
        #expect(sent(model.update(.action(.seek(seconds: -5)), now: at(3))).count == 1)
        var off = AetherUITests.model()
        #expect(sent(off.update(.action(.seek(seconds: -5)), now: at(1))).count == 1)
    }
}
