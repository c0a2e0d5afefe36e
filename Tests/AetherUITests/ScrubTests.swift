import AetherCore
import AetherEngine
import AetherTerminal
import Testing

@testable import AetherUI

@Suite struct PointerTests {
    @Test func aPointerThatMovesBringsTheBarBackForAWhile() {
        var model = model()
        _ = model.update(.tick, now: at(20))
        #expect(!model.isBarVisible)
        _ = model.update(.mouse(MouseEvent(.move, x: 40, y: 3)), now: at(21))
        #expect(model.isBarVisible)
        _ = model.update(.tick, now: at(26))
        #expect(!model.isBarVisible)
        _ = model.update(.key(KeyStroke("o")), now: at(27))
        _ = model.update(.key(KeyStroke("o")), now: at(27))
        _ = model.update(.mouse(MouseEvent(.move, x: 40, y: 4)), now: at(28))
        #expect(!model.isBarVisible, "off is off")
    }
}

@Suite struct ScrubTests {
    private func press(_ model: inout AppModel, _ key: KeyStroke.Key, _ modifiers: KeyModifiers = [], at seconds: Double = 1)
        -> [AppEffect]
    {
        model.update(.key(KeyStroke(key, modifiers)), now: at(seconds)).filter { $0 != .redraw }
    }
    private func mouse(
        _ model: inout AppModel, _ action: MouseEvent.Action, _ button: MouseEvent.Button = .left, column: Int, row: Int = 23,
        at seconds: Double = 1
    ) -> [AppEffect] {
        model.update(.mouse(MouseEvent(action, button, x: column, y: row, [], unit: .cells)), now: at(seconds)).filter {
            $0 != .redraw
        }
    }
    /// The columns of the progress line of an 80×24 terminal.
    private func column(_ fraction: Double, _ model: AppModel) -> Int {
        (0..<80).first {
            if case .progress(let place)? = TransportBar.target(model.scene, column: $0, row: 23) {
                place >= fraction
            } else {
                false
            }
        } ?? 79
    }
    private var picture: ScrubStill { ScrubStill(image: RasterImage(width: 320, height: 180), number: 1) }

    // MARK: Keys

    @Test func enterLooksWhereTheVideoIsAndTheVideoPlaysOn() {
        var model = model()
        #expect(press(&model, .enter) == [.preview(.seconds(1810))])
        #expect(model.scrub?.hand == .keys && model.snapshot.wantsToPlay)
    }

    @Test func keysMoveAndEnterGoesThere() {
        var model = model()
        _ = press(&model, .enter)
        #expect(press(&model, .right, at: 2) == [.preview(.seconds(1815))])
        #expect(press(&model, .up, at: 3) == [.preview(.seconds(1875))])
        #expect(press(&model, .left, .shift, at: 4) == [.preview(.seconds(1874))])
        #expect(press(&model, .enter, at: 5) == [.endPreview, .send(.seek(to: .seconds(1874), .refined))])
        #expect(model.scrub == nil && model.shownPosition == .seconds(1874))
    }

    @Test func escapeReturnsToTheFilm() {
        var model = model()
        _ = press(&model, .enter)
        _ = press(&model, .home, at: 2)
        #expect(press(&model, .escape, at: 3) == [.endPreview])
        #expect(model.scrub == nil && model.shownPosition == .seconds(1810))
    }

    @Test func chaptersAndEndsAreSteppedTo() {
        var model = model()
        _ = press(&model, .enter)
        #expect(press(&model, .pageUp) == [.preview(.seconds(4060))])
        #expect(press(&model, .home) == [.preview(.seconds(10))])
        #expect(press(&model, .end) == [.preview(.seconds(5410))])
        #expect(press(&model, .right) == [])
    }

    @Test func otherKeysKeepTheirMeaning() {
        var model = model()
        _ = press(&model, .enter)
        #expect(press(&model, .character(" ")) == [.send(.pause)])
        #expect(model.scrub != nil)
    }

    @Test func heldKeysGoFurtherAndAPauseStartsAnew() {
        var pace = ScrubPace()
        let hour = TimeSpan.seconds(7200)
        var steps: [Double] = []
        for number in 0..<50 { steps.append(pace.step(1, in: hour, at: at(Double(number) * 0.03)).seconds) }
        #expect(steps[0] == 5 && steps[5] == 5 && steps[6] == 10 && steps[25] == 40 && steps[49] == 120)
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(pace.step(-1, in: hour, at: at(1.5)).seconds == -5)
        #expect(pace.step(-1, in: hour, at: at(2.5)).seconds == -5)
    }

    @Test(arguments: [(30.0, 1.0), (100, 2), (7200, 5)]) func stepsSuitTheFilm(duration: Double, step: Double) {
        var pace = ScrubPace()
        #expect(pace.step(1, in: .seconds(duration), at: at(0)).seconds == step)
    }

    @Test func aSourceThatCannotSeekIsNotScrubbed() {
        var snapshot = film()
        (snapshot.isSeekable, snapshot.heldRange) = (false, nil)
        var model = model(snapshot)
        #expect(press(&model, .enter) == [])
        #expect(model.scrub == nil)
    }

    // MARK: Mouse

    @Test func thePointerOverTheLineLooksAndLeavesIt() {
        var model = model()
        let middle = column(0.5, model)
        #expect(mouse(&model, .move, .none, column: middle).count == 1)
        #expect(model.scrub?.hand == .hover)
        #expect(mouse(&model, .move, .none, column: middle) == [])
        #expect(mouse(&model, .move, .none, column: middle, row: 5) == [.endPreview])
        #expect(model.scrub == nil)
    }

