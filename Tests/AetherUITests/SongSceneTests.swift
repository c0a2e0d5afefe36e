import AetherCore
import AetherEngine
import AetherFormats
import AetherTerminal
import AetherTestSupport
import Foundation
import Testing

@testable import AetherUI

/// A song of four minutes that stands at 1:05.
private func song(cover: Bool = true, lyrics: String? = nil, title: String = "Lied der Elfen") -> EngineSnapshot {
    var snapshot = film()
    snapshot.videoTracks = []
    snapshot.activeVideoTrack = nil
    snapshot.subtitleTracks = []
    snapshot.chapters = []
    snapshot.duration = .seconds(240)
    snapshot.position = .seconds(75)
    snapshot.bufferedPosition = .seconds(80)
    snapshot.metadata = MediaMetadata(
        title: title, artist: "Die Sänger", album: "Wald", year: "1998", track: "3/12", lyrics: lyrics,
        artworkData: cover ? [1, 2, 3] : nil)
    return snapshot
}

private let synced = (0..<30).map { "[0\($0 / 6):\(String($0 % 6 * 10 + 100).suffix(2)).00]Line \($0) of the song" }
    .joined(separator: "\n")

/// The model of a song, with a spectrum of one tone.
private func listening(_ snapshot: EngineSnapshot, columns: Int = 80, rows: Int = 24, isUnicode: Bool = true) -> AppModel {
    var model = model(snapshot, columns: columns, rows: rows, isUnicode: isUnicode)
    let tone = (0..<1024).map { index -> Float in
        let angle = 2 * Double.pi * Double(index) / 48_000
        let high = 0.25 * sin(angle * 1000), low = 0.1 * sin(angle * 120)
        return Float(high + low)
    }
    _ = model.update(.heard(tone), now: at(1))
    return model
}

@Suite struct SongSceneTests {
    @Test(arguments: [(80, 24), (40, 12), (200, 60), (16, 4), (30, 20)])
    func everySizeHasItsScreen(_ columns: Int, _ rows: Int) throws {
        let screen = try rendered(listening(song(lyrics: synced), columns: columns, rows: rows))
        for row in screen { #expect(ChromeText.columns(of: row) == columns) }
        expectGolden(text: screen.joined(separator: "\n"), "sound-\(columns)x\(rows)")
    }

    @Test func asciiWideAndEndless() throws {
        let ascii = try rendered(listening(song(lyrics: synced), columns: 72, rows: 20, isUnicode: false))
        #expect(ascii.joined().replacing("·", with: "").utf8.allSatisfy { $0 < 0x80 })
        let wide = song(
            cover: false, lyrics: "[00:01.00]" + String(repeating: "長い歌", count: 200), title: String(repeating: "題名", count: 500))
        let screen = try rendered(listening(wide, columns: 60, rows: 16))
        for row in screen { #expect(ChromeText.columns(of: row) == 60) }
        expectGolden(text: (ascii + [""] + screen).joined(separator: "\n"), "sound-ascii-wide")
    }

    @Test func theLayoutLeavesTheBarItsRoomAtEverySize() {
        for columns in [1, 8, 20, 63, 64, 80, 160, 400] {
            for rows in [1, 2, 3, 6, 11, 12, 24, 45, 100] {
                for cover in [true, false] {
                    let layout = SongLayout(model(song(cover: cover), columns: columns, rows: rows).scene)
                    let bar = BarState.rows(on: CellSize(columns: columns, rows: rows))
                    let parts = [layout.cover, layout.text, layout.spectrum].compactMap { $0 }
                    for part in parts {
                        #expect(part.columns >= 1 && part.rows >= 1 && part.column >= 0 && part.row >= 0)
                        #expect(part.column + part.columns <= columns && part.row + part.rows <= rows - bar, "\(columns)x\(rows)")
                    }
                    let cells = parts.reduce(0) { $0 + $1.columns * $1.rows }
                    #expect(cells <= columns * max(0, rows - bar))
                    #expect(layout.cover == nil || cover)
                }
            }
        }
    }

    @Test func onlyAudioWithoutAFrameHasTheScreen() throws {
        #expect(!model().isAudioOnly && model().coverArea == nil)
        #expect(SongPanes.panes(model().scene).isEmpty)
        #expect(model(song()).isAudioOnly && model(song()).coverArea != nil)
        var loading = song()
        loading.phase = .loading
        #expect(!model(loading).isAudioOnly)
    }

    @Test func theRoomOfAHiddenBarHasTheGroundOfTheRest() throws {
        var model = listening(song())
        #expect(!SongPanes.panes(model.scene).contains { $0.window == .barGround })
        _ = model.update(.action(.toggleBar), now: at(2))
        let ground = try #require(SongPanes.panes(model.scene).first { $0.window == .barGround })
        #expect(ground.rect == CellRect(column: 0, row: 22, columns: 80, rows: 2) && ground.fill == .pane)
    }

    @Test func theLineThatIsSungIsEmphasisedAndTheBarStays() throws {
        var model = listening(song(lyrics: synced))
        func sung() -> String? {
            SongPanes.panes(model.scene).flatMap(\.runs).first { $0.role == ThemeRole.paneSelected.chromeRole }?.text
        }
        #expect(sung() == "Line 6 of the song")
        _ = model.update(.tick, now: at(60))
        #expect(model.isBarVisible)
        var later = song(lyrics: synced)
        later.position = .seconds(10 + 85)
        _ = model.update(.snapshot(later), now: at(61))
        #expect(sung() == "Line 8 of the song")
        #expect(model.lyricsDue(after: at(61)) == at(66))
    }

    @Test func wordsInAFileWinUnlessOnlyTheTagsHaveTimes() {
        var model = model(song(lyrics: "plain words"))
        #expect(model.song.lyrics?.isSynced == false)
        _ = model.update(.lyrics(Lyrics("[00:01.00]x")), now: at(1))
        #expect(model.song.lyrics?.isSynced == true)
        var timed = AppModel(size: CellSize(columns: 80, rows: 24), now: at(0))
        _ = timed.update(.snapshot(song(lyrics: synced)), now: at(0))
        _ = timed.update(.lyrics(Lyrics("plain")), now: at(1))
        #expect(timed.song.lyrics?.isSynced == true)
        _ = timed.update(.playlist(PlaylistPosition(index: 1, count: 2, name: "next")), now: at(2))
        #expect(timed.song.lyrics == nil)
    }

    @Test func aSongNeverWakesAtOnceAgainAndIsHeardFromItsFirstTickOn() throws {
        var model = model(song())
        #expect(model.spectrumDue(after: at(0)) == at(0))
        for second in [1.0, 5, 60] {
            _ = model.update(.tick, now: at(second))
            _ = model.update(.heard(nil), now: at(second))
            #expect(try #require(model.nextWake(after: at(second))) >= at(second + 0.005), "at \(second)")
        }
    }

    @Test func theSpectrumWakesTwelveTimesASecondWhileItPlaysAndNotAfterwards() throws {
        var model = listening(song())
        #expect(model.spectrumDue(after: at(1)) == at(1.08))
        #expect(try #require(model.nextWake(after: at(1))) <= at(1.08))
        var paused = song()
        (paused.phase, paused.wantsToPlay) = (.paused, false)
        _ = model.update(.snapshot(paused), now: at(2))
        #expect(model.spectrumDue(after: at(2)) != nil)
        for step in 0..<8 { _ = model.update(.heard(nil), now: at(3 + Double(step))) }
        #expect(model.spectrumDue(after: at(20)) == nil)
    }
}
