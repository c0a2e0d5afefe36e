import AetherCore
import AetherEngine
import AetherTerminal
import AetherTestSupport
import Testing

@testable import AetherUI

/// A film with a track of every kind.
private func manyTracks() -> EngineSnapshot {
    var snapshot = film()
    snapshot.videoTracks = [TrackInfo(id: TrackID(.container, 0), kind: .video, codec: "hevc", isDefault: true)]
    snapshot.activeVideoTrack = TrackID(.container, 0)
    snapshot.audioTracks = [
        TrackInfo(
            id: TrackID(.container, 1), kind: .audio, codec: "eac3", language: "eng", channels: 6, channelLayout: "5.1(side)",
            isDefault: true, isAtmos: true),
        TrackInfo(
            id: TrackID(.container, 2), kind: .audio, codec: "ac3", name: "Regisseur", language: "ger", channels: 2,
            isCommentary: true),
        TrackInfo(id: TrackID(.container, 3), kind: .audio, codec: "truehd", name: "日本語の吹替", language: "jpn", channels: 8),
        TrackInfo(id: TrackID(.container, 9), kind: .audio, codec: "aac", channels: 1),
    ]
    snapshot.subtitleTracks = [
        TrackInfo(id: TrackID(.container, 4), kind: .subtitle, codec: "subrip", language: "eng", isHearingImpaired: true),
        TrackInfo(id: TrackID(.container, 5), kind: .subtitle, codec: "ass", name: "Schilder", language: "ger", isForced: true),
    ]
    snapshot.activeSubtitleTrack = TrackID(.container, 5)
    return snapshot
}

private func manyChapters(_ name: (Int) -> String) -> EngineSnapshot {
    var snapshot = film()
    snapshot.chapters = (0..<60).map {
        ChapterInfo(id: $0, name: name($0), start: .seconds(10 + Double($0) * 90), duration: .seconds(90))
    }
    return snapshot
}

private func opened(_ kind: MenuKind, _ model: AppModel) -> AppModel {
    var model = model
    _ = model.update(.action(.showMenu(kind)), now: at(1))
    return model
}

@Suite struct MenuPaneTests {
    @Test(arguments: [(80, 24), (40, 12), (200, 60)]) func everySizeHasItsScreens(_ columns: Int, _ rows: Int) throws {
        var text = ""
        for kind in MenuKind.allCases {
            text += try screen(opened(kind, model(manyTracks(), columns: columns, rows: rows)))
        }
        expectGolden(text: text, "menus-\(columns)x\(rows)")
    }

    @Test func asciiAndMono() throws {
        var text = ""
        for kind in MenuKind.allCases {
            let model = model(manyTracks(), columns: 60, rows: 14, isUnicode: false, hasColor: false)
            text += try screen(opened(kind, model))
        }
        #expect(text.replacing("·", with: "").utf8.allSatisfy { $0 < 0x80 })
        expectGolden(text: text, "menus-ascii")
    }

    @Test func wideAndEndlessTitles() throws {
        let names = [String(repeating: "長い題名", count: 250), String(repeating: "word ", count: 200), "e\u{301}tude", "ok"]
        var text = ""
        for (columns, rows) in [(80, 24), (40, 12), (24, 6)] {
            let model = opened(.chapters, model(manyChapters { names[$0 % 4] }, columns: columns, rows: rows))
            for row in try rendered(model) { #expect(ChromeText.columns(of: row) == columns, "\(row)") }
            text += try screen(model)
        }
        expectGolden(text: text, "menus-wide")
    }

    @Test func theFootSaysWhatCanBeDoneInWholeWords() throws {
        func foot(_ kind: MenuKind, columns: Int = 80, rows: Int = 24) throws -> String {
            var film = model(manyTracks(), columns: columns, rows: rows)
            _ = film.update(.files(["a", "b"]), now: at(0))
            let model = opened(kind, film)
            let menu = try #require(model.menu)
            let pane = try #require(MenuPane(menu, model.scene))
            let last = pane.frame.rect.rows - 1
            return pane.pane.runs.filter { $0.row == last }.map(\.text).joined()
        }
        #expect(try foot(.chapters) == "Enter choose  / filter")
        #expect(try foot(.files) == "Enter play  / filter  Del remove  Shift+↑ ↓ move")
        #expect(try foot(.audio).hasSuffix("Esc close"))
        #expect(try foot(.actions(.video)).hasPrefix("Enter run  / filter  ← menu"))
        // A low window needs its rows for the list.
        #expect(try !foot(.chapters, columns: 40, rows: 7).contains("Enter"))
    }

    /// Whatever the size, nothing is written outside the pane, and the selection is seen.
    @Test func everySizeFrom1x1() throws {
        for (columns, rows) in [(1, 1), (2, 2), (6, 3), (7, 2), (10, 3), (23, 5), (400, 100)] {
            let model = opened(.chapters, model(manyChapters { "Chapter \($0)" }, columns: columns, rows: rows))
            guard let menu = model.menu, let open = MenuPane(menu, model.scene) else { continue }
            let rect = open.frame.rect
            #expect(rect.column >= 0 && rect.row >= 0 && rect.column + rect.columns <= columns && rect.row + rect.rows <= rows)
            for run in open.pane.runs {
                #expect(
                    run.column >= 0 && run.column + ChromeText.columns(of: run.text) <= rect.columns, "\(columns)x\(rows) \(run)")
            }
            #expect(open.frame.window.contains(try #require(model.menu).selection))
        }
    }
}

@Suite struct MouseTests {
    private func taking(_ events: [MouseEvent], _ model: AppModel) -> (AppModel, [AppEffect]) {
        var model = model
        var effects: [AppEffect] = []
        for event in events { effects += model.update(.mouse(event), now: at(1)).filter { $0 != .redraw } }
        return (model, effects)
    }

