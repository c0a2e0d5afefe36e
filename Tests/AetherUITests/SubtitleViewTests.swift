import AetherCore
import AetherEngine
import AetherTerminal
import AetherTestSupport
import Testing

@testable import AetherUI

@Suite struct SubtitleViewTests {
    private func model(_ cues: [SubtitleCue], columns: Int = 40, rows: Int = 12) -> AppModel {
        var snapshot = film()
        snapshot.visibleCues = cues
        snapshot.videoSize = PixelSize(width: 1600, height: 960)
        return AetherUITests.model(snapshot, columns: columns, rows: rows)
    }

    private func cue(_ body: SubtitleCue.Body, _ placement: SubtitleTextPlacement? = nil, id: Int = 1) -> SubtitleCue {
        SubtitleCue(id: id, track: TrackID(.container, 3), start: .zero, end: .seconds(1), body: body, placement: placement)
    }

    /// The rows as text with the looks of each stretch behind them.
    private func drawn(_ cues: [SubtitleCue], columns: Int = 40, rows: Int = 12) -> String {
        var model = model(cues, columns: columns, rows: rows)
        model.scene.bar.mode = .off
        model.scene.bar.isVisible = false
        var overlay = CellOverlay(CellSize(columns: columns, rows: rows))
        for line in ChromeView.subtitles(model) { line.draw(Theme.standard[.subtitle], into: &overlay) }
        return overlay.text.joined(separator: "\n")
    }

    static let scripts: [(name: String, text: String)] = [
        ("latin", "Garçon, où est l'œuvre? Żółć, naïve cafe\u{301}s – “quoted” words that need two lines"),
        ("cjk", "昨日の夜はどこにいたの？「みんな」であなたを待っていました。그는 집에 갔다. 他们在等你，快走吧！"),
        ("arabic", "أين كنت البارحة؟ لقد انتظرناك حتى منتصف الليل (12:30) ثم ذهبنا."),
        ("hebrew", "שָׁלוֹם! איפה היית אתמול בערב? (John 3:16) חיכינו לך."),
        ("thai", "เมื่อคืนนี้คุณไปอยู่ที่ไหนมา พวกเรารอคุณจนถึงเที่ยงคืน"),
        ("emoji", "👨‍👩‍👧 went 👍🏽 ❤️ to 🇩🇪 – ok 😀!"),
        ("mixed", "He said “שלום עולם” and left 東京."),
    ]

    @Test(arguments: scripts.indices) func everyScriptHasItsWidthAndDirection(_ index: Int) {
        let script = Self.scripts[index]
        let screen = drawn([cue(.text(script.text))])
        // Whatever the script, the cells add up: no line is longer or shorter than the screen.
        for row in screen.split(separator: "\n", omittingEmptySubsequences: false) {
            #expect(ChromeText.columns(of: String(row)) == 40)
        }
        expectGolden(text: screen, "subtitles-\(script.name)")
    }

    @Test func cuesOfOnePointStandBelowEachOther() {
        for alignment in [1, 7] {
            let place = SubtitleTextPlacement(
                alignment: alignment, position: SubtitlePoint(x: 0.1, y: alignment == 1 ? 0.9 : 0.1))
            let screen = drawn([cue(.text("first"), place, id: 1), cue(.text("second"), place, id: 2)])
            let rows = screen.split(separator: "\n", omittingEmptySubsequences: false)
            let (first, second) = (rows.firstIndex { $0.contains("first") }, rows.firstIndex { $0.contains("second") })
            #expect(first != nil && second == first.map { $0 + 1 }, "\(screen)")
        }
    }

    @Test func placesAreKept() {
        let cues = [
            cue(.text("bottom one"), id: 1), cue(.text("bottom two"), id: 2),
            cue(.text("top left"), SubtitleTextPlacement(alignment: 7), id: 3),
            cue(.text("right"), SubtitleTextPlacement(alignment: 6), id: 4),
            cue(.text("sign"), SubtitleTextPlacement(alignment: 5, position: SubtitlePoint(x: 0.25, y: 0.5)), id: 5),
            cue(.text("corner"), SubtitleTextPlacement(alignment: 3, position: SubtitlePoint(x: 1, y: 1)), id: 6),
        ]
        expectGolden(text: drawn(cues), "subtitles-places")
    }

    @Test func looksReachTheCells() throws {
        let runs = [
            SubtitleTextRun("plain "), SubtitleTextRun("bold", isBold: true), SubtitleTextRun(" it", isItalic: true),
            SubtitleTextRun(" ul", isUnderlined: true), SubtitleTextRun(" yel", color: SubtitleColor(r: 255, g: 255, b: 0)),
            SubtitleTextRun(" dark", color: SubtitleColor(r: 0, g: 0, b: 40)),
        ]
        let line = try #require(SubtitleView.lines(model([cue(.richText(runs))]).scene, above: nil).first)
        var overlay = CellOverlay(CellSize(columns: 40, rows: 12))
        line.draw(ChromeFace(foreground: .rgb(255, 255, 255), background: .rgb(0, 0, 0)), into: &overlay)
        func cell(_ offset: Int) -> Cell { overlay.grid[line.column + 1 + offset, line.row] }
        #expect(cell(0).style == [] && cell(0).foreground == .rgb(255, 255, 255) && cell(0).background == .rgb(0, 0, 0))
        #expect(cell(6).style == .bold && cell(11).style == .italic && cell(14).style == .underline)
        #expect(cell(18).foreground == .rgb(255, 255, 0))
        // Dark text is lifted until it can be read.
        #expect(cell(22).foreground.blue >= 100 && cell(22).foreground.red >= 90)
    }

    @Test func layersOfOneTextAreOneText() {
        #expect(SubtitleView.lines(model([cue(.text("x"), id: 1), cue(.text("x"), id: 2)]).scene, above: nil).count == 1)
    }
}
