import AetherCore
import AetherTerminal

/// The list of what was said unasked: what opens it, what keys and the wheel do in it.
extension AppModel {
    mutating func toggleNotices(_ now: HostTime) {
        notices.isOpen.toggle()
        notices.scroll(by: .max, of: 0, seen: 1)
        if notices.isOpen { (menu, cueList) = (nil, nil) }
        say(notices.isOpen ? "Notices and errors" : "Notices and errors: off", now)
    }

    /// So many rows towards the newer, or the older.
    private mutating func scrollNotices(_ rows: Int) {
        guard let (total, seen) = NoticePane(self, above: TransportBar.pane(self))?.extent else { return }
        notices.scroll(by: rows, of: total, seen: seen)
    }

    /// What a key does while the list is open; nil: it is not the list's, and means what it always does.
    mutating func noticeKey(_ stroke: KeyStroke, now: HostTime) -> [AppEffect]? {
        guard notices.isOpen, stroke.modifiers.isEmpty else { return nil }
        let page = max(1, (NoticePane(self, above: TransportBar.pane(self))?.extent.seen ?? 2) - 1)
        switch stroke.key {
        case .up: scrollNotices(-1)
        case .down: scrollNotices(1)
        case .pageUp: scrollNotices(-page)
        case .pageDown: scrollNotices(page)
        case .home: scrollNotices(-1_000_000)
        case .end: scrollNotices(1_000_000)
        case .escape:
            notices.isOpen = false
            touchBar(now)
        default: return nil
        }
        return []
    }

    /// The wheel over the list, and clicks that go no further; nil: somewhere else.
    mutating func noticeMouse(_ event: MouseEvent) -> [AppEffect]? {
        guard let open = NoticePane(self, above: TransportBar.pane(self)),
            open.frame.contains(column: event.x, row: event.y)
        else { return nil }
        switch event.action {
        case .scrollUp: scrollNotices(-3)
        case .scrollDown: scrollNotices(3)
        case .press: break
        default: return nil
        }
        return []
    }
}
