import AetherCore
import AetherEngine
import AetherTerminal

/// A request of the browser to the app.
public enum BrowserRequest: Sendable, Equatable {
    /// Read a directory; the answer is an `AppMessage.directory`.
    case read(DirectoryRequest)
    /// Play these files, beginning with one of them, instead of the list.
    case play([String], from: Int)
    /// Play what a playlist lists, or something that was played before.
    case open(String)
    /// Take what the command line would take into the list: behind the present file, or at the end.
    case add(String, isNext: Bool)
    /// Show a picture out of this file; nil: none is wanted any more.
    case look(String?)
}

/// Where the browser begins.
struct BrowserStart: Sendable {
    /// The directory that the program was started in.
    var directory = "/"
    /// What was played before, the latest first.
    var recent: [RecentFile] = []
    /// Somebody who named no file sees three keys with the first pictures.
    var teaches = false
}

extension AppModel {
    /// 6 s: three keys are read twice.
    private static let hintStay = TimeSpan.seconds(6)

    /// The first screen of a player that was started without a file.
    mutating func openFirst(_ now: HostTime) -> [AppEffect] {
        browserStart.teaches = true
        let effects = toggleBrowser(now)
        // Nobody asked for it by a key that has to be answered.
        message = nil
        return effects
    }

    mutating func toggleBrowser(_ now: HostTime) -> [AppEffect] {
        if browser != nil {
            say("Files: off", now)
            closeBrowser(now)
            return []
        }
        say("File browser", now)
        let start = browserStart
        let place = filmPlace
        (menu, cueList) = (nil, nil)
        let playing = place.name.map { Browser.join(place.directory, $0) }
        browser = Browser(place.directory, recent: start.recent.filter { $0.location != playing }, standingOn: place.name)
        return (scrub == nil ? [] : endScrub(now)) + request()
    }

    /// The directory of the film that plays, and its name there.
    var filmPlace: (directory: String, name: String?) { Browser.place(of: playlist.path, in: browserStart.directory) }

    private mutating func closeBrowser(_ now: HostTime) {
        browser = nil
        touchBar(now)
        let isUnicode = capabilities.isUnicode
        if playlist.count == 0, let key = keymap.label(of: .browse, unicode: isUnicode),
            let quit = keymap.label(of: .quit, unicode: isUnicode)
        {
            say("Nothing plays. \(key): files, \(quit): quit", now)
        }
    }

    /// The directory that the browser waits for.
    private func request() -> [AppEffect] { browser?.awaited.map { [.browse(.read($0))] } ?? [] }

    /// Takes a listing in.
    mutating func take(_ answer: DirectoryAnswer) {
        browser?.take(answer)
        settleBrowser()
    }

    /// Takes in what was played before.
    mutating func take(recent: [RecentFile]) {
        browserStart.recent = recent
        let place = filmPlace
        let playing = place.name.map { Browser.join(place.directory, $0) }
        browser?.take(recent: recent.filter { $0.location != playing })
        settleBrowser()
    }

    /// The part that is seen follows the selection and the screen.
    mutating func settleBrowser() {
        guard browser != nil else { return }
        let rows = BrowserPane.pageRows(self)
        browser?.settle(rows: rows)
    }

    /// What a key does while the browser is open; nil: it is not the browser's, and means what it always does.
    mutating func browserKey(_ stroke: KeyStroke, now: HostTime) -> [AppEffect]? {
        guard let browser, stroke.modifiers.isDisjoint(with: [.control, .alt]) else { return nil }
        let page = max(1, BrowserPane.pageRows(self) - 1)
        var effects: [AppEffect] = []
        switch stroke.key {
        case .up: self.browser?.move(by: -1, wraps: true)
        case .down: self.browser?.move(by: 1, wraps: true)
        case .pageUp: self.browser?.move(by: -page)
        case .pageDown: self.browser?.move(by: page)
        case .home: self.browser?.moveToFirst()
        case .end: self.browser?.moveToLast()
        case .enter: effects = chooseInBrowser(now)
        case .tab: return addFromBrowser(isNext: !stroke.modifiers.contains(.shift))
        case .right: if case .directory = browser.choice { effects = chooseInBrowser(now) }
        case .left: effects = goUpInBrowser()
        case .backspace where browser.query.isEmpty: effects = goUpInBrowser()
        case .backspace: self.browser?.erase()
        case .escape where !browser.query.isEmpty: self.browser?.clearQuery()
        case .escape: closeBrowser(now)
        // Other signs are the player's keys until a name is begun.
        case .character(let character) where character.isLetter || character.isNumber || !browser.query.isEmpty:
            self.browser?.type(character)
        default: return nil
        }
        settleBrowser()
        return effects
    }

