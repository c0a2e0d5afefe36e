import AetherCore
import AetherEngine
import AetherTerminal
import Testing

@testable import AetherUI

@Suite struct NoticeLogTests {
    private func told(_ count: Int, columns: Int = 80, rows: Int = 24) -> AppModel {
        var model = model(columns: columns, rows: rows)
        model.scene.notices.setClock(86_398, at: at(0))
        for number in 0..<count { _ = model.update(.notice("Notice \(number)"), now: at(Double(number))) }
        _ = model.update(.key(KeyStroke("e")), now: at(Double(count)))
        return model
    }

    private func pressing(_ keys: [KeyStroke.Key], _ model: AppModel) -> AppModel {
        var model = model
        for key in keys { _ = model.update(.key(KeyStroke(key)), now: at(100.5)) }
        return model
    }

    @Test func theLast200AreKeptWithTheTimeOfTheirDay() throws {
        let entries = told(250).notices.entries
        #expect(entries.count == 200 && entries.first?.text == "Notice 50" && entries.last?.text == "Notice 249")
        let clock = told(4).notices.entries.map(\.time)
        #expect(clock == ["23:59:58", "23:59:59", "00:00:00", "00:00:01"])
    }

    @Test func whatRepeatsIsCountedAndPushesNothingOut() throws {
        var model = told(3)
        for second in 10..<500 { _ = model.update(.notice("The disk is slow"), now: at(Double(second))) }
        #expect(model.notices.entries.count == 4)
        #expect(try rendered(model).contains { $0.contains("The disk is slow (490 times)") })
    }

    @Test func whatAFileSaysIsStrippedAndErrorsStandOut() throws {
        var model = told(0)
        _ = model.update(.notice("a\u{1B}[31mb\nc"), now: at(1))
        var failed = film()
        failed.phase = .error(MediaError(.readFailed, "read", subject: "x"))
        _ = model.update(.snapshot(failed), now: at(2))
        #expect(model.notices.entries.map(\.isError) == [false, true])
        #expect(model.notices.entries[0].text.unicodeScalars.allSatisfy { !DisplayText.isUnsafe($0) })
        let warned = NoticePane(NoticeList(), model.scene)?.pane.runs.filter { $0.role == ThemeRole.paneWarning.chromeRole }
        #expect(warned?.count == 1)
    }

    @Test func anErrorThatIsToldAgainOnTheNextBarIsKeptOnce() {
        var model = told(0), failed = film()
        failed.phase = .error(MediaError(.readFailed, "read", subject: "x"))
        _ = model.update(.snapshot(failed), now: at(1))
        let words = model.notices.entries.map(\.text)
        _ = model.update(.notice(words.last ?? ""), now: at(2))
        #expect(words.count == 1 && model.notices.entries.map(\.text) == words && model.notices.entries.last?.count == 1)
    }

    @Test func theNewestIsSeenAndKeysGoToTheOldest() throws {
        let model = told(100)
        #expect(try rendered(model).contains { $0.contains("Notice 99 ") })
        let oldest = pressing([.home], model)
        #expect(try rendered(oldest).contains { $0.contains("Notice 0 ") })
        #expect(try !rendered(oldest).contains { $0.contains("Notice 99 ") })
        let newest = try rendered(model)
        #expect(try rendered(pressing([.end], oldest)) == newest)
        #expect(try !rendered(pressing([.up], model)).contains { $0.contains("Notice 99 ") })
        #expect(try rendered(pressing([.pageUp, .pageDown], model)) == newest)
        #expect(pressing([.escape], model).layers[NoticeList.self] == nil)
    }

    /// Behind a slash; Backspace takes letters back, Escape shows all again and then closes.
    @Test func aFilterListsTheNoticesThatHaveItsWords() throws {
        let model = told(100), found = pressing("/42 NOT".map { .character($0) }, model)
        let lines = try rendered(found)
        #expect(lines.contains { $0.contains("/42 NOT_") })
        // The one of that number, and the one of 00:00:42.
        let rows = lines.filter { $0.contains("Notice ") && $0.contains(":") }
        #expect(rows.count == 2 && rows[0].contains("Notice 42 ") && rows[1].contains("00:00:42  Notice 44 "), "\(rows)")
        let none = pressing("x".map { .character($0) }, found)
        #expect(try rendered(none).contains { $0.contains("No notice has these words") })
        #expect(pressing([.backspace], none).layers[NoticeList.self] == found.layers[NoticeList.self])
        let all = pressing([.escape], none)
        #expect(try rendered(all) == rendered(model))
        #expect(pressing([.escape], all).layers[NoticeList.self] == nil)
    }

    @Test func theWheelScrollsIt() throws {
        var model = told(100)
        for _ in 0..<200 {
            _ = model.update(.mouse(MouseEvent(.scrollUp, .left, x: 20, y: 5, [], unit: .cells)), now: at(200))
        }
        #expect(try rendered(model).contains { $0.contains("Notice 0 ") })
        #expect(model.snapshot.volume == 1, "the wheel turns no volume here")
    }

    @Test(arguments: [(1, 1), (16, 3), (40, 12), (80, 24), (400, 100)]) func itFitsEverywhere(_ columns: Int, _ rows: Int) throws
    {
        var model = told(30, columns: columns, rows: rows)
        _ = model.update(.notice(String(repeating: "長い ", count: 200)), now: at(40))
        for row in try rendered(model) { #expect(ChromeText.columns(of: row) == columns) }
    }
}
