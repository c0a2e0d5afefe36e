import AetherCore
import AetherEngine
import AetherTerminal

extension Menu: ListLayer {
    var isPassingList: Bool { true }

    var keepsBar: Bool { true }
    var isPassing: Bool { true }
    var takesText: Bool { filter != nil }

    func frame(in scene: Scene) -> ListFrame? { MenuPane(self, scene)?.frame }
    func pane(in scene: Scene) -> Pane? { MenuPane(self, scene)?.pane }
    func pageRows(in scene: Scene) -> Int { frame(in: scene)?.window.count ?? 1 }
    mutating func settle(in scene: Scene) { settle(rows: pageRows(in: scene)) }

    /// A theme that is selected is put on at once.
    var moved: LayerOutcome {
        guard case .theme(let name)? = choice else { return LayerOutcome() }
        return LayerOutcome(.tryTheme(name))
    }

    mutating func scroll(to row: Int, in scene: Scene) -> LayerOutcome {
        // A heading is no row to stand on: the one next to it is.
        move(by: row - selection)
        settle(in: scene)
        return moved
    }

    /// Alt is the list's where it makes another choice of Enter.
    func isForeign(_ stroke: KeyStroke) -> Bool {
        if isAtOnce(stroke), choiceAtOnce != nil { return false }
        return !stroke.modifiers.isDisjoint(with: foreignModifiers)
    }

    private func isAtOnce(_ stroke: KeyStroke) -> Bool { stroke.key == .enter && stroke.modifiers == .alt }

    /// The selected quality without a wait for the border of a segment.
    private var choiceAtOnce: MenuChoice? {
        if case .variant(let id?, _)? = choice { .variant(id, .atOnce) } else { nil }
    }

    mutating func ownKey(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        if isAtOnce(stroke), let choiceAtOnce { return LayerOutcome(closes: true, .touchBar, .choose(choiceAtOnce)) }
        if let outcome = carryFile(stroke, in: scene) { return outcome }
        if kind == .themes, typed.isEmpty, scene.keymap.action(for: stroke) == .nextTheme {
            step(1)
            return moved
        }
        if case .actions = kind, stroke == KeyStroke(.left) {
            return LayerOutcome(closes: true, .touchBar, .choose(.action(.showMenu(.player))))
        }
        return stroke.key == .delete && kind == .files ? removeFile(in: scene) : nil
    }

    /// Shift and an arrow carry the selected file of the list up or down; nil: another key.
    private mutating func carryFile(_ stroke: KeyStroke, in scene: Scene) -> LayerOutcome? {
        guard stroke.modifiers == .shift, stroke.key == .up || stroke.key == .down, case .file(let index)? = choice else {
            return nil
        }
        let direction = stroke.key == .up ? -1 : 1
        guard scene.files.indices.contains(index + direction) else { return LayerOutcome() }
        // The list comes back in its new order; the selection goes along.
        step(direction, wraps: false)
        return LayerOutcome(.effect(.moveFile(index, to: index + direction)))
    }

    private func removeFile(in scene: Scene) -> LayerOutcome {
        guard case .file(let index)? = choice else { return LayerOutcome() }
        if index == scene.playlist.index { return LayerOutcome(.say(translated("This file is playing: it stays in the list"))) }
        return LayerOutcome(.effect(.removeFile(index)))
    }

    mutating func choose(in scene: Scene) -> LayerOutcome? {
        guard let choice else { return LayerOutcome() }
        return LayerOutcome(closes: true, .touchBar, .choose(choice))
    }

    /// After a slash all that is typed filters. Without it letters and digits find entries; other signs too once a word is begun ("a b"), else they are the player's keys.
    mutating func typeAhead(_ character: Character, in scene: Scene, now: HostTime) -> LayerOutcome? {
        if filter != nil || (character == "/" && typed.isEmpty) {
            narrow(by: filter == nil ? nil : character)
            return moved
        }
        guard character.isLetter || character.isNumber || !typed.isEmpty else { return nil }
        type(character, now: now)
        return moved
    }

    mutating func takeBack(in scene: Scene, now: HostTime) -> LayerOutcome? {
        if filter != nil {
            widen()
            return moved
        }
        guard !typed.isEmpty else { return nil }
        erase(now: now)
        return moved
    }

    mutating func leave(in scene: Scene) -> LayerOutcome {
        if filter != nil {
            endFilter()
            return moved
        }
        return LayerOutcome(closes: true, orders: kind == .themes ? [.leaveThemes, .touchBar] : [.touchBar])
    }

    func due(after snapshot: HostTime) -> HostTime? { typedUntil }

    mutating func expire(at now: HostTime) -> LayerOutcome? { expire(now) ? LayerOutcome() : nil }
}
