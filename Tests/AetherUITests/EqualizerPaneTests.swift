import AetherCore
import AetherEngine
import AetherTerminal
import Testing

@testable import AetherUI

@Suite struct EqualizerPaneTests {
    private func opened(columns: Int = 80, rows: Int = 24) -> AppModel {
        var model = model(columns: columns, rows: rows)
        _ = model.update(.key(KeyStroke("E")), now: at(1))
        return model
    }

    private func pressing(_ keys: [KeyStroke.Key], _ model: AppModel) -> (AppModel, [AppEffect]) {
        AetherUITests.pressing(keys.map { KeyStroke($0) }, model)
    }

    @Test func arrowsChooseABandAndMakeItLouder() {
        let (model, effects) = pressing([.down, .right, .right, .up, .left], opened())
        #expect(
            effects == [
                .send(.set(.equalizer(EqualizerCurve([0, 1])))), .send(.set(.equalizer(EqualizerCurve([0, 2])))),
                .send(.set(.equalizer(EqualizerCurve([-1, 2])))),
            ])
        #expect(model.message?.text == "Equaliser: -1,2,0,0,0,0,0,0,0,0")
    }

    @Test func aBandEndsAtTwelve() {
        let (model, _) = pressing(Array(repeating: .right, count: 40), opened())
        #expect(model.snapshot.equalizer == EqualizerCurve([12]))
    }

    @Test func tabGoesThroughThePresetsAndBackspaceIsFlat() {
        var model = opened(), names: [String?] = []
        for _ in 0..<4 {
            model = pressing([.tab], model).0
            names.append(model.snapshot.equalizer.name)
        }
        #expect(names == ["speech", "bass", "night", "flat"])
        #expect(pressing([.tab, .backspace], model).0.snapshot.equalizer.isFlat)
        #expect(pressing([.escape], model).0.layers[EqualizerLayer.self] == nil)
    }

    @Test func aClickOnABarSetsItAndTheWheelTurnsIt() throws {
        var model = opened()
        let rows = try rendered(model)
        let y = try #require(rows.firstIndex { $0.contains("1 kHz") })
        let pane = try #require(model.layers[EqualizerLayer.self].flatMap { EqualizerPane($0.band, model.scene) })
        let x = try #require((0..<80).first { pane.gain(column: $0) == 5 })
        _ = model.update(.mouse(MouseEvent(.press, .left, x: x, y: y, [], unit: .cells)), now: at(2))
        #expect(model.snapshot.equalizer == EqualizerCurve([0, 0, 0, 0, 0, 5]) && model.layers[EqualizerLayer.self]?.band == 5)
        _ = model.update(.mouse(MouseEvent(.scrollDown, .left, x: x, y: y, [], unit: .cells)), now: at(2))
        #expect(model.snapshot.equalizer[5] == 4)
    }

    /// A window of ten rows and the bar: all that is seen of the bar stays, and the bands are scrolled.
    @Test func itLeavesTheBarAloneWhereItCan() throws {
        let rows = try rendered(opened(columns: 40, rows: 12))
        let bare = try rendered(pressing([.escape], opened(columns: 40, rows: 12)).0)
        #expect(rows[11] == bare[11])
        #expect(rows[9].contains("Tab preset") && !rows.contains { $0.contains("16 kHz") })
        #expect(try rendered(pressing([.up], opened(columns: 40, rows: 12)).0).contains { $0.contains("16 kHz") })
    }

    @Test func whatLiesOverTheBarHidesAllOfIt() throws {
        let rows = try rendered(opened(columns: 40, rows: 4))
        #expect(rows[0].contains("Equaliser") && rows[3].hasPrefix(" \u{2190} \u{2192} dB"))
    }

    @Test(arguments: [(19, 5), (21, 6), (24, 6), (29, 5)])
    func narrowWindowsHaveAShorterScale(_ columns: Int, _ rows: Int) throws {
        var model = opened(columns: columns, rows: rows)
        #expect(try rendered(model).contains { $0.contains("31 Hz") && $0.contains("\u{253C}") })
        let (after, effects) = pressing([.right], model)
        #expect(effects == [.send(.set(.equalizer(EqualizerCurve([1]))))])
        model = after
        let pane = try #require(model.layers[EqualizerLayer.self].flatMap { EqualizerPane($0.band, model.scene) })
        let gains = (0..<columns).compactMap { pane.gain(column: $0) }
        #expect(gains.first == -12 && gains.contains(0) && gains.last == 12)
    }

    @Test func whatIsNotSeenTakesNoKeys() {
        let model = opened(columns: 18, rows: 5)
        #expect(model.layers[EqualizerLayer.self] == nil && model.message?.text == "No room for the equaliser")
        var shrunk = opened()
        _ = shrunk.update(.resize(CellSize(columns: 18, rows: 5)), now: at(2))
        #expect(pressing([.right], shrunk).1.contains { if case .send(.skip) = $0 { true } else { false } })
    }

    @Test func itOutlivesTheFile() {
        var (model, _) = pressing([.tab], opened())
        _ = model.update(.playlist(PlaylistPosition(index: 1, count: 2)), now: at(3))
        #expect(model.snapshot.equalizer.name == "speech")
    }

    @Test(arguments: [(1, 1), (29, 5), (30, 6), (40, 12), (80, 24), (200, 60)]) func itFitsEverywhere(_ columns: Int, _ rows: Int)
        throws
    {
        for row in try rendered(pressing([.end], opened(columns: columns, rows: rows)).0) {
            #expect(ChromeText.columns(of: row) == columns)
        }
    }
}