    /// Where a text is on the screen.
    private func place(_ text: String, _ model: AppModel) throws -> (x: Int, y: Int) {
        let rows = try rendered(model)
        let y = try #require(rows.firstIndex { $0.contains(text) }, "\(rows)")
        let before = try #require(rows[y].firstRange(of: text)).lowerBound
        return (ChromeText.columns(of: String(rows[y][..<before]).replacing("·", with: " ")), y)
    }

    @Test func aButtonHeldOnTheProgressLineLooksAndLettingGoGoesThere() throws {
        // The line of the golden bar: columns 12 to 70.
        let (model, effects) = taking(
            [
                MouseEvent(.press, .left, x: 12, y: 23), MouseEvent(.drag, .left, x: 71, y: 10),
                MouseEvent(.drag, .left, x: 0, y: 23),
                MouseEvent(.drag, .left, x: 41, y: 23), MouseEvent(.release, .left, x: 41, y: 23),
                MouseEvent(.drag, .left, x: 20, y: 23),
            ], model())
        let middle = MediaTime.seconds(10 + 5400 * 29.5 / 59)
        #expect(
            effects == [
                .preview(.seconds(10)), .preview(.seconds(5410)), .preview(.seconds(10)), .preview(middle), .endPreview,
                .send(.seek(to: middle, .refined)),
            ])
        #expect(model.shownPosition == middle)
    }

    @Test func clicksOnTheBarDoWhatTheKeysDo() throws {
        let model = model()
        let audio = try place("Audio 1/2", model), volume = try place("Vol 100", model)
        #expect(taking([MouseEvent(.press, .left, x: audio.x + 3, y: audio.y)], model).0.menu?.kind == .audio)
        #expect(taking([MouseEvent(.press, .left, x: volume.x, y: volume.y)], model).1 == [.send(.set(.muted(true)))])
        #expect(taking([MouseEvent(.press, .left, x: 1, y: 23)], model).1 == [.send(.pause)])
        #expect(taking([MouseEvent(.press, .left, x: 75, y: 23)], model).0.showsRemaining)
        #expect(taking([MouseEvent(.press, .left, x: 2, y: 22)], model).1.isEmpty)
        #expect(taking([MouseEvent(.press, .left, x: 500, y: 600)], model).1.isEmpty)
    }

    /// Enter waits for the border of a segment, Alt+Enter does not; in other menus Alt is none of the list's.
    @Test func aQualityIsTakenAtOnceWithAlt() throws {
        var snapshot = film()
        snapshot.variants = ["low", "high"].map {
            MediaVariant(id: $0, badges: [$0], size: nil, peakBitRate: 800_000, codecs: [])
        }
        snapshot.activeVariant = "low"
        for (modifiers, turn) in [(KeyModifiers(), VariantTurn.atBorder), (.alt, .atOnce)] {
            var model = model(snapshot)
            _ = model.update(.action(.showMenu(.video)), now: at(2))
            _ = model.update(.key(KeyStroke(.down)), now: at(2))
            let effects = model.update(.key(KeyStroke(.enter, modifiers)), now: at(2))
            #expect(effects.contains(.send(.selectVariant("high", turn))) && model.menu == nil, "\(effects)")
        }
        var audio = opened(.audio, model(film()))
        _ = audio.update(.key(KeyStroke(.enter, .alt)), now: at(2))
        #expect(audio.menu?.kind == .audio)
    }

    @Test func aClickOnAnEntryChoosesItAndOneBesideCloses() throws {
        let open = opened(.audio, model())
        let german = try place("German", open)
        let (chosen, effects) = taking([MouseEvent(.press, .left, x: german.x + 1, y: german.y)], open)
        #expect(effects == [.send(.selectAudioTrack(TrackID(.container, 2)))] && chosen.menu == nil)
        let (closed, none) = taking([MouseEvent(.press, .left, x: 1, y: 1)], open)
        #expect(closed.menu == nil && none.isEmpty)
        let heading = try place("Audio ", open)
        #expect(taking([MouseEvent(.press, .left, x: heading.x, y: heading.y)], open).0.menu?.kind == .audio)
    }

    @Test func theWheelTurnsTheVolumeSeeksOrMovesTheSelection() throws {
        let film = model()
        #expect(taking([MouseEvent(.scrollUp, x: 5, y: 5)], film).1 == [.send(.set(.volume(1.05)))])
        #expect(taking([MouseEvent(.scrollDown, x: 5, y: 5)], film).1 == [.send(.set(.volume(0.95)))])
        #expect(taking([MouseEvent(.scrollUp, x: 30, y: 23)], film).1 == [.send(.skip(by: .seconds(5), .refined))])
        #expect(taking([MouseEvent(.scrollLeft, x: 5, y: 5)], film).1 == [.send(.skip(by: .seconds(-5), .refined))])
        let open = opened(.audio, film)
        let german = try place("German", open)
        let once = taking([MouseEvent(.scrollDown, x: german.x, y: german.y)], open)
        #expect(once.0.menu?.choice == .audioTrack(TrackID(.container, 2)) && once.1.isEmpty)
        let scrolled = taking(Array(repeating: MouseEvent(.scrollDown, x: german.x, y: german.y), count: 5), open)
        #expect(scrolled.0.menu?.choice == .audioFile && scrolled.1.isEmpty)
    }

    @Test func theRightButtonPauses() {
        #expect(taking([MouseEvent(.press, .right, x: 5, y: 5)], model()).1 == [.send(.pause)])
        #expect(taking([MouseEvent(.press, .middle, x: 5, y: 5), MouseEvent(.move, x: 1, y: 1)], model()).1.isEmpty)
    }
}
