import AetherCore
import AetherEngine
import AetherSources
import AetherTerminal

extension Browser: ListLayer {
    /// Three rows a notch, as terminals scroll.
    var wheelRows: Int { 3 }

    var takesText: Bool { isFiltering }

    /// The right button puts an entry behind the present file, the middle one at the end of the list.
    var buttons: Set<MouseEvent.Button> { [.left, .right, .middle] }

    func frame(in scene: Scene) -> ListFrame? { BrowserPane(self, scene)?.frame }
    func pane(in scene: Scene) -> Pane? { BrowserPane(self, scene)?.pane }
    mutating func settle(in scene: Scene) { settle(rows: pageRows(in: scene)) }

    mutating func step(_ direction: Int, wraps: Bool) { move(by: direction, wraps: wraps) }
    mutating func move(by rows: Int) { move(by: rows, wraps: false) }

    mutating func ownKey(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        switch stroke.key {
        case .tab: return add(isNext: !stroke.modifiers.contains(.shift))
        case .right:
            guard case .directory = choice else { return LayerOutcome() }
            return choose(in: scene)
        case .left: return leaveDirectory()
        default: return nil
        }
    }

    /// The directory that is waited for.
    var request: LayerOutcome { LayerOutcome(orders: awaited.map { [.effect(.browse(.read($0)))] } ?? []) }

    private mutating func leaveDirectory() -> LayerOutcome { goUp() ? request : LayerOutcome() }

    /// Into the directory that is selected, or plays the file.
    mutating func choose(in scene: Scene) -> LayerOutcome? {
        switch choice {
        case nil: return LayerOutcome()
        case .directory where selected?.kind == .parent: return leaveDirectory()
        case .directory(let path):
            enter(path)
            return request
        case .files(let paths, let index) where purpose == .addAudio:
            return LayerOutcome(
                closes: true, .effect(.send(.addAudio(ExternalAudioTrack(Playlist.Item(chosen: paths[index]).location)))))
        case .list where purpose == .addAudio: return LayerOutcome(.say(translated("A playlist is not an audio file")))
        case .files(let paths, let index): return LayerOutcome(closes: true, .effect(.browse(.play(paths, from: index))))
        case .list(let path): return LayerOutcome(closes: true, .effect(.browse(.open(path))))
        }
    }

    mutating func click(_ button: MouseEvent.Button, in scene: Scene) -> LayerOutcome {
        if button == .left { return choose(in: scene) ?? LayerOutcome() }
        return add(isNext: button == .right)
    }

    /// The selected file, or all of the selected directory or playlist, goes into the list; the next Tab adds the one below.
    private mutating func add(isNext: Bool) -> LayerOutcome {
        guard purpose == .play, let choice, selected?.kind != .parent else { return LayerOutcome() }
        move(by: 1)
        switch choice {
        case .directory(let path), .list(let path): return LayerOutcome(.effect(.browse(.add(path, isNext: isNext))))
        case .files(let paths, let index): return LayerOutcome(.effect(.browse(.add(paths[index], isNext: isNext))))
        }
    }

    /// Other signs than letters and digits are the player's keys until a filter is begun, and on the first screen so is the one that quits.
    mutating func typeAhead(_ character: Character, in scene: Scene, now: HostTime) -> LayerOutcome? {
        if !isFiltering {
            switch character {
            case "/":
                beginFilter()
                return LayerOutcome()
            case ",":
                sortOn()
                return LayerOutcome()
            case ".":
                toggleHidden()
                return request
            default: break
            }
            guard character.isLetter || character.isNumber else { return nil }
            if scene.playlist.count == 0, scene.keymap.action(for: KeyStroke(character)) == .quit { return nil }
        }
        type(character)
        return LayerOutcome()
    }

    mutating func takeBack(in scene: Scene, now: HostTime) -> LayerOutcome? {
        if query.isEmpty {
            guard isFiltering else { return leaveDirectory() }
            clearQuery()
            return LayerOutcome()
        }
        erase()
        return LayerOutcome()
    }

    mutating func leave(in scene: Scene) -> LayerOutcome {
        if !isFiltering { return LayerOutcome(closes: true, .touchBar) }
        clearQuery()
        return LayerOutcome()
    }
}