    @Test func aPointerThatRestsIsForgotten() {
        var model = model()
        _ = mouse(&model, .move, .none, column: column(0.5, model))
        _ = model.update(.tick, now: at(4))
        #expect(model.scrub != nil)
        _ = model.update(.tick, now: at(5.1))
        #expect(model.scrub == nil)
    }

    @Test func lettingGoIsGoingThere() {
        var model = model()
        let start = column(0, model), end = column(1, model)
        #expect(mouse(&model, .press, column: start) == [.preview(.seconds(10))])
        #expect(mouse(&model, .drag, column: 200) == [.preview(.seconds(5410))])
        #expect(mouse(&model, .release, column: end) == [.endPreview, .send(.seek(to: .seconds(5410), .refined))])
    }

    @Test func escapeAndAnotherButtonGiveADragUp() {
        var model = model()
        _ = mouse(&model, .press, column: column(0.5, model))
        #expect(press(&model, .escape) == [.endPreview])
        #expect(mouse(&model, .release, column: 40) == [])
        _ = mouse(&model, .press, column: column(0.5, model))
        #expect(mouse(&model, .press, .right, column: 40, row: 3) == [.endPreview])
        #expect(model.snapshot.wantsToPlay)
    }

    @Test func theBarStaysWhileSomebodyLooks() {
        var model = model()
        _ = press(&model, .enter)
        _ = model.update(.tick, now: at(60))
        #expect(model.isBarVisible)
        #expect(model.nextWake(after: at(60)).map { $0 > at(60) } ?? true)
        _ = press(&model, .escape, at: 61)
        _ = model.update(.tick, now: at(66))
        #expect(!model.isBarVisible)
    }

    // MARK: Views

    @Test func theFrameStandsAboveItsPlaceAndItsTimeBelow() throws {
        var model = model()
        _ = press(&model, .enter)
        #expect(model.scrub.flatMap { ScrubView.imageRect($0, model.scene) } == nil)
        _ = model.update(.preview(picture), now: at(1))
        let bar = try #require(TransportBar.pane(model.scene))
        let rect = try #require(model.scrub.flatMap { ScrubView.imageRect($0, model.scene) })
        let label = try #require(model.scrub?.pane(in: model.scene))
        #expect(rect.columns == 22 && rect.rows == 6)
        #expect(label.rect.row == bar.rect.row - 1 && rect.row + rect.rows == label.rect.row)
        #expect(label.runs.first?.text == "0:30:00  Middle")
        let place = try #require(TransportBar.column(of: .seconds(1810), model.scene))
        #expect((rect.column..<rect.column + rect.columns).contains(place))
    }

    @Test(arguments: [(10, 4), (20, 6), (24, 8), (80, 24), (300, 90)]) func staysOnTheScreen(columns: Int, rows: Int) {
        for target in [10.0, 1810, 5410] {
            var snapshot = film()
            snapshot.position = .seconds(target)
            var model = model(snapshot, columns: columns, rows: rows)
            _ = press(&model, .enter)
            for size in [
                PixelSize(width: 320, height: 180), PixelSize(width: 180, height: 320), PixelSize(width: 1, height: 900),
            ] {
                _ = model.update(
                    .preview(ScrubStill(image: RasterImage(width: size.width, height: size.height), number: 2)), now: at(1))
                guard let scrub = model.scrub, let rect = ScrubView.imageRect(scrub, model.scene) else { continue }
                #expect(rect.column >= 0 && rect.row >= 0 && rect.column + rect.columns <= columns)
                #expect(rect.row + rect.rows < (TransportBar.pane(model.scene)?.rect.row ?? rows))
            }
        }
    }

    @Test func whatIsReadyIsMarkedWhileSomebodyLooks() throws {
        var model = model()
        _ = model.update(.previewsReady([.seconds(4000), .seconds(5000)]), now: at(1))
        func bar(_ model: AppModel) -> String { TransportBar.pane(model.scene)?.runs.map(\.text).joined() ?? "" }
        #expect(!bar(model).contains("▁"))
        _ = press(&model, .enter)
        #expect(bar(model).count { $0 == "▁" } == 2 && bar(model).contains("┃"))
    }

    // MARK: Stills

    @Test func stillsAreAskedForAndAudioHasNone() {
        var model = model()
        #expect(press(&model, .character("s")) == [.saveStill])
        #expect(press(&model, .character("S")) == [.saveScreen])
        var song = film()
        (song.videoTracks, song.activeVideoTrack) = ([], nil)
        var other = AetherUITests.model(song)
        #expect(press(&other, .character("s")) == [])
        #expect(other.message?.text == "No frame to save")
    }

    @Test func whereAFileLiesIsSaid() {
        var model = model()
        _ = model.update(.answer("Saved /tmp/\u{1B}a.png"), now: at(1))
        #expect(model.message?.text == "Saved /tmp/a.png")
        _ = model.update(.tick, now: at(4.1))
        #expect(model.message == nil)
    }

    @Test(
        arguments: [
            ("/tmp/x", [:], "/tmp/x"), (nil, ["XDG_PICTURES_DIR": "/home/a/Pictures"], "/home/a/Pictures"), (nil, [:], "."),
            (nil, ["XDG_PICTURES_DIR": "relative"], "."), ("~/p", ["HOME": "/home/a"], "/home/a/p"),
        ] as [(String?, [String: String], String)]) func stillsGoWhereTheyAreAskedFor(
            wanted: String?, environment: [String: String], folder: String
        )
    {
        #expect(FrameFolders.stills(wanted, environment) == folder)
    }

    @Test func stripsLieInTheCache() {
        #expect(FrameFolders.thumbnails(["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c/aether-tui/thumbnails")
        #expect(FrameFolders.thumbnails(["HOME": "/h"]) == "/h/.cache/aether-tui/thumbnails")
        #expect(FrameFolders.thumbnails([:]) == nil)
    }
}
