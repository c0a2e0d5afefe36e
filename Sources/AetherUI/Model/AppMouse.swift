import AetherCore
import AetherEngine
import AetherTerminal

/// What the mouse does.
extension AppModel {
    /// A report in cells. Clicks go to the menu, then to the bar; over the picture the right button pauses and the wheel turns the
    /// volume.
    mutating func take(_ event: MouseEvent, now: HostTime) -> [AppEffect] {
        switch event.action {
        case .press: return press(event, now)
        case .drag:
            guard isScrubbing, let fraction = TransportBar.fraction(atColumn: event.x, self) else { return [] }
            touchBar(now)
            return seek(toFraction: fraction, now)
        case .release:
            isScrubbing = false
            return []
        case .move: return []
        case .scrollUp: return scroll(1, event, now)
        case .scrollDown: return scroll(-1, event, now)
        case .scrollLeft: return perform(.seek(seconds: -5), now: now)
        case .scrollRight: return perform(.seek(seconds: 5), now: now)
        }
    }

    private mutating func press(_ event: MouseEvent, _ now: HostTime) -> [AppEffect] {
        isScrubbing = false
        if let open = MenuPane(self, above: TransportBar.pane(self)) {
            guard open.contains(column: event.x, row: event.y) else {
                closeMenu(now)
                return []
            }
            guard event.button == .left, let item = open.item(column: event.x, row: event.y), menu?.select(item) == true else {
                return []
            }
            return chooseInMenu(now)
        }
        let target = TransportBar.target(self, column: event.x, row: event.y)
        touchBar(now)
        switch (event.button, target) {
        case (.left, .progress(let fraction)?):
            isScrubbing = true
            return seek(toFraction: fraction, now)
        case (.left, .action(let action)?): return perform(action, now: now)
        case (.right, _): return perform(.togglePause, now: now)
        default: return []
        }
    }

    private mutating func scroll(_ direction: Int, _ event: MouseEvent, _ now: HostTime) -> [AppEffect] {
        if let open = MenuPane(self, above: TransportBar.pane(self)), open.contains(column: event.x, row: event.y) {
            menu?.step(-direction, wraps: false)
            settleMenu()
            return []
        }
        if case .progress = TransportBar.target(self, column: event.x, row: event.y) {
            return perform(.seek(seconds: 5 * direction), now: now)
        }
        return perform(direction > 0 ? .volumeUp : .volumeDown, now: now)
    }
}
