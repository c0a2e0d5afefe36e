import AetherCore
import AetherEngine

/// Menus: what opens them, what is in them, and what their entries do.
extension AppModel {
    /// Opens a menu, or closes it when it is the one that is open.
    mutating func toggleMenu(_ kind: MenuKind, _ now: HostTime) {
        if menu?.kind == kind { return closeMenu(now) }
        let items = menuItems(kind)
        guard items.contains(where: { $0.choice != nil }) else {
            menu = nil
            return say(MenuContent.absence(kind), now)
        }
        var opened = Menu(kind, items: items)
        opened.centre(rows: opened.pageRows(in: scene))
        menu = opened
    }

    private func menuItems(_ kind: MenuKind) -> [MenuItem] {
        switch kind {
        case .files: return MenuContent.files(files, present: playlist.index, queued: playlist.queued)
        case .themes: return themes.items
        case .renderers: return MenuContent.renderers(renderers)
        case .player: return MenuContent.player(keymap, unicode: capabilities.isUnicode, recording: snapshot.recording)
        case .actions(let section): return MenuContent.actions(section, keymap, unicode: capabilities.isUnicode)
        case .audio, .subtitles, .video, .chapters, .titles, .devices:
            return MenuContent.items(kind, snapshot, position: shownPosition, unfolds: unfoldsDevices)
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
        guard items != former.all else { return false }
        guard items.contains(where: { $0.choice != nil }) else {
            menu = nil
            return true
        }
        menu?.replace(items)
        settle(Menu.self)
        return true
    }

    /// Carries out an entry.
    mutating func choose(_ choice: MenuChoice, _ now: HostTime) -> [AppEffect] {
        switch choice {
        case .audioTrack(let id): return selectAudio(id, now)
        case .audioFile: return browseForAudio(now)
        case .subtitleTrack(let id): return selectSubtitles(id, now)
        case .teletextPage(let page): return turn(toTeletext: page, now)
        case .secondSubtitleTrack(let id): return selectSecondSubtitles(id, now)
        case .videoTrack(let id): return selectVideo(id, now)
        case .variant(let id, let turn): return selectVariant(id, turn, now)
        case .chapter(let index): return goToChapter(index, now)
        case .file(let index): return index == playlist.index ? [] : [.playFile(index)]
        case .theme(let name): return keepTheme(name, now)
        case .title(let id): return selectTitle(id, now)
        case .device(let name): return selectDevice(name, now)
        case .devicePlugIns:
            unfoldsDevices = true
            toggleMenu(.devices, now)
            return []
        case .renderer(let name): return selectRenderer(name, now)
        case .setting(let change): return carryOut(.set(change), now: now)
        case .action(let action): return perform(action, now: now)
        }
    }
}
