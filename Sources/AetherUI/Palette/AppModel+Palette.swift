import AetherCore
import AetherTerminal

/// The command palette: what opens it, what keys and the mouse do in it.
extension AppModel {
    mutating func togglePalette(_ now: HostTime) {
        guard palette == nil else { return palette = nil }
        palette = Palette(keymap, unicode: capabilities.isUnicode)
        say("Command palette", now)
    }

    /// The part that is seen follows the selection and the screen.
    mutating func settlePalette() {
        guard palette != nil else { return }
        let rows = PalettePane.pageRows(self)
        palette?.settle(rows: rows)
    }

    /// What a key does while the palette is open; nil: it is not the palette's, and means what it always does.
    mutating func paletteKey(_ stroke: KeyStroke, now: HostTime) -> [AppEffect]? {
        guard palette != nil, stroke.modifiers.isDisjoint(with: [.control, .alt]) else { return nil }
        let page = max(1, PalettePane.pageRows(self) - 1)
        switch stroke.key {
        case .up: palette?.move(by: -1, wraps: true)
        case .down: palette?.move(by: 1, wraps: true)
        case .pageUp: palette?.move(by: -page)
        case .pageDown: palette?.move(by: page)
        case .home: palette?.move(by: .min)
        case .end: palette?.move(by: .max)
        case .tab: palette?.complete()
        case .enter: return chooseInPalette(now)
        case .escape: palette = nil
        // An empty line is left the way it was entered.
        case .backspace where palette?.query.isEmpty == true: palette = nil
        case .backspace: palette?.erase()
        case .character(let character): palette?.type(character)
        default: return nil
        }
        settlePalette()
        return []
    }

    private mutating func chooseInPalette(_ now: HostTime) -> [AppEffect] {
        guard case .perform(let action)? = palette?.enter() else {
            settlePalette()
            return []
        }
        palette = nil
        return action == .palette ? [] : perform(action, now: now)
    }

    /// A click or the wheel over the palette; a click beside it closes it. nil: it is not open.
    mutating func paletteMouse(_ event: MouseEvent, now: HostTime) -> [AppEffect]? {
        guard let open = PalettePane(self, above: TransportBar.pane(self)) else { return nil }
        let isInside = open.frame.contains(column: event.x, row: event.y)
        switch event.action {
        case .press where !isInside:
            palette = nil
            return []
        case .press:
            guard event.button == .left, let item = open.frame.item(column: event.x, row: event.y), palette?.select(item) == true
            else {
                return []
            }
            return chooseInPalette(now)
        case .scrollUp where isInside, .scrollDown where isInside:
            palette?.move(by: event.action == .scrollUp ? -1 : 1)
            settlePalette()
            return []
        default: return nil
        }
    }
}
