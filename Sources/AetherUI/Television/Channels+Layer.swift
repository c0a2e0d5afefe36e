import AetherCore
import AetherTerminal

extension Channels: ListLayer {
    /// Three rows a notch, as terminals scroll.
    var wheelRows: Int { 3 }
    var takesText: Bool { isFinding }
    /// The right button keeps a channel as a favourite.
    var buttons: Set<MouseEvent.Button> { [.left, .right] }

    func frame(in scene: Scene) -> ListFrame? { ChannelsPane(self, scene)?.frame }
    func pane(in scene: Scene) -> Pane? { ChannelsPane(self, scene)?.pane }
    mutating func settle(in scene: Scene) { settle(rows: pageRows(in: scene)) }

    mutating func step(_ direction: Int, wraps: Bool) { move(by: direction, wraps: wraps) }
    mutating func move(by rows: Int) { move(by: rows, wraps: false) }

    mutating func ownKey(_ stroke: KeyStroke, in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard let television = scene.television else { return nil }
        switch stroke.key {
        case .right: stepGroup(1, in: television)
        case .left: stepGroup(-1, in: television)
        case .tab: return channel.map { LayerOutcome(.openGuide($0)) } ?? LayerOutcome()
        case .character("*") where !isFinding: return favourite()
        case .enter where !television.typed.isEmpty: return nil
        default: return nil
        }
        return LayerOutcome()
    }

    private func favourite() -> LayerOutcome { channel.map { LayerOutcome(.toggleFavourite($0)) } ?? LayerOutcome() }

    mutating func choose(in scene: Scene) -> LayerOutcome? {
        guard let channel else { return LayerOutcome() }
        return LayerOutcome(closes: true, .zap(channel))
    }

    mutating func click(_ button: MouseEvent.Button, in scene: Scene) -> LayerOutcome {
        button == .right ? favourite() : choose(in: scene) ?? LayerOutcome()
    }

    /// Letters find; digits are a channel's number, which the model counts; other signs are the player's keys until a find is begun.
    mutating func typeAhead(_ character: Character, in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard let television = scene.television else { return nil }
        if !isFinding {
            if character == "/" {
                beginFind()
                return LayerOutcome()
            }
            guard character.isLetter else { return nil }
        }
        type(character, in: television)
        return LayerOutcome()
    }

    mutating func takeBack(in scene: Scene, now: HostTime) -> LayerOutcome? {
        guard let television = scene.television, isFinding else { return nil }
        if query.isEmpty { endFind(in: television) } else { erase(in: television) }
        return LayerOutcome()
    }

    mutating func leave(in scene: Scene) -> LayerOutcome {
        guard isFinding, let television = scene.television else { return LayerOutcome(closes: true, .touchBar) }
        endFind(in: television)
        return LayerOutcome()
    }

    /// A minute: progress of what is on is drawn in cells, none of which is shorter.
    func due(after snapshot: HostTime) -> HostTime? { snapshot + .seconds(30) }
}