    private mutating func goUpInBrowser() -> [AppEffect] { browser?.goUp() == true ? request() : [] }

    /// Into the directory that is selected, or plays the file.
    mutating func chooseInBrowser(_ now: HostTime) -> [AppEffect] {
        guard let browser, let choice = browser.choice else { return [] }
        switch choice {
        case .directory where browser.selected?.kind == .parent: return goUpInBrowser()
        case .directory(let path):
            self.browser?.enter(path)
            return request()
        case .files(let paths, let index):
            self.browser = nil
            return [.browse(.play(paths, from: index))]
        case .list(let path):
            self.browser = nil
            return [.browse(.open(path))]
        }
    }

    /// The selected file, or all of the selected directory or playlist, goes into the list; the next Tab adds the one below.
    private mutating func addFromBrowser(isNext: Bool) -> [AppEffect] {
        guard let browser, let choice = browser.choice, browser.selected?.kind != .parent else { return [] }
        self.browser?.move(by: 1)
        settleBrowser()
        switch choice {
        case .directory(let path), .list(let path): return [.browse(.add(path, isNext: isNext))]
        case .files(let paths, let index): return [.browse(.add(paths[index], isNext: isNext))]
        }
    }

    /// A click or the wheel over the browser; nil: somewhere else. The right button puts an entry behind the present file, the middle one
    /// at the end of the list.
    mutating func browserMouse(_ event: MouseEvent, now: HostTime) -> [AppEffect]? {
        guard let open = BrowserPane(self, above: TransportBar.pane(self)),
            open.frame.contains(column: event.x, row: event.y)
        else { return nil }
        switch event.action {
        case .press where event.button == .right || event.button == .middle:
            guard let item = open.frame.item(column: event.x, row: event.y), browser?.select(item) == true else { return [] }
            return addFromBrowser(isNext: event.button == .right)
        case .press where event.button == .left:
            guard let item = open.frame.item(column: event.x, row: event.y), browser?.select(item) == true else { return [] }
            return chooseInBrowser(now)
        case .press: return []
        case .scrollUp, .scrollDown:
            // Three rows a notch, as terminals scroll.
            browser?.move(by: event.action == .scrollUp ? -3 : 3)
            settleBrowser()
            return []
        default: return nil
        }
    }

    /// Three keys, with the first pictures that somebody sees who named no file.
    mutating func teach(_ now: HostTime) {
        guard browserStart.teaches, snapshot.phase == .playing, browser == nil else { return }
        browserStart.teaches = false
        let lessons: [(PlayerAction, String)] = [(.togglePause, "pause"), (.browse, "files"), (.toggleHelp, "all keys")]
        let words = lessons.compactMap { action, word in
            keymap.label(of: action, unicode: capabilities.isUnicode).map { "\($0) \(word)" }
        }
        guard !words.isEmpty else { return }
        message = FlashMessage(text: words.joined(separator: "   "), until: now + AppModel.hintStay, isNotice: false)
    }
}

extension Keymap {
    /// The first key of an action; nil where it has none.
    func label(of action: PlayerAction, unicode: Bool = true) -> String? {
        for entry in entries {
            for binding in entry.bindings where binding.action == action {
                return binding.strokes.first.map { $0.label(unicode: unicode) } ?? entry.label
            }
        }
        return nil
    }
}
