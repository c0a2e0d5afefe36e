import AetherCore
import AetherEngine
import AetherTerminal

/// Which of the open layers a key or the mouse is meant for.
extension AppModel {
    /// What a key does in a layer; nil: it is not the layer's.
    mutating func key(_ stroke: KeyStroke, of layer: Layer, _ now: HostTime) -> [AppEffect]? {
        switch layer {
        case .palette: return paletteKey(stroke, now: now)
        case .menu: return menuKey(stroke, now: now)
        case .browser: return browserKey(stroke, now: now)
        case .cueList: return cueListKey(stroke, now: now)
        case .notices: return noticeKey(stroke, now: now)
        case .equalizer: return equalizerKey(stroke, now: now)
        case .scrub: return scrubKey(stroke, now: now)
        case .help, .telemetry:
            guard stroke == KeyStroke(.escape) else { return nil }
            touchBar(now)
            if layer == .help { (showsHelp, helpPage) = (false, 0) } else { showsTelemetry = false }
            return []
        }
    }

    /// The mouse on the layers, from the top down: what a layer covers is below the pointer for no other one. nil: no layer's.
    mutating func layerMouse(_ event: MouseEvent, _ now: HostTime) -> [AppEffect]? {
        for layer in layers.order.reversed() {
            let rect = ChromeView.pane(layer, self, above: TransportBar.pane(self))?.rect
            let isInside = rect?.contains(column: event.x, row: event.y) == true
            if let effects = mouse(event, on: layer, isInside: isInside, now) { return effects }
            if isInside { return nil }
        }
        return nil
    }

    private mutating func mouse(_ event: MouseEvent, on layer: Layer, isInside: Bool, _ now: HostTime) -> [AppEffect]? {
        switch layer {
        case .palette: return paletteMouse(event, now: now)
        case .menu: return menuMouse(event, now)
        case .browser: return browserMouse(event, now: now)
        case .cueList: return cueListMouse(event, now)
        case .notices: return noticeMouse(event)
        case .equalizer: return equalizerMouse(event, now: now)
        case .scrub: return nil
        case .telemetry:
            guard isInside, event.action == .press, event.button == .left else { return nil }
            return perform(.nextTelemetryPage, now: now)
        case .help:
            // A click on the help is its key: the next page, then none.
            guard isInside, event.action == .press else { return nil }
            return perform(.toggleHelp, now: now)
        }
    }

    /// A click or the wheel over the menu; a click beside it closes it.
    private mutating func menuMouse(_ event: MouseEvent, _ now: HostTime) -> [AppEffect]? {
        guard let open = MenuPane(self, above: TransportBar.pane(self)) else { return nil }
        let isInside = open.frame.contains(column: event.x, row: event.y)
        switch event.action {
        case .press where !isInside:
            let effects = leaveThemes()
            closeMenu(now)
            return effects
        case .press:
            guard event.button == .left, let item = open.frame.item(column: event.x, row: event.y), menu?.select(item) == true
            else { return [] }
            return chooseInMenu(now)
        case .scrollUp where isInside, .scrollDown where isInside:
            menu?.step(event.action == .scrollUp ? -1 : 1, wraps: false)
            settleMenu()
            return previewTheme()
        default: return nil
        }
    }

    /// A click or the wheel over the list of cues.
    private mutating func cueListMouse(_ event: MouseEvent, _ now: HostTime) -> [AppEffect]? {
        guard let list = CueListPane(self, above: TransportBar.pane(self)),
            list.frame.contains(column: event.x, row: event.y)
        else { return nil }
        switch event.action {
        case .press:
            guard event.button == .left, let item = list.frame.item(column: event.x, row: event.y), cueList?.select(item) == true
            else { return [] }
            return jumpInCues(now)
        case .scrollUp, .scrollDown:
            cueList?.move(by: event.action == .scrollUp ? -1 : 1)
            settleCueList()
            return []
        default: return nil
        }
    }
}
