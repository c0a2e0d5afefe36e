import AetherCore
import AetherEngine
import AetherTerminal

/// The open menu: what keys do in it.
extension AppModel {
    /// Opens a menu, or closes it when it is the one that is open.
    mutating func toggleMenu(_ kind: MenuKind, _ now: HostTime) {
        if menu?.kind == kind { return closeMenu(now) }
        let items = menuItems(kind)
        guard items.contains(where: { $0.choice != nil }) else {
            menu = nil
            return say(MenuContent.absence(kind), now)
        }
        menu = Menu(kind, items: items)
        cueList = nil
        let rows = MenuPane.pageRows(self)
        menu?.centre(rows: rows)
    }

    private func menuItems(_ kind: MenuKind) -> [MenuItem] {
        switch kind {
        case .files: return MenuContent.files(files, present: playlist.index, queued: playlist.queued)
        case .themes: return themes.items
        case .renderers: return MenuContent.renderers(renderers)
        case .player: return MenuContent.player(keymap, unicode: capabilities.isUnicode)
        case .audio, .subtitles, .video, .chapters, .titles, .devices:
            return MenuContent.items(kind, snapshot, position: shownPosition)
        }
    }

    mutating func closeMenu(_ now: HostTime) {
        menu = nil
        touchBar(now)
    }

    /// Takes over what the engine has said since; returns whether the menu looks different.
    mutating func refreshMenu() -> Bool {
        guard let former = menu else { return false }
        let items = menuItems(former.kind)
        guard items != former.items else { return false }
        guard items.contains(where: { $0.choice != nil }) else {
            menu = nil
            return true
        }
        menu?.replace(items)
        settleMenu()
        return true
    }

    /// The part that is seen follows the selection and the screen.
    mutating func settleMenu() {
        guard menu != nil else { return }
        let rows = MenuPane.pageRows(self)
        menu?.settle(rows: rows)
    }

    /// What a key does while a menu is open; nil: it is not the menu's, and means what it always does.
    mutating func menuKey(_ stroke: KeyStroke, now: HostTime) -> [AppEffect]? {
        if let effects = fileKey(stroke) { return effects }
        guard menu != nil, stroke.modifiers.isDisjoint(with: [.control, .alt]) else { return nil }
        if menu?.kind == .themes, menu?.typed.isEmpty == true, keymap.action(for: stroke) == .nextTheme { return nextTheme(now) }
        let page = max(1, MenuPane.pageRows(self) - 1)
        switch stroke.key {
        case .up: menu?.step(-1)
        case .down: menu?.step(1)
        case .pageUp: menu?.move(by: -page)
        case .pageDown: menu?.move(by: page)
        case .home: menu?.moveToFirst()
        case .end: menu?.moveToLast()
        case .enter: return chooseInMenu(now)
        case .escape:
            let effects = leaveThemes()
            closeMenu(now)
            return effects
        case .delete where menu?.kind == .files: return removeSelectedFile(now)
        case .backspace where menu?.typed.isEmpty == false: menu?.erase(now: now)
        case .character(let character) where isTyped(character): menu?.type(character, now: now)
        default: return nil
        }
        settleMenu()
        return previewTheme()
    }

    /// Letters and digits find entries; other signs too once a word is begun ("a b"), else they are the player's keys.
    private func isTyped(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || menu?.typed.isEmpty == false
    }

    /// Carries out what the selection stands for, and closes.
    mutating func chooseInMenu(_ now: HostTime) -> [AppEffect] {
        guard let choice = menu?.choice else { return [] }
        closeMenu(now)
        switch choice {
        case .audioTrack(let id): return selectAudio(id, now)
        case .subtitleTrack(let id): return selectSubtitles(id, now)
        case .secondSubtitleTrack(let id): return selectSecondSubtitles(id, now)
        case .videoTrack(let id): return selectVideo(id, now)
        case .chapter(let index): return goToChapter(index, now)
        case .file(let index): return index == playlist.index ? [] : [.playFile(index)]
        case .theme(let name): return keepTheme(name, now)
        case .title(let id): return selectTitle(id, now)
        case .device(let name): return selectDevice(name, now)
        case .renderer(let name): return selectRenderer(name, now)
        case .setting(let change): return carryOut(.set(change), now: now)
        case .action(let action): return perform(action, now: now)
        }
    }
}
