import AetherCore
import AetherEngine
import AetherTerminal
import Testing

@testable import AetherUI

/// The list of files: what is repeated, in which order, and what keys do to it.
@Suite struct FileListTests {
    private func playing(_ count: Int = 4, at index: Int = 1) -> AppModel {
        var model = model()
        _ = model.update(.playlist(PlaylistPosition(index: index, count: count, name: "\(index).mkv", queued: 1)), now: at(0))
        _ = model.update(.files((0..<count).map { "\($0).mkv" }), now: at(0))
        _ = model.update(.snapshot(film()), now: at(0))
        return model
    }

    @Test func repeatGoesRoundItsWays() {
        var (model, effects) = pressing([KeyStroke("n"), KeyStroke("n"), KeyStroke("n")], playing())
        #expect(effects == [.setRepeats(.list), .setRepeats(.file), .setRepeats(.off)])
        #expect(model.message?.text == "Repeat: off")
        // Of one file the list is the file.
        (model, effects) = pressing([KeyStroke("n"), KeyStroke("n")], playing(1, at: 0))
        #expect(effects == [.setRepeats(.file), .setRepeats(.off)])
    }

    @Test func shuffleIsOnOrOffAndNothingForOneFile() {
        #expect(pressing([KeyStroke("X"), KeyStroke("X")], playing()).1 == [.setShuffled(true), .setShuffled(false)])
        let (model, effects) = pressing([KeyStroke("X")], playing(1, at: 0))
        #expect(effects == [] && model.message?.text == "There is only one file")
    }

    @Test func theBarSaysWhatIsRepeatedAndAClickChangesIt() throws {
        var (model, _) = pressing([KeyStroke("n"), KeyStroke("X")], playing())
        _ = model.update(.tick, now: at(5))
        let row = TitleRow(model.scene, columns: 200)
        let words = row.words.filter { ["Repeat", "Shuffle"].contains($0.text) }
        #expect(words.map(\.action) == [.nextRepeat, .toggleShuffle])
    }

    @Test func filesAreCarriedAndTakenOutInTheirMenu() throws {
        var (model, effects) = pressing([KeyStroke("P")], playing())
        #expect(model.menu?.items.map(\.detail) == ["1", "2", "up next 3", "4"])
        (model, effects) = pressing([KeyStroke(.delete)], model)
        #expect(effects == [] && model.message?.text.contains("stays in the list") == true)
        (model, effects) = pressing([KeyStroke(.down), KeyStroke(.down, .shift)], model)
        #expect(effects == [.moveFile(2, to: 3)] && model.menu?.choice == .file(3))
        // The order comes back; the selection stays on the file that was carried.
        _ = model.update(.files(["0.mkv", "1.mkv", "3.mkv", "2.mkv"]), now: at(3))
        #expect(model.menu?.items.map(\.label) == ["0.mkv", "1.mkv", "3.mkv", "2.mkv"] && model.menu?.choice == .file(3))
        #expect(pressing([KeyStroke(.down, .shift)], model).1 == [])
        #expect(pressing([KeyStroke(.delete)], model).1 == [.removeFile(3)])
        // Elsewhere Del is no key of a menu.
        #expect(pressing([KeyStroke("a"), KeyStroke(.delete)], playing()).1 == [])
    }

    // MARK: - The mouse on lists

    private func mouse(_ model: inout AppModel, _ action: MouseEvent.Action, _ x: Int, _ y: Int) -> [AppEffect] {
        model.update(.mouse(MouseEvent(action, action == .move ? .none : .left, x: x, y: y)), now: at(2)).filter { $0 != .redraw }
    }

    private func menuOfChapters(_ count: Int) throws -> (AppModel, ListFrame) {
        var snapshot = film()
        snapshot.chapters = (0..<count).map {
            ChapterInfo(id: $0, name: "Part \($0)", start: .seconds(Double(10 + $0)), duration: .seconds(1))
        }
        let (model, _) = pressing([KeyStroke("T")], model(snapshot))
        return (model, try #require(model.menu?.frame(in: model.scene)))
    }

    @Test func theEntryUnderThePointerIsSelected() throws {
        var (model, frame) = try menuOfChapters(5)
        #expect(mouse(&model, .move, frame.rect.column + 4, frame.rect.row + 2) == [] && model.menu?.selection == 1)
        #expect(mouse(&model, .move, frame.rect.column + 4, frame.rect.row) == [] && model.menu?.selection == 1)
        #expect(mouse(&model, .press, frame.rect.column + 4, frame.rect.row + 2) == [.send(.seek(to: .seconds(11), .exact))])
    }

    @Test func aScrollBarIsClickedAndDragged() throws {
        var (model, frame) = try menuOfChapters(100)
        let bar = frame.rect.column + frame.rect.columns - 1, first = frame.rect.row + 1,
            last = frame.rect.row + frame.window.count
        #expect(mouse(&model, .press, bar, last) == [] && model.menu?.selection == 99)
        // Held, it follows wherever the pointer goes, also beside the bar and beyond its ends.
        #expect(mouse(&model, .drag, 0, first) == [] && model.menu?.selection == 0)
        _ = mouse(&model, .drag, 0, (first + last) / 2)
        #expect((40...60).contains(model.menu?.selection ?? 0))
        _ = mouse(&model, .drag, 0, 0)
        #expect(mouse(&model, .release, 0, 0) == [] && model.menu?.selection == 0 && model.menu != nil)
        // Let go, it is let go.
        _ = mouse(&model, .drag, bar, last)
        #expect(model.menu?.selection == 0)
    }

    // MARK: - Pixels

    @Test func aPointerThatIsToldInPixelsPointsInsideACell() throws {
        var model = model()
        let line = try #require(
            (0..<80).first { column in
                if case .progress? = TransportBar.target(model.scene, column: column, row: 23) { true } else { false }
            })
        func place(_ column: Int, _ part: Double?) -> MediaTime? {
            _ = model.update(.mouse(MouseEvent(.move, .none, x: column, y: 23, part: part)), now: at(2))
            return model.scrub?.target
        }
        let left = try #require(place(line + 10, 0.1)), right = try #require(place(line + 10, 0.9))
        let cell = try #require(place(line + 11, 0.1)) - left
        #expect(abs((right - left).seconds / cell.seconds - 0.8) < 0.01)
        #expect(place(line, 0) == .seconds(10))
    }

    // MARK: - From cue to cue

    @Test func onGoesToWhatIsSaidNextAndBackToWhatWasSaid() throws {
        var snapshot = film()
        snapshot.activeSubtitleTrack = TrackID(.container, 3)
        snapshot.subtitleDelay = .seconds(1)
        let asking = pressing([KeyStroke(.right, .control), KeyStroke(.left, .control)], model(snapshot))
        #expect(asking.1 == [.stepCue(TrackID(.container, 3), 1), .stepCue(TrackID(.container, 3), -1)])
        let cues = [1700, 1808.8, 1830].enumerated().map { index, start in
            SubtitleCue(
                id: index, track: TrackID(.container, 3), start: .seconds(start), end: .seconds(start + 5), body: .text("x"))
        }
        let listing = CueListing(track: TrackID(.container, 3), revision: 1, cues: cues, spans: nil)
        func target(_ count: Int, from position: Double) -> [AppEffect] {
            snapshot.position = .seconds(position)
            var model = model(snapshot)
            return model.update(.cueStep(listing, count), now: at(2)).filter { $0 != .redraw }
        }
        #expect(target(1, from: 1810) == [.send(.seek(to: .seconds(1831), .exact))])
        // 0.2 s into a cue back means the one before, later its own beginning.
        #expect(target(-1, from: 1810) == [.send(.seek(to: .seconds(1701), .exact))])
        #expect(target(-1, from: 1812) == [.send(.seek(to: .seconds(1809.8), .exact))])
        #expect(target(1, from: 1900) == [] && target(-1, from: 1700) == [])
        var silent = film()
        silent.activeSubtitleTrack = nil
        #expect(pressing([KeyStroke(.right, .control)], model(silent)).0.message?.text == "No subtitles are selected")
    }
}
